/** The command that calls the API beside the server with a token of `postern token`. */

import { quoteShellWord } from "../../server/client/write_request.ts";
import { defaultFeatures, everyFeature } from "../../server/features/mod.ts";
import { findRequiredSources } from "../../server/oauth/authorization/require_authorization_request.ts";
import { type Client, methodOf, publicClientMethod, usesSecret } from "../../server/oauth/clients/client.ts";
import type { SenderProof } from "../../server/oauth/feature.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { gatherSlots } from "../../server/slots.ts";
import { defaultIssuer } from "../../server/oauth/clients/reached_from_elsewhere.ts";
import { signsPeopleIn } from "./application.ts";

interface ApiCommandOptions {
  readonly settings: Settings;
  readonly file?: { readonly path: string };
  readonly program: string;
}

/** Returns lines for a shell, or none if `postern token` gets no token for any of the listed clients. */
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
  const command = [
    `${program} token`,
    ...(person === undefined ? [] : [quoteShellWord(person.username)]),
    ...(client === all[0] ? [] : [`--client ${quoteShellWord(client.id)}`]),
    ...(file === undefined ? nameServer(issuer) : [
      ...(issuer === defaultIssuer ? [] : [`--issuer ${issuer}`]),
      `--config ${quoteShellWord(file.path)}`,
    ]),
    `--resource ${pathname}`,
  ].join(" ");
  return proofsOf(client).length > 0
    ? [`${command} --dpop ${pathname} |`, `  curl -H @- ${url}`]
    : [`token=$(${command})`, `curl -H "Authorization: Bearer $token" ${url}`];

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

function nameServer(issuer: string): readonly string[] {
  if (issuer === defaultIssuer) return [];
  const [, port] = /^http:\/\/localhost:(\d+)$/.exec(issuer) ?? [];
  return [port === undefined ? `--issuer ${issuer}` : `--port ${port}`];
}

function canLogIn(client: Client): boolean {
  const method = methodOf(client);
  return signsPeopleIn(client) && (method === publicClientMethod || usesSecret(method));
}
