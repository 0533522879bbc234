/** The command that calls the API beside the server with a token of `postern token`. */

import { defaultFeatures, everyFeature } from "../../../server/features/mod.ts";
import { findRequiredSources } from "../../../server/oauth/authorization/require_authorization_request.ts";
import {
  type Client,
  methodOf,
  publicClientMethod,
  usesSecret,
} from "../../../server/oauth/contracts/client.ts";
import type { SenderProof } from "../../../server/oauth/contracts/feature.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { gatherSlots } from "../../../server/slots.ts";
import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { type CommandWords, createCommandWords } from "../../../ground/values/quote_word.ts";
import { signsPeopleIn } from "../forms/application.ts";

interface ApiCommandOptions {
  readonly settings: Settings;
  readonly file?: { readonly path: string };
  readonly program: string;
}

/** Returns lines for a POSIX shell, or none if `postern token` gets no token for any of the listed clients. */
export function describeApiCommand(
  url: string,
  { settings, file, program }: ApiCommandOptions,
): readonly string[] {
  const { issuer, clients, people } = settings;
  const slots = gatherSlots(defaultFeatures(everyFeature));
  const all = [...clients.values()];
  const client = all.find((each) => canLogIn(each) && sendsRequest(each) && sendsProofs(each));
  if (client === undefined) return [];
  const person = people.all.find(({ password }) => password === undefined) ?? people.all[0];
  const { pathname } = new URL(url);
  const { quote, notes } = createCommandWords("all");
  const path = quote(pathname, "PATH", "the path of the API");
  const command = [
    `${program} token`,
    ...(person === undefined
      ? []
      : [quote(person.username, "USERNAME", "the first person without a password")]),
    ...(client === all[0] ? [] : [`--client ${quote(client.id, "CLIENT_ID", "the id of a client")}`]),
    ...(file === undefined ? nameServer(issuer, quote) : [
      ...(issuer === defaultIssuer ? [] : [`--issuer ${quote(issuer, ...issuerPlace)}`]),
      `--config ${quote(file.path, "FILE", "the file of the configuration")}`,
    ]),
    `--resource ${path}`,
  ].join(" ");
  const api = quote(url, "URL", "the address of the API");
  return [
    ...notes,
    ...(proofsOf(client).length > 0
      ? [`${command} --dpop ${path} |`, `  curl -H @- ${api}`]
      : [`token=$(${command})`, `curl -H "Authorization: Bearer $token" ${api}`]),
  ];

  function proofsOf(each: Client): readonly SenderProof[] {
    return [...slots.senderProofs.values()].filter(({ isRequired }) => isRequired?.(each, { settings }));
  }

  /** The command proves a key by DPoP, and shows no certificate. */
  function sendsProofs(each: Client): boolean {
    return proofsOf(each).every(({ tokenType }) => tokenType === "DPoP");
  }

  /** The command pushes a request, and signs none. */
  function sendsRequest(each: Client): boolean {
    return findRequiredSources(each, { settings, slots }).every(({ param }) => param === "request_uri");
  }
}

const issuerPlace = ["ISSUER", "the issuer"] as const;

function nameServer(issuer: string, quote: CommandWords["quote"]): readonly string[] {
  if (issuer === defaultIssuer) return [];
  const [, port] = /^http:\/\/localhost:(\d+)$/.exec(issuer) ?? [];
  return [port === undefined ? `--issuer ${quote(issuer, ...issuerPlace)}` : `--port ${port}`];
}

function canLogIn(client: Client): boolean {
  const method = methodOf(client);
  return signsPeopleIn(client) && (method === publicClientMethod || usesSecret(method));
}
