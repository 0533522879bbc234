/** The grant: everything that must change together for one authorization, in one record behind conditional puts. */

import type { Entry, Kind } from "../../store/store.ts";
import type { AuthorizationRequest } from "../authorization/authorization_request.ts";
import type { RequestedClaims } from "../people/claims.ts";
import { parseCredential, provesSecret } from "./credential.ts";
import type { RefreshChain } from "./refresh_chain.ts";
import type { Services } from "../services.ts";
import type { SessionRef } from "../people/session.ts";

/** One authorization, from the approval to its end. */
export interface Grant {
  readonly status: "approved" | "active" | "revoked";
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly subject: string;
  /** The sign-in that it lives by, unless it may outlive that. */
  readonly session?: SessionRef;
  /** Of the password that the person had when the grant was approved. */
  readonly passwordMark?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** Absent where nobody signed in: a client acts for itself. */
  readonly authTime?: number;
  readonly amr: readonly string[];
  readonly acr?: string;
  readonly nonce?: string;
  /** The `claims` parameter (OpenID Connect Core §5.5). */
  readonly claims?: RequestedClaims;
  readonly refresh?: RefreshChain;
  /** Kept after its use, so that a second use is recognised. */
  readonly code?: GrantCode;
  readonly redeemedAt?: number;
}

/** A request that was denied. It takes the grant's id, so that no form of the request can be approved any more. */
export interface Denial {
  readonly status: "denied";
  readonly clientId: string;
}

/** The code of a grant, and what a redemption must repeat or prove. */
export interface GrantCode {
  readonly hash: string;
  readonly challenge?: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
}

/** What somebody said yes to. */
export interface Approval {
  readonly grantId: string;
  readonly request: AuthorizationRequest;
  readonly subject: string;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly session: SessionRef;
  readonly passwordMark: string | undefined;
}

export const grants: Kind<Grant | Denial> = { name: "grant" };

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

/** The grant that this code belongs to, whatever has become of it. */
export async function findGrantByCode(
  code: string,
  services: Services,
): Promise<GrantByCode | undefined> {
  const credential = parseCredential(code);
  if (credential === undefined) return undefined;
  const entry = await findGrant(credential.id, services);
  const held = entry?.value.code;
  if (entry === undefined || held === undefined || !provesSecret(credential.secret, held.hash)) {
    return undefined;
  }
  return { id: credential.id, entry, code: held };
}

/** Repeats until the grant is revoked or gone: whatever happens to it meanwhile, it ends here. */
export async function revokeGrant(id: string, services: Services): Promise<void> {
  const { store, now } = services;
  while (true) {
    const entry = await findGrant(id, services);
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
