/** The record of a session: the people who are signed in at one browser. */

import type { Entry, Kind } from "../../store/store.ts";
import type { Person } from "./people.ts";

/** The sign-ins of one browser. The session's id stays the same, and every sign-in changes the session's secret. */
export interface Session {
  readonly secretHash: string;
  readonly accounts: readonly Account[];
  /**
   * Marks a brief session. The server starts one when it signs a person in automatically and the caller seems to keep
   * no cookies, as curl does. Such a caller starts a new session with each authorization request, so records with the
   * usual lifetime would fill the store. The record of a brief session therefore expires with its first access token,
   * unless the caller presents the session again. The grants of a brief session do not end with the record: without a
   * record they stay valid until they expire. A sign-out ends them early. The sign-out leaves a record without the
   * account in the store until the last of the grants has expired.
   */
  readonly isBrief?: true;
}

export interface Account {
  readonly subject: string;
  /** The id of the sign-in. The sign-in has ended if its session has no account with this id. */
  readonly sid: string;
  readonly authTime: number;
  /** The id of the clock that set `authTime`. */
  readonly clock?: string;
  readonly amr: readonly string[];
  /** The ids of the clients that are told when the sign-in ends. */
  readonly clients: readonly string[];
  /** The mark of the password that the person had at the sign-in. See `PersonSecrets`. */
  readonly passwordMark?: string;
}

export const sessions: Kind<Session> = { name: "session" };

export interface SignedIn {
  readonly person: Person;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly session: SessionRef;
  /** See `Account.passwordMark`. */
  readonly passwordMark?: string;
  /** The record of the session, if this request has read it. */
  readonly found?: Entry<Session>;
}

/** One sign-in of one session. */
export interface SessionRef {
  readonly id: string;
  readonly sid: string;
  /** See `Session.isBrief`. */
  readonly isBrief?: true;
}
