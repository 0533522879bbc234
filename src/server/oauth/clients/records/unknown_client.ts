/** Describes a client that the server does not know, for the journal, and refuses its authorization request. */

import { sameDigest } from "../../../../ground/crypto/platform.ts";
import { nearest } from "../../../../ground/schema/nearest.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import { hidden, redactText } from "../../secrets/redaction.ts";
import type { Services } from "../../contracts/feature.ts";
import { hashSecret } from "../../secrets/credential.ts";
import { clientIdForm, isClientId } from "../metadata/client_id.ts";
import { acceptsUnknownClients, listSources } from "./find_client.ts";
import { isLocalRedirectUri, unfitForAnswers } from "../metadata/redirect_uri.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import { unknownClientRemedy } from "./client_remedy.ts";
import { present } from "../../../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_request", spec: "OAuth 2.1 §4.1.2.1" }, {
  client_unknown: {
    sentence: "This client is not known here",
    expected: "a client_id that the server knows",
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
  first_use_unfit: {
    reason: "client_unknown",
    sentence: "This client is not known here, and first use does not accept its redirect URI",
    expected: "a redirect URI on this machine",
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the id as the journal notes it: without a secret, which some requests send in place of a client_id. */
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

/** Returns why no configuration can have this client. `tellsPeople`: the reason may say that a person exists. */
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
  const unfit = unfitForAnswers(redirectUri, { allowsPrivateHttp: true, apps: "all" });
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

export function refuseUnknownClient(
  { id, notedId, redirectUri }: {
    readonly id: string;
    /** The id as the journal may show it. It differs from the id if that may be a secret. */
    readonly notedId: string;
    readonly redirectUri: string | undefined;
  },
  services: Services,
): never {
  // A page must not say how the server is configured, nor who its people are, unless the front page says it, too.
  const isOpen = services.settings.frontPage === "full";
  const requirement = unfitForClient(id, redirectUri, services, { tellsPeople: isOpen });
  const known = describeKnownClients(id, services, { suggests: isOpen });
  throw refusal(isUnfitForFirstUse(id, redirectUri, services) ? "first_use_unfit" : "client_unknown", {
    expected: requirement ?? (isOpen ? known + describeFirstUseOff(redirectUri, services) : known),
    received: redirectUri === undefined
      ? `client_id ${id}, and no redirect_uri`
      : `client_id ${id}, redirect_uri ${redirectUri}`,
    ...(requirement === undefined && redirectUri !== undefined
      ? unknownClientRemedy({ id, redirectUri }, services)
      : {}),
    ...present({ privateText: notedId === id ? undefined : id }),
  });
}

function isUnfitForFirstUse(id: string, redirectUri: string | undefined, services: Services): boolean {
  const isFirstUse = listSources(id, services).some(({ findCandidate }) => findCandidate !== undefined);
  return isFirstUse && redirectUri !== undefined && !isLocalRedirectUri(redirectUri, services.settings);
}

function describeFirstUseOff(redirectUri: string | undefined, { settings, slots }: Services): string {
  if (acceptsUnknownClients(slots)) return "";
  if (redirectUri === undefined) return ". First use is off";
  return isLocalRedirectUri(redirectUri, settings)
    ? ". First use is off: firstUse: true in the configuration accepts any client_id with this redirect_uri"
    : ". First use is off, and would not accept this redirect_uri";
}
