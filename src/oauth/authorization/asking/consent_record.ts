/** The stored consent of a person to a client's requests, so that the person need not be asked again. */

import { sha256 } from "../../../crypto/bytes.ts";
import type { Kind } from "../../../store/store.ts";
import { methodOf, publicClientMethod } from "../../clients/client.ts";
import { isLoopbackRedirectUri } from "../../clients/redirect_uri.ts";
import type { ConsentProps } from "../../pages.ts";
import { createRetryLimit } from "../../retry_limit.ts";
import type { Services } from "../../services.ts";
import type { AccessRequest } from "./access_request.ts";

export interface Consent {
  /** The person and the client, of which the id of the record has only a hash. */
  readonly subject: string;
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly scope: readonly string[];
  /** The scopes that the person was asked for last time, and left out. */
  readonly leftOut: readonly string[];
  readonly resource: readonly string[];
  /** The lines of the other rows of the consent page, each with the name of its row. */
  readonly lines: readonly string[];
  readonly redirectOrigins: readonly string[];
}

export const consents: Kind<Consent> = { name: "consent" };

// In seconds.
const lifetime = 365 * 24 * 3600;

export function consentId(subject: string, clientId: string): string {
  return sha256(JSON.stringify([subject, clientId]));
}

/** A request whose response certainly reaches the client that the person consented to. */
type RememberedRequest = AccessRequest & { readonly redirectUri: string };

/**
 * Returns whether consent is remembered. Another program must not profit from it (OAuth 2.1 §7.3.1). With https, only
 * the host of the redirect URI receives the code. On loopback, another program may receive the code, but only a client
 * with its own secret or key can redeem the code.
 */
function mayRemember(request: AccessRequest): request is RememberedRequest {
  const { client, redirectUri } = request;
  if (redirectUri === undefined) return false;
  const isAuthenticated = methodOf(client) !== publicClientMethod && client.demoSecret === undefined;
  return client.rememberConsent ??
    (client.approvedBy === "operator" &&
      (redirectUri.startsWith("https:") || isAuthenticated && isLoopbackRedirectUri(redirectUri)));
}

/** Returns the origin of the redirect URI, or the scheme if the URI has a private scheme and so no origin. */
function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

async function findConsent(
  subject: string,
  request: AccessRequest,
  { store, now }: Services,
): Promise<Consent | undefined> {
  if (!mayRemember(request)) return undefined;
  const consent = (await store.get(consents, consentId(subject, request.client.id), now()))?.value;
  return consent?.clientEpoch === request.client.epoch ? consent : undefined;
}

/** What the stored consent of a person means for a request. */
export interface ConsentCheck {
  /** The person has already consented to everything that the request asks for. */
  readonly isComplete: boolean;
  /** The scopes of the request that the person left out before. */
  readonly leftOut: readonly string[];
}

export async function checkConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
): Promise<ConsentCheck> {
  const consent = await findConsent(subject, request, services);
  if (consent === undefined || !mayRemember(request)) return { isComplete: false, leftOut: [] };
  return {
    isComplete: request.scope.every((name) => consent.scope.includes(name)) &&
      request.resource.every((each) => consent.resource.includes(each)) &&
      linesOf(request, services).every((line) => consent.lines.includes(line)) &&
      consent.redirectOrigins.includes(originOf(request.redirectUri)),
    leftOut: request.scope.filter((name) => consent.leftOut.includes(name)),
  };
}

/**
 * Adds the request to the person's stored consent, and removes the scopes that the person left out. Does nothing if
 * consent to this client is not remembered.
 */
export async function rememberConsent(
  subject: string,
  request: AccessRequest,
  services: Services,
  leftOut: readonly string[] = [],
): Promise<void> {
  if (!mayRemember(request)) return;
  const { store, now } = services;
  const id = consentId(subject, request.client.id);
  const beginAttempt = createRetryLimit();
  while (true) {
    beginAttempt();
    const entry = await store.get(consents, id, now());
    const before = entry?.value.clientEpoch === request.client.epoch ? entry.value : undefined;
    const consent: Consent = {
      subject,
      clientId: request.client.id,
      clientEpoch: request.client.epoch,
      scope: union(before?.scope, request.scope).filter((name) => !leftOut.includes(name)),
      leftOut: union(before?.leftOut, leftOut).filter((name) => !request.scope.includes(name)),
      resource: union(before?.resource, request.resource),
      lines: union(before?.lines, linesOf(request, services)),
      redirectOrigins: union(before?.redirectOrigins, [originOf(request.redirectUri)]),
    };
    const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: entry?.version ?? null };
    if (await store.put(consents, id, consent, terms) !== undefined) return;
  }
}

/** Returns what the request asks for in the rows of features. Empty rows are left out. */
export function listRows(request: AccessRequest, services: Services): NonNullable<ConsentProps["rows"]> {
  return [...services.slots.consentRows.values()].flatMap(({ name, heading, list }) => {
    const lines = list(request, services);
    return lines.length === 0 ? [] : [{ name, lines, ...(heading === undefined ? {} : { heading }) }];
  });
}

function linesOf(request: AccessRequest, services: Services): readonly string[] {
  return listRows(request, services).flatMap(({ name, lines }) => lines.map((line) => `${name}: ${line}`));
}

function union(before: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}
