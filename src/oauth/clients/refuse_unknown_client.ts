/** Refuses the authorization request of an unknown client, and says how the client can become known. */

import { fail } from "../error.ts";
import type { Services } from "../services.ts";
import { unknownClientRemedy } from "./client_remedy.ts";
import { acceptsUnknownClients, listSources } from "./client_sources.ts";
import { isLocalRedirectUri } from "./redirect_uri.ts";
import { describeKnownClients, unfitForClient } from "./unknown_client.ts";

export type UnknownClientReason = "client_unknown";

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
  fail<UnknownClientReason>("invalid_request", describe(id, redirectUri, services), {
    reason: "client_unknown",
    spec: "OAuth 2.1 §4.1.2.1",
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

function describe(id: string, redirectUri: string | undefined, services: Services): string {
  const isFirstUse = listSources(id, services).some(({ findCandidate }) => findCandidate !== undefined);
  return isFirstUse && redirectUri !== undefined && !isLocalRedirectUri(redirectUri, services.settings)
    ? "This client is not known here, and first use does not accept its redirect URI"
    : "This client is not known here";
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
