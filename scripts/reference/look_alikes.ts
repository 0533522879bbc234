/** docs/reference/look_alikes.md. */
import type { ProviderEndpoint, Source } from "../../src/kit/faults/look_alikes/look_alike.ts";
import { lookAlikes } from "../../src/kit/faults/look_alikes/look_alikes.ts";
import { type LookAlikeName, lookAlikeNames, providers } from "../../src/kit/faults/look_alikes/providers.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";

export function writeLookAlikes(): Page {
  return {
    title: "Look-alikes",
    summary: `How the server differs from the standards while it looks like ${
      listed(lookAlikeNames.map((name) => code(name)), "or")
    }, and the page of the provider that says so.`,
    parts: [
      '`as.lookLike("github")` in a test and `deno task start --like github` switch a look-alike on: ' +
      "[Look like a provider](../look_like_a_provider.md). A look-alike has the differences that the provider itself " +
      "documents, and no others. In a test, and through the proxy of `--proxy`, the server also answers at the addresses of " +
      "the provider. Pages, scopes and the form of tokens stay those of this server. Which libraries call which of them: " +
      "[What libraries call at providers](look_alike_survey.md).",
      ...lookAlikeNames.flatMap(describe),
    ],
  };
}

function writeAddress({ url, written = url, method }: ProviderEndpoint): string {
  return method === undefined ? written : `${method} ${written}`;
}

function link({ title, url }: Source): string {
  return `[${title}](${url})`;
}

function describe(name: LookAlikeName): readonly string[] {
  const { differences, leftOut, lax, addresses } = lookAlikes[name];
  const { title, host, hasTenants } = providers[name];
  const { endpoints, frames = [] } = addresses(host);
  const tenants = hasTenants ? ` This host is the default: the option \`host\` names another one.` : "";
  return [
    `## ${name}`,
    `${title}.${tenants}`,
    table(
      ["address", "endpoint", "the page that says so"],
      [
        ...endpoints.map((endpoint) => ({ ...endpoint, url: writeAddress(endpoint) })),
        ...frames.map((frame) => ({ ...frame, is: "frame" })),
      ].map(({ url, is, source }) => [code(url), code(is), link(source)]),
    ),
    "At these addresses only, the server accepts more than usual. What no page of the provider names has to be as the " +
    "standards say: a form, one method of client authentication, and the token in the header.",
    table(
      ["where", "what it accepts", "the page that says so"],
      [
        ...lax.map(({ server, source }) => ["", markNames(server), link(source)]),
        ...endpoints.flatMap((endpoint) =>
          (endpoint.accepts ?? []).map(({ server, source }) => [
            ...[code(writeAddress(endpoint)), markNames(server), link(source)],
          ])
        ),
      ],
    ),
    table(
      ["the server", "the same as the misbehaviour", "the page that says so"],
      differences.map(({ server, same, source }) => [
        markNames(server),
        same === undefined ? "" : code(same),
        link(source),
      ]),
    ),
    `Left out:\n\n${leftOut.map((each) => `- ${markNames(each)}`).join("\n")}`,
  ];
}
