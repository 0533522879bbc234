/** Refuses the authorization request of an unknown client, and says how the client can become known. */

import { nearest } from "../../schema/nearest.ts";
import { fail } from "../error.ts";
import type { Services } from "../services.ts";
import { isClientId } from "./client_id.ts";
import { unknownClientRemedy } from "./client_remedy.ts";
import { acceptsUnknownClients, listSources } from "./client_sources.ts";
import { isLocalRedirectUri, unfitForAnswers } from "./redirect_uri.ts";

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
  const { settings } = services;
  const unfit = findUnfit(id, redirectUri, services);
  const sentences = [
    describeKnownClients(id, services),
    ...(unfit === undefined ? [] : [unfit]),
    // These say how the server is configured, so they follow the setting for the front page.
    ...(settings.frontPage === "full"
      ? [...describeFirstUseOff(redirectUri, services), ...suggestClientId(id, services)]
      : []),
  ];
  fail<UnknownClientReason>("invalid_request", describe(id, redirectUri, services), {
    reason: "client_unknown",
    spec: "OAuth 2.1 §4.1.2.1",
    expected: sentences.join(". "),
    received: redirectUri === undefined
      ? `client_id ${id}, and no redirect_uri`
      : `client_id ${id}, redirect_uri ${redirectUri}`,
    ...(unfit === undefined && redirectUri !== undefined
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

/** Describes the clients that the server would accept, for the member `expected` of a refusal. */
export function describeKnownClients(id: string, services: Services): string {
  return listSources(id, services).map(({ expects }) => expects(services.settings)).join(", or ");
}

/** Returns why no configured client can make the request, or `undefined` if one can. */
export function findUnfit(
  id: string,
  redirectUri: string | undefined,
  { settings: { people } }: Services,
): string | undefined {
  if (!isClientId(id)) return "The client_id must be printable ASCII and not blank";
  // RFC 9068 §5: the subject of a client's own token must not be a person's.
  if (people.findBySubject(id) !== undefined) return "The client_id must not be the sub of a person";
  const unfit = redirectUri === undefined
    ? undefined
    : unfitForAnswers(redirectUri, { allowsPrivateHttp: true });
  return unfit === undefined ? undefined : `The redirect_uri ${unfit}`;
}

function describeFirstUseOff(
  redirectUri: string | undefined,
  { settings, slots }: Services,
): readonly string[] {
  if (acceptsUnknownClients(slots)) return [];
  if (redirectUri === undefined) return ["First use is off"];
  return isLocalRedirectUri(redirectUri, settings)
    ? ["First use is off: firstUse: true in the configuration accepts any client_id with this redirect_uri"]
    : ["First use is off, and would not accept this redirect_uri"];
}

/** Suggests the configured client whose id is similar. */
export function suggestClientId(id: string, { settings }: Services): readonly string[] {
  const suggestion = nearest(id, [...settings.clients.keys()]);
  return suggestion === undefined ? [] : [`Did you mean ${suggestion}?`];
}
