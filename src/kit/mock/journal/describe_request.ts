/** Describes a recorded request in words: its sender, its parameters and its outcome. */

import type { Alteration, Refusal } from "../../../server/oauth/contracts/journal.ts";
import { quote } from "../../../ground/values/visible.ts";
import { type EndpointName, formEndpoints } from "../endpoints.ts";
import { describeFault, type RequestSummary } from "./recorded_request.ts";

/** The members of a recorded request that are the same in two equal runs. */
type DescribedRequest = Omit<RequestSummary, "id" | "at" | "duration" | "flow">;

const fromBrowsers = new Set<EndpointName>([...formEndpoints, "authorize", "device_verification", "page"]);

export function isFromBrowser({ endpoint }: DescribedRequest): boolean {
  return fromBrowsers.has(endpoint);
}

export function describeSender(request: DescribedRequest): string {
  return isFromBrowser(request) ? "browser" : quote(request.clientId ?? "unknown");
}

/** Returns text such as "POST /oauth2/token (authorization_code, client_secret_basic, PKCE S256, scope read)". */
export function describeCall(request: DescribedRequest): string {
  const { method, path, api, rpc = [], clientId, grantType, clientAuth, pkce, provenKey } = request;
  const { scope = [], resource = [] } = request;
  const details = [
    ...rpc,
    ...(isFromBrowser(request) && clientId !== undefined ? [`for ${clientId}`] : []),
    ...[grantType, clientAuth === "none" ? "no client auth" : clientAuth].filter((fact) =>
      fact !== undefined
    ),
    ...(pkce === undefined ? [] : [pkce === "none" ? "no PKCE" : `PKCE ${pkce}`]),
    ...(provenKey === undefined ? [] : [`proves ${provenKey}`]),
    ...(scope.length === 0 ? [] : [`scope ${scope.join(" ")}`]),
    ...(resource.length === 0 ? [] : [`resource ${resource.join(" ")}`]),
  ];
  return quote(`${method} ${api ?? path}`) + (details.length === 0 ? "" : ` (${quote(details.join(", "))})`);
}

/** Returns text such as "303 to https://app.example/cb as alice", or "accepted" if the test answers the request itself. */
export function describeOutcome(request: DescribedRequest): string {
  const { status = "accepted", refusal, advice, location, person, altered = [], fault, lost } = request;
  const others = [
    ...(location === undefined ? [] : [`to ${quote(location)}`]),
    ...(person === undefined ? [] : [`as ${quote(person)}`]),
    ...(advice === undefined ? [] : [`with advice (${advice.reason})`]),
    ...(altered.length === 0 ? [] : [`changed by ${quote(describeAltered(altered))}`]),
    ...(fault === undefined ? [] : [`after a fault (${quote(describeFault(fault))})`]),
  ];
  const loss = lost === undefined ? [] : ["the answer was lost"];
  if (refusal === undefined) return [status, ...others, ...loss.map((text) => `(${text})`)].join(" ");
  // The description is a sentence, which must not run into what follows.
  const aside = [...others, ...loss].join(", ");
  return `${status} ${describeRefusal(refusal)}${aside === "" ? "" : ` (${aside})`}`;
}

export function describeRefusal({ error, reason, description }: Refusal): string {
  return `${error} (${reason}): ${quote(description)}`;
}

/** Returns a list such as `"response", "id_token" (at claims)`. It names the seam if the seam has another name. */
export function describeAltered(altered: readonly Alteration[]): string {
  const names = altered.map(({ seam, by }) => by === seam ? `"${by}"` : `"${by}" (at ${seam})`);
  return [...new Set(names)].join(", ");
}
