/** The record of a session: who is signed in at one browser. */

import type { Kind } from "../../store/store.ts";
import type { Person } from "./people.ts";

/** The sign-ins of one browser. Its id stays, its secret changes with every sign-in. */
export interface Session {
  readonly secretHash: string;
  readonly accounts: readonly Account[];
  /**
   * It began for a caller that may keep no cookies and so may never use it again. The record is kept for a short time,
   * and its grants live on without it: only a sign-out ends them early.
   */
  readonly isBrief?: true;
}

/** One person's sign-in. */
export interface Account {
  readonly subject: string;
  /** The sign-in's own name: it ends when this is gone from its session. */
  readonly sid: string;
  readonly authTime: number;
  readonly amr: readonly string[];
  /** The clients to tell when it ends. */
  readonly clients: readonly string[];
  /** Of the password that the person had then. */
  readonly passwordMark?: string;
}

export const sessions: Kind<Session> = { name: "session" };

/** A person who is signed in. */
export interface SignedIn {
  readonly person: Person;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly session: SessionRef;
}

/** One sign-in of one session. */
export interface SessionRef {
  readonly id: string;
  readonly sid: string;
  /** As in its session. */
  readonly isBrief?: true;
}

/** What is known of a sign-in when it begins. */
export interface SignInTerms {
  /** The client that it begins for: its end will be told to it. */
  readonly clientId?: string;
  /** The server signs the person in without asking for a password. */
  readonly automatic?: true;
}

/** A person who is to be signed in. */
export interface Arrival extends Pick<SignInTerms, "automatic"> {
  readonly person: Person;
}
