/** The result of a grant type: a proposed change of the grant, and then tokens or a refusal. */

import type { Entry, Version } from "../../store/store.ts";
import type { OAuthError } from "../error.ts";
import type { Members } from "../members.ts";
import type { Grant } from "./grant.ts";

/** What a grant type proposes. The token endpoint writes the change, and then issues tokens or refuses. */
export type Proposal = Redemption | Ending;

export interface Change {
  /** Absent: no grant is stored, and the tokens are valid while their client exists. */
  readonly grantId?: string;
  /** The grant after the change. */
  readonly grant: Grant;
  /** The version that the write replaces. `unstored`: there is nothing to write. */
  readonly replaces: Version | "unstored";
  /** Until when the record is needed, even without a valid token. */
  readonly keepUntil: number;
}

export interface Redemption extends Change {
  /** The scope of the new access token. It never exceeds the scope of the grant. */
  readonly scope: readonly string[];
  /** The resources of the new access token. They never exceed the resources of the grant. */
  readonly resource: readonly string[];
  /** The secret of the refresh chain that continues. The record has only its hash. */
  readonly refreshFamily?: string;
}

/** A proposal to end the grant and to refuse the request. */
export interface Ending extends Change {
  readonly refusal: OAuthError;
}

export function endGrant(
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

/** What a feature adds to a token response after the access token is created. */
export interface TokenMembers {
  readonly members: Members;
  /** Fields of the grant that change because of these members. */
  readonly grant?: Partial<Grant>;
  /** Until when the record of the grant is needed because of these members. */
  readonly expiresAt?: number;
  /** Until when the client can use these members. */
  readonly livesUntil?: number;
}
