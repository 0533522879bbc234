/** The types for what a grant type proposes: a change of the grant, with either new tokens or a refusal. */

import type { Version } from "../../store/store.ts";
import type { OAuthError } from "./refusals.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import type { TokenClaims } from "./settings.ts";
import type { Grant } from "./grant.ts";

/** What a grant type proposes. The token endpoint writes the change, and then issues tokens or refuses. */
export type Proposal = Redemption | Ending;

export interface Change {
  /** Absent if the grant is not stored (client_credentials). The tokens are then valid while the client exists. */
  readonly grantId?: string;
  /** The grant after the change. */
  readonly grant: Grant;
  /** The version in the store. `null`: the grant is new, and its id must be free. `unstored`: nothing is written. */
  readonly replaces: Version | null | "unstored";
  /** The store keeps the grant at least until this time, even if all of its tokens expire earlier. */
  readonly keepUntil: number;
  /** For a grant that is not written: uses up what the client redeems, or throws if another request has done so. */
  readonly useUp?: () => Promise<void>;
}

export interface Redemption extends Omit<Change, "keepUntil"> {
  /** Absent if the store keeps the grant only as long as its tokens. */
  readonly keepUntil?: number;
  /** The grant stays as it is. It is written only if the response differs from the last one. */
  readonly keepsGrant?: true;
  /** The scope of the new access token. It never exceeds the scope of the grant. */
  readonly scope: readonly string[];
  /** The resources of the new access token: a part of the grant's, or what the client may exchange a token for. */
  readonly resource: readonly string[];
  /** The secret of all refresh tokens of the grant, if the client used one. The stored grant has only its hash. */
  readonly refreshFamily?: string;
  /** The subject of an access token without a grant in the store. Default: the client. */
  readonly subject?: string;
  /** The access token expires at this time, if not earlier: when the token expires for which it is exchanged. */
  readonly expiresBy?: number;
  /** The response has this token in place of an access token, and no other tokens (RFC 8693 §2.2.1: `N_A`). */
  readonly otherToken?: IssuedToken;
  /** Additional members of the token response: `issued_token_type` (RFC 8693 §2.2.1). The usual members win. */
  readonly members?: Members;
  /** Additional claims of the access token: `act` (RFC 8693 §4.1). The usual claims win. */
  readonly claims?: Claims;
  /** The claims of the access token of this server that the client exchanges. For an ID token, those of the last response. */
  readonly exchangedClaims?: Claims;
  /** The configured claims of the access token and the ID token. */
  readonly tokenClaims?: TokenClaims;
  /** The response has no other tokens: no refresh token and no ID token. */
  readonly accessTokenOnly?: true;
}

export interface IssuedToken {
  readonly text: string;
  /** In seconds, from the issue to `expiresAt`. */
  readonly lifetime: number;
  readonly expiresAt: number;
}

export interface Ending extends Change {
  readonly refusal: OAuthError;
}

/** What a feature adds to a token response after the access token is created. */
export interface TokenMembers {
  readonly members: Members;
  /** Fields of the grant that change because of these members. */
  readonly grant?: Partial<Grant>;
  /** Because of these members, the store keeps the grant at least until this time. */
  readonly expiresAt?: number;
  readonly livesUntil?: number;
}
