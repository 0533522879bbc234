/** People who can sign in, what a page says of them, what is derived from them, and the refusal of a disabled account. */

import type { PasswordProof } from "../../../ground/crypto/password.ts";
import type { PersonSummary } from "./pages.ts";
import { type RefusalRows, refusals } from "./refusals.ts";
import { present } from "../../../ground/values/present.ts";

export interface Person {
  readonly username: string;
  /** The `sub` of this person in tokens. A pairwise subject is derived from it. */
  readonly subject: string;
  /** If absent, the person signs in with one click. */
  readonly password?: PasswordProof;
  /** OpenID Connect claims by their names. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** What features read of the person. Read it with `memberOf`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The person is one of the demo people, of whom nothing is secret. */
  readonly isDemo?: true;
  /** The person cannot sign in, and their sign-ins and grants have no effect. */
  readonly isDisabled?: true;
}

export interface People {
  readonly all: readonly Person[];
  readonly usesPasswords: boolean;
  find(username: string): Person | undefined;
  findBySubject(subject: string): Person | undefined;
  /** Finds a person by the username, or by the email or the username in any case if only one person has it. */
  findByHint(hint: string): Person | undefined;
}

/** A person to add while the server runs, as a configuration would have them. */
export interface NewPerson {
  readonly username: string;
  readonly sub: string;
  /** Absent: the person signs in with one click. */
  readonly password?: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Adds people while the server runs. */
export interface Newcomers {
  /** The people as they are now. Those in the settings of a request that runs may be earlier ones. */
  readonly current: People;
  /** Makes one of the current people known to the request that runs. */
  recognise(person: Person): void;
  /**
   * Adds a person, also for the request that runs. The caller has checked that no other person has the username or the
   * `sub`. Between the check and the call there must be no `await`.
   */
  add(person: NewPerson): Person;
}

export function listHints({ username, claims: { email } }: Person): readonly string[] {
  return typeof email === "string" ? [username, email] : [username];
}

export function summarisePerson(person: Person): PersonSummary {
  const { name, email } = person.claims;
  return {
    username: person.username,
    ...present({ name: typeof name === "string" ? name : undefined }),
    ...present({ email: typeof email === "string" ? email : undefined }),
    hasPassword: person.password !== undefined,
  };
}

/** What a refusal expects instead of a disabled account. */
export const enabledAccount = "a person whose account is not disabled";

const refusal = refusals({
  person_disabled: {
    error: "access_denied",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "The account of this person is disabled",
    expected: enabledAccount,
    change: "Sign in as another person, or enable this one.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function requireEnabled({ username, isDisabled }: Person): void {
  if (!isDisabled) return;
  throw refusal("person_disabled", { received: username });
}

/** What the server derives from a person and a stored secret. */
export interface PersonSecrets {
  /** Returns 32 octets in base64url for a purpose. They do not reveal the subject, and only this server can derive them. */
  derive(purpose: string, subject: string): Promise<string>;
  /**
   * Returns the mark of the person's password, or `undefined` if the person has none. Sign-ins and grants store the
   * mark, and end when the password changes. The mark is an HMAC, so that an attacker who reads the store, but not the
   * secret, cannot test guesses of the password.
   */
  passwordMark(person: Person): Promise<string | undefined>;
}
