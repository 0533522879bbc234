/** Describes a client that the server does not know, for refusals and for the journal. */

import { sameDigest } from "../../crypto/platform.ts";
import { nearest } from "../../schema/nearest.ts";
import type { Exchange } from "../exchange.ts";
import { hidden, redactText } from "../redaction.ts";
import type { Services } from "../services.ts";
import { hashSecret } from "../credential.ts";
import { clientIdForm, isClientId } from "./client_id.ts";
import { listSources } from "./find_client.ts";
import { unfitForAnswers } from "./redirect_uri.ts";

/**
 * Notes the id for the journal, without anything that looks like a secret. A client_id is public, but some requests
 * send a secret in its place. Returns the noted text.
 */
export function noteUnknownClient(id: string, exchange: Exchange, services: Services): string {
  // Some requests have both the id and the secret, as in Basic credentials: `shop:secret`.
  const isSecret = [id, id.trim(), id.slice(id.indexOf(":") + 1)].some((text) =>
    isConfiguredSecret(text, services)
  );
  const clientId = isSecret ? hidden : redactText(id);
  exchange.note({ clientId, clientIsUnknown: true });
  return clientId;
}

function isConfiguredSecret(text: string, { settings }: Services): boolean {
  const digest = hashSecret(text);
  return [...settings.clients.values()].some(({ authentication }) => {
    const hash = authentication?.secretHash;
    return hash !== undefined && sameDigest(digest, hash);
  });
}

/**
 * Returns why no configuration can have this client, or `undefined` if one can. `tellsPeople`: the reason may say that a
 * person exists.
 */
export function unfitForClient(
  id: string,
  redirectUri: string | undefined,
  { settings: { people } }: Services,
  { tellsPeople }: { readonly tellsPeople: boolean },
): string | undefined {
  if (!isClientId(id)) return `a client_id of ${clientIdForm}`;
  // RFC 9068 §5: the subject of a client's own token must not be a person's.
  if (tellsPeople && people.findBySubject(id) !== undefined) {
    return "a client_id that is not the sub of a person";
  }
  if (redirectUri === undefined) return undefined;
  const unfit = unfitForAnswers(redirectUri, { allowsPrivateHttp: true });
  return unfit && `the redirect_uri ${unfit}`;
}

/** Describes the clients that the server accepts. If a configured client has a similar id, suggests that client. */
export function describeKnownClients(
  id: string,
  services: Services,
  { suggests }: { readonly suggests: boolean },
): string {
  const { settings } = services;
  const known = listSources(id, services).map(({ expects }) => expects(services)).join(", or ");
  const similar = suggests ? nearest(id, [...settings.clients.keys()]) : undefined;
  return similar === undefined ? known : `perhaps the client_id ${similar}, otherwise ${known}`;
}
