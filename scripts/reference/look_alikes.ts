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
      "A number is that of the page that says so, below the same heading. `{a, b}` in an address stands for `a` or `b`.",
      ...lookAlikeNames.flatMap(describe),
    ],
  };
}

function writeAddress({ url, written = url, method }: Pick<ProviderEndpoint, "url" | "written" | "method">) {
  return method === undefined ? written : `${method} ${written}`;
}

/** Hosts without a path, which have other addresses than the default. */
const otherHosts: Partial<Record<LookAlikeName, readonly string[]>> = { okta: ["shop.okta.com"] };

function describe(name: LookAlikeName): readonly string[] {
  const { differences, leftOut, lax, addresses } = lookAlikes[name];
  const { title, host, hasTenants } = providers[name];
  const { endpoints: usual, frames = [] } = addresses(host);
  const endpoints = [...usual, ...(otherHosts[name] ?? []).flatMap((each) => addresses(each).endpoints)];
  const others = (otherHosts[name] ?? []).map((each) =>
    ` ${code(each)} alone has the addresses without this path.`
  );
  const tenants = hasTenants
    ? ` The host ${code(host)} is the default: the option \`host\` names another one.${others.join("")}`
    : "";
  const sources: string[] = [];
  const cite = ({ title, url }: Source) => {
    const source = `[${title}](${url})`;
    if (!sources.includes(source)) sources.push(source);
    return `${sources.indexOf(source) + 1}`;
  };
  const rows = [
    ...endpoints.map((each) => ({ ...each, address: writeAddress(each) })),
    ...frames.map((each) => ({ ...each, address: each.url, is: "frame" })),
  ];
  const placed = groupBy(rows, ({ is, source }) => `${is} ${cite(source)}`)
    .flatMap((group) => joinAddresses(group).map((address) => ({ ...group[0]!, address })));
  const accepted = endpoints.flatMap((each) =>
    (each.accepts ?? []).map((acceptance) => ({ ...acceptance, address: writeAddress(each) }))
  );
  const acceptances = groupBy(accepted, ({ server, source }) => `${cite(source)} ${server}`).map((group) => {
    const [{ server, source }] = group as [typeof group[number]];
    return `- ${markNames(server)} (${cite(source)}) At ${listed(joinAddresses(group).map(code))}.`;
  });
  return [
    `## ${name}`,
    `${title}.${tenants}`,
    table(
      ["address", "endpoint", "page"],
      placed.map((each) => [
        ...[code(each.address), code(each.is), cite(each.source)],
      ]),
    ),
    ...describeShortened(rows.map(({ address }) => address)),
    "At these addresses only, the server accepts more than usual. What no page of the provider names has to be as the " +
    "standards say: a form, one method of client authentication, and the token in the header.",
    [...lax.map(({ server, source }) => `- ${markNames(server)} (${cite(source)})`), ...acceptances].join(
      "\n",
    ),
    `What the server does otherwise:\n\n${
      differences.map(({ server, same, source }) => {
        const known = same === undefined ? "" : `, as the misbehaviour ${code(same)}`;
        return `- ${markNames(server)} (${cite(source)}${known})`;
      }).join("\n")
    }`,
    `Left out:\n\n${leftOut.map((each) => `- ${markNames(each)}`).join("\n")}`,
    `The pages:\n\n${sources.map((each, index) => `${index + 1}. ${each}`).join("\n")}`,
  ];
}

/** Groups in the order of their first members. */
function groupBy<Member>(members: readonly Member[], keyOf: (member: Member) => string) {
  return [...Map.groupBy(members, keyOf).values()];
}

/** Writes addresses that differ in the first part of their path as one. */
function joinAddresses(group: readonly { readonly address: string }[]): readonly string[] {
  const parts = group.map(({ address }) =>
    /^(\S* ?https:\/\/[^/]+\/)([^/{]+)(\/.+)$/.exec(address) ?? [address, address]
  );
  return groupBy(parts, ([, start, , rest = ""]) => `${start}${rest}`).map((alike) => {
    const [[, start = "", , rest = ""] = []] = alike;
    const names = alike.flatMap(([, , name]) => name ?? []).map(shorten);
    return start + (names.length > 1 ? `{${names.join(", ")}}` : names.join("")) + rest;
  });
}

/** The id of a tenant. */
const id = /(?<=\/)([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/)/;

function shorten(name: string): string {
  return `/${name}/`.replace(id, "$1…").slice(1, -1);
}

function describeShortened(addresses: readonly string[]): readonly string[] {
  const ids = new Set(addresses.flatMap((address) => id.exec(address)?.[0] ?? []));
  return ids.size === 0 ? [] : [
    `${listed([...ids].map((each) => `${code(shorten(each))} is ${code(each)}`))}.`,
  ];
}
