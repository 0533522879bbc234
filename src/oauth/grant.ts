/** The grant: everything that must change together for one authorization, in one record behind conditional puts. */

import { randomText, sameText, sha256 } from "../crypto/bytes.ts";
import type { RandomBytes } from "../crypto/bytes.ts";
import type { Entry, Kind } from "../store/store.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { Services } from "./services.ts";

export interface Grant {
  readonly status: "requested" | "approved" | "active" | "revoked" | "denied";
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly subject: string;
  readonly sessionId?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly nonce?: string;
  /** Kept after its use, so that a second use is recognised. */
  readonly code?: GrantCode;
  readonly redeemedAt?: number;
}

export interface GrantCode {
  readonly hash: string;
  readonly challenge?: string;
  readonly redirectUri: string;
  /** Whether the authorization request named the URI: then the token request must, too. */
  readonly redirectUriSent: boolean;
  readonly expiresAt: number;
}

/** What somebody said yes to. */
export interface Approval {
  readonly grantId: string;
  readonly request: AuthorizationRequest;
  readonly subject: string;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly sessionId?: string;
}

export const grants: Kind<Grant> = { name: "grant" };

/** Every credential is `recordId.secret`: found by its id, proved by its hash. */
export interface Credential {
  readonly id: string;
  readonly secret: string;
}

const idLength = 16;
const secretLength = 32;

export function createId(random: RandomBytes): string {
  return randomText(random, idLength);
}

export function createSecret(random: RandomBytes): string {
  return randomText(random, secretLength);
}

export function formatCredential({ id, secret }: Credential): string {
  return `${id}.${secret}`;
}

/** `undefined` when the text cannot be one of ours. */
export function parseCredential(text: string): Credential | undefined {
  const match = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(text);
  return match === null ? undefined : { id: match[1]!, secret: match[2]! };
}

export function hashSecret(secret: string): string {
  return sha256(secret);
}

export function provesSecret(secret: string, hash: string): boolean {
  return sameText(sha256(secret), hash);
}

export interface GrantByCode {
  readonly id: string;
  readonly entry: Entry<Grant>;
  readonly code: GrantCode;
}

/** The grant that this code belongs to, whatever has become of it. */
export async function findGrantByCode(
  code: string,
  { store, now }: Services,
): Promise<GrantByCode | undefined> {
  const credential = parseCredential(code);
  if (credential === undefined) return undefined;
  const entry = await store.get(grants, credential.id, now());
  const held = entry?.value.code;
  if (entry === undefined || held === undefined || !provesSecret(credential.secret, held.hash)) {
    return undefined;
  }
  return { id: credential.id, entry, code: held };
}

/** Repeats until the grant is revoked or gone: whatever happens to it meanwhile, it ends here. */
export async function revokeGrant(id: string, { store, now }: Services): Promise<void> {
  while (true) {
    const entry = await store.get(grants, id, now());
    if (entry === undefined || entry.value.status === "revoked") return;
    const { value, version, expiresAt } = entry;
    const revoked = await store.put(grants, id, { ...value, status: "revoked" }, {
      expiresAt,
      now: now(),
      if: version,
    });
    if (revoked !== undefined) return;
  }
}
