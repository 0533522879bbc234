/** Grants: finds, checks and revokes them, says whose they are and when they end, and proposes changes, which writes nothing. */

import { type Entry, limitAttempts } from "../../store/store.ts";
import type { Client } from "../contracts/client.ts";
import { findClient } from "../clients/records/find_client.ts";
import { fullEnd, isSignInAlive } from "../people/find_session.ts";
import { enabledAccount, type Person } from "../contracts/people.ts";
import { type OAuthError, type RefusalDetails, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";
import {
  type Denial,
  type Grant,
  type GrantCode,
  grants,
  type OfIssuer,
  type RefreshChain,
} from "../contracts/grant.ts";
import type { GrantLoss } from "../contracts/read_token.ts";
import type { Ending, Redemption } from "../contracts/redemption.ts";
import { remainingScope } from "../clients/metadata/scope.ts";
import { parseCredential, provesSecret } from "../secrets/credential.ts";

const refusal = refusals({
  of_another_issuer: {
    error: ["invalid_grant", "invalid_request", "invalid_token"],
    spec: "RFC 9700 §4.4",
    sentence: "Another issuer issued the {credential}",
    expected: "what this issuer issued",
    change:
      "Keep the issuer of a login beside its state and its tokens, and send the code and the tokens to no other issuer.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function findGrant(id: string, { store, now }: Services): Promise<Entry<Grant> | undefined> {
  const entry = await store.get(grants, id, now());
  return isGrant(entry) ? entry : undefined;
}

function isGrant(entry: Entry<Grant | Denial> | undefined): entry is Entry<Grant> {
  return entry !== undefined && entry.value.status !== "denied";
}

export interface GrantByCode {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly code: GrantCode;
}

/** Finds the grant of a code, even if the code is used or the grant is revoked. */
export async function findGrantByCode(
  code: string,
  { store, now }: Services,
): Promise<GrantByCode | undefined> {
  const credential = parseCredential(code);
  if (credential === undefined) return undefined;
  const entry = await store.get(grants, credential.id, now());
  if (!isGrant(entry)) return undefined;
  const { code: grantCode } = entry.value;
  return grantCode !== undefined && provesSecret(credential.secret, grantCode.hash)
    ? { id: credential.id, entry, code: grantCode }
    : undefined;
}

/** Returns the other issuer of a record, in words. `undefined`: the record is of this issuer. */
export function findOtherIssuer(
  { issuer }: OfIssuer,
  { settings }: Services,
): string | undefined {
  return issuer === settings.issuerInRecords
    ? undefined
    : issuer ?? "the server as itself, and not as a provider";
}

interface Sent extends Pick<RefusalDetails, "challenge"> {
  /** What the client sent: "code". */
  readonly credential: string;
  readonly error: "invalid_grant" | "invalid_request" | "invalid_token";
}

/** Call it before the request learns anything else about the record, or changes it. */
export function requireOwnIssuer(record: OfIssuer, sent: Sent, services: Services): void {
  refuseOtherIssuer({ otherIssuer: findOtherIssuer(record, services) }, sent, services);
}

export function refuseOtherIssuer(
  { otherIssuer }: { readonly otherIssuer?: string | undefined },
  sent: Sent,
  { settings }: Services,
): void {
  if (otherIssuer === undefined) return;
  throw refusal("of_another_issuer", { ...sent, expected: settings.issuer, received: otherIssuer });
}

export interface LiveGrant {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly client: Client;
  readonly person: Person;
}

export type GrantCheck =
  | { readonly isValid: true; readonly live: LiveGrant }
  | { readonly isValid: false; readonly loss: GrantLoss };

/** What a valid grant needs, for the member `expected` of a refusal. */
export const grantNeeds: Readonly<Record<GrantLoss, string>> = {
  grant_revoked: "a grant that is not revoked",
  client_gone: "the client that the grant was given to",
  person_gone: "a person who still exists",
  person_disabled: enabledAccount,
  password_changed: "a person whose password has not changed",
  scope_removed: "a scope that the server and the client still have",
  signed_out: "a person who is still signed in, or the scope offline_access",
};

export async function checkActiveGrant(id: string, services: Services): Promise<GrantCheck> {
  const entry = await findGrant(id, services);
  return entry?.value.status === "active" ? await checkGrant(id, entry, services) : lost("grant_revoked");
}

/**
 * Returns the grant with its client and its person, or the reason why it has ended: one of them has changed or is gone.
 * Because of this check, the end of a client, a person or a session need not find and end its grants. The status of the
 * grant is not checked. `authenticated` is the client that sends the request. If the grant is its own, the record of the
 * client is not read again.
 */
export async function checkGrant(
  id: string,
  entry: Entry<Grant>,
  services: Services,
  authenticated?: Client,
): Promise<GrantCheck> {
  const { clientId, clientEpoch, subject, session, passwordMark } = entry.value;
  const client = authenticated?.id === clientId ? authenticated : await findClient(clientId, services);
  if (client?.epoch !== clientEpoch) return lost("client_gone");
  const person = services.settings.people.findBySubject(subject);
  if (person === undefined) return lost("person_gone");
  if (person.isDisabled) return lost("person_disabled");
  if (passwordMark !== await services.people.passwordMark(person)) return lost("password_changed");
  const scope = remainingScope(entry.value.scope, client, services);
  if (scope.length === 0 && entry.value.scope.length > 0) return lost("scope_removed");
  // OpenID Connect Core §11: a grant with offline_access stays valid after a sign-out.
  const needsSignIn = session !== undefined && !scope.includes("offline_access");
  if (needsSignIn && !await isSignInAlive(session, services)) return lost("signed_out");
  return { isValid: true, live: { id, entry, client, person } };
}

function lost(loss: GrantLoss): GrantCheck {
  return { isValid: false, loss };
}

/** Returns when the current refresh token expires. It has an idle and an absolute lifetime (OAuth 2.1 §4.3.3). */
export function idleEnd({ rotatedAt, endsAt }: RefreshChain, { settings }: Services): number {
  return Math.min(Math.floor(rotatedAt) + settings.lifetimes.refreshIdle, endsAt);
}

/** Returns when the client must send the person again. Without offline_access, the grant ends with the session. */
export function grantEnd({ endsAt }: RefreshChain, grant: Grant, services: Services): number {
  const { session, authTime, scope } = grant;
  const outlivesSession = session === undefined || session.isBrief || scope.includes("offline_access");
  return outlivesSession || authTime === undefined
    ? endsAt
    : Math.min(endsAt, fullEnd({ authTime }, services));
}

/** Returns when the current refresh token ends at the latest: by its lifetimes, or with the session. */
export function refreshEnd(chain: RefreshChain, grant: Grant, services: Services): number {
  return Math.min(idleEnd(chain, services), grantEnd(chain, grant, services));
}

/** Proposes the first tokens of a grant that a person approved. The later write of the grant uses up its code. */
export function redeemGrant(
  grantId: string,
  { value, version, expiresAt }: Entry<Grant>,
  access: Pick<Redemption, "scope" | "resource">,
  { now }: Pick<Services, "now">,
): Redemption {
  return {
    grantId,
    grant: { ...value, status: "active", redeemedAt: now() },
    replaces: version,
    keepUntil: expiresAt,
    ...access,
  };
}

/** Proposes to end the grant and to refuse the request. Nothing is written yet. */
export function proposeEnd(
  grantId: string,
  { value, version, expiresAt }: Entry<Grant>,
  refusal: OAuthError,
): Ending {
  return {
    grantId,
    grant: { ...value, status: "revoked" },
    replaces: version,
    keepUntil: expiresAt,
    refusal,
  };
}

export async function revokeGrant(id: string, services: Services): Promise<void> {
  await changeGrant(id, (grant) => ({ ...grant, status: "revoked" }), services);
}

/** Retries until the grant is changed or gone, because other requests may change it at the same time. */
export async function changeGrant(
  id: string,
  change: (grant: Grant) => Grant,
  services: Services,
): Promise<void> {
  const { store, now } = services;
  for (const retry = limitAttempts();; retry()) {
    const entry = await findGrant(id, services);
    if (entry === undefined) return;
    const { value, version, expiresAt } = entry;
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(grants, id, change(value), terms) !== undefined) return;
  }
}
