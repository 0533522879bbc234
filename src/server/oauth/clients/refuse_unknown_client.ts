/** Refuses the authorization request of an unknown client, and says how the client can become known. */

import { type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import { unknownClientRemedy } from "./client_remedy.ts";
import { acceptsUnknownClients, listSources } from "./find_client.ts";
import { isLocalRedirectUri } from "./redirect_uri.ts";
import { describeKnownClients, unfitForClient } from "./unknown_client.ts";

const refusal = refusals({
  client_unknown: {
    error: "invalid_request",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This client is not known here",
    expected: "a client_id that the server knows",
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
  first_use_unfit: {
    reason: "client_unknown",
    error: "invalid_request",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This client is not known here, and first use does not accept its redirect URI",
    expected: "a redirect URI on this machine",
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
});

export const refused: RefusalRows = refusal.rows;

interface UnknownClient {
  readonly id: string;
  /** The id as the journal may show it. It differs from the id if that may be a secret. */
  readonly notedId: string;
  readonly redirectUri: string | undefined;
}

export function refuseUnknownClient(
  { id, notedId, redirectUri }: UnknownClient,
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
    ...(notedId === id ? {} : { privateText: id }),
  });
}

function isUnfitForFirstUse(id: string, redirectUri: string | undefined, services: Services): boolean {
  const isFirstUse = listSources(id, services).some(({ findCandidate }) => findCandidate !== undefined);
  return isFirstUse && redirectUri !== undefined && !isLocalRedirectUri(redirectUri, services.settings);
}

function describeFirstUseOff(
  redirectUri: string | undefined,
  { settings, slots }: Services,
): string {
  if (acceptsUnknownClients(slots)) return "";
  if (redirectUri === undefined) return ". First use is off";
  return isLocalRedirectUri(redirectUri, settings)
    ? ". First use is off: firstUse: true in the configuration accepts any client_id with this redirect_uri"
    : ". First use is off, and would not accept this redirect_uri";
}
