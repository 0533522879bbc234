/** A request that waits for the answer of a person: when it ends, and how it starts again. */

import { longestUrl } from "../../../../ground/http/address.ts";
import { formatParams } from "../../../../ground/http/form.ts";
import { clockSkew, markMargin } from "../../options/clock_skew.ts";
import { createId } from "../../secrets/credential.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { Feature, RequestKind, Services } from "../../contracts/feature.ts";
import type { Params } from "../../contracts/params.ts";
import type { PendingRequest, ResolvedRequest } from "../../contracts/authorization_request.ts";

/** The time in seconds that a person has to answer. */
const formLifetime = 3600;

/** Returns when the forms and addresses of this request expire. */
export function expiryOf({ startedAt }: Pick<PendingRequest, "startedAt">): number {
  return startedAt + formLifetime;
}

/** Until then, a server may still accept the forms of the request, and finds by the answer that they were used. */
export function keepAnswerUntil(pending: Pick<PendingRequest, "startedAt">): number {
  return expiryOf(pending) + clockSkew + markMargin;
}

export function kindOf({ kind }: PendingRequest, { slots }: Services): RequestKind {
  return slots.requestKinds.get(kind)!;
}

/** Returns the question of the first feature that has one. */
export const findFeatureStep: NonNullable<Feature["asks"]> = (interaction, account, services) =>
  services.slots.asks.map((ask) => ask(interaction, account, services)).find((step) => step !== undefined);

export function createPendingRequest(
  kind: string,
  resolved: ResolvedRequest,
  { now, clock, random }: Services,
): PendingRequest {
  return {
    kind,
    grantId: createId(random),
    canArriveAgain: resolved.grantId !== undefined,
    ...resolved,
    startedAt: Math.floor(now()),
    clock,
    asked: false,
  };
}

/** A request from a source has no link, because it may be valid once only. One that is too long for a URL has none either. */
export function startAgain(
  pending: PendingRequest,
  services: Services,
): { readonly startAgainUrl?: string } {
  const { params, arrivedBy } = pending;
  const { automaticPerson, basePath, baseUrl } = services.settings;
  // If sign-in is automatic, pages ask only about requests from another site. A link on this server's own page would
  // get past that check.
  if (automaticPerson !== undefined || arrivedBy.length > 0) return {};
  const address = `${kindOf(pending, services).path}?${formatParams(params.pairs)}`;
  return baseUrl.length + address.length > longestUrl ? {} : { startAgainUrl: basePath + address };
}

/** Returns `continue` if it is the only parameter of a GET. Otherwise it is an unknown parameter (OAuth 2.1 §3.1). */
export function readAddress({ pairs }: Params, { request }: Exchange): string | undefined {
  if (pairs.length !== 1 || request.method === "POST") return undefined;
  const [name, value] = pairs[0]!;
  return name === "continue" ? value : undefined;
}
