/** What a grant type proposes: one conditional put, and then tokens or a refusal. */

import type { Entry, Version } from "../../store/store.ts";
import type { OAuthError } from "../error.ts";
import type { Members } from "../members.ts";
import type { Grant } from "./grant.ts";

/** What a grant type proposes, and nothing is written yet: one conditional put, and then tokens or a refusal. */
export type Proposal = Redemption | Ending;

export interface Change {
  /** Absent: no grant is kept, and the tokens live by their client alone. */
  readonly grantId?: string;
  /** As it shall be. */
  readonly grant: Grant;
  /** The version that the put replaces, unless there is nothing to write. */
  readonly replaces: Version | "unstored";
  /** How long the record is needed even without any token that lives by it. */
  readonly keepUntil: number;
}

export interface Redemption extends Change {
  /** The scope and resources of this access token: never more than the grant's. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The secret of the refresh chain that goes on: in memory only, never in the record. */
  readonly refreshFamily?: string;
}

/** The grant ends, and whoever asked is told why. */
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

/** What a feature adds to a token response, once the access token is made. */
export interface TokenMembers {
  readonly members: Members;
  /** What the grant has to keep because of them. */
  readonly grant?: Partial<Grant>;
  /** How long the record is needed because of them. */
  readonly expiresAt?: number;
  /** How long they can be used. */
  readonly livesUntil?: number;
}
