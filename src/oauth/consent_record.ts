/** What somebody has agreed to before, so that they need not be asked again. */

import { sha256 } from "../crypto/bytes.ts";
import type { Kind } from "../store/store.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { isPersonal, namesOfScopes } from "./claims.ts";
import type { Services } from "./services.ts";

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

/** OAuth 2.1 §7.3.1: a client whose redirect URI anybody on the machine could serve is asked for every time. */
function isAssured({ client, redirectUri }: AuthorizationRequest): boolean {
  return client.origin === "configured" && redirectUri.startsWith("https:");
}

export async function isConsented(
  subject: string,
  request: AuthorizationRequest,
  { store, now }: Services,
): Promise<boolean> {
  if (!isAssured(request)) return false;
  const held = (await store.get(consents, idOf(subject, request.client.id), now()))?.value;
  return held !== undefined && held.clientEpoch === request.client.epoch &&
    request.scope.every((name) => held.scope.includes(name)) &&
    request.resource.every((each) => held.resource.includes(each)) &&
    claimsOf(request).every((name) => held.claims.includes(name)) &&
    held.redirectOrigins.includes(new URL(request.redirectUri).origin);
}

export async function rememberConsent(
  subject: string,
  request: AuthorizationRequest,
  { store, now }: Services,
): Promise<void> {
  if (!isAssured(request)) return;
  const id = idOf(subject, request.client.id);
  while (true) {
    const entry = await store.get(consents, id, now());
    const held = entry?.value.clientEpoch === request.client.epoch ? entry.value : undefined;
    const consent: Consent = {
      clientEpoch: request.client.epoch,
      scope: union(held?.scope, request.scope),
      resource: union(held?.resource, request.resource),
      claims: union(held?.claims, claimsOf(request)),
      redirectOrigins: union(held?.redirectOrigins, [new URL(request.redirectUri).origin]),
    };
    const terms = { expiresAt: Math.ceil(now()) + kept, now: now(), if: entry?.version ?? null };
    if (await store.put(consents, id, consent, terms) !== undefined) return;
  }
}

/** The claims that are asked for beyond those of the scopes. */
export function claimsOf({ claims, scope }: AuthorizationRequest): readonly string[] {
  const covered = new Set(namesOfScopes(scope));
  const asked = new Set([...claims?.userinfo ?? [], ...claims?.idToken ?? []]);
  return [...asked].filter((name) => !covered.has(name) && isPersonal(name));
}

function union(held: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...held, ...more])];
}
