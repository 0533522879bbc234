/** What somebody has agreed to before, so that they need not be asked again. */

import { sha256 } from "../../crypto/bytes.ts";
import type { Kind } from "../../store/store.ts";
import { readCarried } from "../carried.ts";
import { methodOf, publicClientMethod } from "../clients/client.ts";
import { isLoopbackUri } from "../clients/redirect_uri.ts";
import { isPersonal, namesOfScopes, requestedClaimsKey } from "../people/claims.ts";
import type { Services } from "../services.ts";
import type { AccessRequest } from "./access_request.ts";

interface Consent {
  readonly clientEpoch: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** Single claims, asked for by name. */
  readonly claims: readonly string[];
  readonly redirectOrigins: readonly string[];
}

const consents: Kind<Consent> = { name: "consent" };

const kept = 365 * 24 * 3600;

function idOf(subject: string, clientId: string): string {
  return sha256(JSON.stringify([subject, clientId]));
}

/** A request whose answer reaches the same client each time. */
type RememberedRequest = AccessRequest & { readonly redirectUri: string };

/**
 * OAuth 2.1 §7.3.1: consent counts again only where the answer reaches the same client. With https its host proves
 * that, on loopback its secret or its key, without which the code is of no use to another program.
 */
function mayRemember(request: AccessRequest): request is RememberedRequest {
  const { client, redirectUri } = request;
  if (redirectUri === undefined) return false;
  const provesItself = methodOf(client) !== publicClientMethod && client.demoSecret === undefined;
  return client.rememberConsent ??
    (client.approvedBy === "operator" &&
      (redirectUri.startsWith("https:") || provesItself && isLoopbackUri(redirectUri)));
}

/** A private scheme has no origin. */
function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

export async function isConsented(
  subject: string,
  request: AccessRequest,
  { store, now }: Services,
): Promise<boolean> {
  if (!mayRemember(request)) return false;
  const held = (await store.get(consents, idOf(subject, request.client.id), now()))?.value;
  return held !== undefined && held.clientEpoch === request.client.epoch &&
    request.scope.every((name) => held.scope.includes(name)) &&
    request.resource.every((each) => held.resource.includes(each)) &&
    claimsOf(request).every((name) => held.claims.includes(name)) &&
    held.redirectOrigins.includes(originOf(request.redirectUri));
}

export async function rememberConsent(
  subject: string,
  request: AccessRequest,
  { store, now }: Services,
): Promise<void> {
  if (!mayRemember(request)) return;
  const id = idOf(subject, request.client.id);
  while (true) {
    const entry = await store.get(consents, id, now());
    const held = entry?.value.clientEpoch === request.client.epoch ? entry.value : undefined;
    const consent: Consent = {
      clientEpoch: request.client.epoch,
      scope: union(held?.scope, request.scope),
      resource: union(held?.resource, request.resource),
      claims: union(held?.claims, claimsOf(request)),
      redirectOrigins: union(held?.redirectOrigins, [originOf(request.redirectUri)]),
    };
    const terms = { expiresAt: Math.ceil(now()) + kept, now: now(), if: entry?.version ?? null };
    if (await store.put(consents, id, consent, terms) !== undefined) return;
  }
}

/** The claims that are asked for beyond those of the scopes. */
export function claimsOf(request: AccessRequest): readonly string[] {
  const claims = readCarried(request, requestedClaimsKey);
  const covered = new Set(namesOfScopes(request.scope));
  const asked = new Set([...claims?.userinfo ?? [], ...claims?.idToken ?? []]);
  return [...asked].filter((name) => !covered.has(name) && isPersonal(name));
}

function union(held: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...held, ...more])];
}
