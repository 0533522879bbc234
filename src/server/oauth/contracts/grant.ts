/** The grant: one record for all parts of an authorization that must change together. Every write is conditional. */

import type { Kind } from "../../store/store.ts";
import type { Carried } from "./feature_values.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { SessionRef } from "./session.ts";
import { present } from "../../../ground/values/present.ts";
import type { Confirmation } from "./sender.ts";

/** One authorization, from its approval to its end. */
export interface Grant {
  /** The issuer of a provider. Absent: the server itself, also after its address has changed. */
  readonly issuer?: string;
  readonly status: "approved" | "active" | "revoked";
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly subject: string;
  /** The sign-in of the person. Without offline_access, the grant ends with it. */
  readonly session?: SessionRef;
  /** Identifies the password that the person had when the grant was approved. */
  readonly passwordMark?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** When the person signed in. Absent if a client acts for itself. */
  readonly authTime?: number;
  readonly amr: readonly string[];
  /** Values that features carried from the request, and that they read when they create tokens. */
  readonly carried: Carried;
  readonly refresh?: RefreshChain;
  /** Stays after its use, so that the server recognises a second use. */
  readonly code?: GrantCode;
  readonly redeemedAt?: number;
  /** Absent before the first token response, and in the record of an earlier version. */
  readonly lastResponse?: LastResponse;
}

/** A record that only the issuer may use that made it. */
export type OfIssuer = Pick<Grant, "issuer">;

/** What the last token response of a grant gave. */
export interface LastResponse {
  /** Absent: the scope of the grant. */
  readonly scope?: readonly string[];
  /** Absent: the resources of the grant. */
  readonly resource?: readonly string[];
  /** The claims by which features narrowed the access token: authorization_details. */
  readonly claims?: Claims;
  /** The key that the access token was bound to. */
  readonly confirmation?: Confirmation;
}

/** What the record of a grant has about its refresh tokens. */
export interface RefreshChain {
  /** The hash of the secret that all tokens of the chain share. Only the tokens contain the secret. */
  readonly familyHash: string;
  /** The key that authenticates each token. A reader of the store cannot forge a token, because it lacks the secret. */
  readonly key: string;
  readonly generation: number;
  /** When the current token was issued, or last used if its use does not replace it. */
  readonly rotatedAt: number;
  /**
   * The next use of the current token replaces it, although a use usually keeps it. Stays until that use, also while the
   * token before the current one is sent again.
   */
  readonly replacesOnce?: true;
  /**
   * The current token replaced the one before it by `replacesOnce`, and was not used yet. Until its first use, the one
   * before it is valid, too: the client may have lost the response, and gets the current token again.
   */
  readonly isUnused?: true;
  /** The id of the clock that set `rotatedAt`. */
  readonly clock?: string;
  /** When the whole chain expires, even if the client uses it often. */
  readonly endsAt: number;
  /** Absent: the tokens are not bound to a key. */
  readonly binding?: ChainBinding;
}

/** The key that tokens of this generation and all later ones are bound to. */
export interface ChainBinding extends Confirmation {
  readonly fromGeneration: number;
}

/** A denied request. It is stored under the grant's id, so that an open form of the request cannot approve it later. */
export interface Denial {
  readonly status: "denied";
  readonly clientId: string;
}

/** The code of a grant, and the values that its redemption must repeat or prove. */
export interface GrantCode {
  readonly hash: string;
  readonly challenge?: string;
  /** The key that the code is bound to (RFC 9449 §10). */
  readonly confirmation?: Confirmation;
  readonly redirectUri: string;
  readonly expiresAt: number;
  /** The id of the clock that set `expiresAt`. */
  readonly clock?: string;
}

/** A request that a person approved. */
export interface Approval {
  readonly grantId: string;
  /** The grant before the response type adds the code. */
  readonly grant: Grant;
}

export const grants: Kind<Grant | Denial> = { name: "grant" };

/** A record of an earlier version has no response. The client's ID token then proves only the scope openid. */
export function readLastResponse(
  { lastResponse, scope, resource, refresh, code }: Grant,
): LastResponse & Required<Pick<LastResponse, "scope" | "resource">> {
  if (lastResponse !== undefined) return { scope, resource, ...lastResponse };
  return {
    scope: ["openid"],
    resource: [],
    ...present({ confirmation: refresh?.binding ?? code?.confirmation }),
  };
}
