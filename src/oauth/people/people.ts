/** The people who can sign in. */

import type { PasswordProof } from "../../crypto/password.ts";
import type { PersonSummary } from "../pages.ts";

export interface Person {
  readonly username: string;
  /** The `sub` of this person in tokens. A pairwise subject is derived from it. */
  readonly subject: string;
  /** If absent, the person signs in with one click. */
  readonly password?: PasswordProof;
  /** OpenID Connect claims by their names. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The person cannot sign in, and their sign-ins and grants have no effect. */
  readonly isDisabled?: true;
}

export interface People {
  readonly all: readonly Person[];
  /** Whether at least one person has a password. */
  readonly usesPasswords: boolean;
  find(username: string): Person | undefined;
  findBySubject(subject: string): Person | undefined;
  /** Finds a person by the username, or by the email or the username in any case if only one person has it. */
  findByHint(hint: string): Person | undefined;
}

/** Creates the lookups of people by username and by subject. */
export function createPeople(all: readonly Person[]): People {
  const byUsername = new Map(all.map((person) => [person.username, person]));
  const bySubject = new Map(all.map((person) => [person.subject, person]));
  let byHint: ReadonlyMap<string, Person | undefined> | undefined;
  return {
    all,
    usesPasswords: all.some(({ password }) => password !== undefined),
    find: (username) => byUsername.get(username),
    findBySubject: (subject) => bySubject.get(subject),
    findByHint: (hint) => byUsername.get(hint) ?? (byHint ??= mapHints(all)).get(hint.toLowerCase()),
  };
}

/** Maps usernames and emails in lower case to their person, or to `undefined` if several people have this text. */
function mapHints(all: readonly Person[]): ReadonlyMap<string, Person | undefined> {
  const byHint = new Map<string, Person | undefined>();
  for (const person of all) {
    for (const hint of new Set(listHints(person).map((text) => text.toLowerCase()))) {
      byHint.set(hint, byHint.has(hint) ? undefined : person);
    }
  }
  return byHint;
}

/** Returns the texts that a login_hint may have for this person. */
export function listHints({ username, claims: { email } }: Person): readonly string[] {
  return typeof email === "string" ? [username, email] : [username];
}

/** Returns the facts about a person that pages show. */
export function summarisePerson(person: Person): PersonSummary {
  const { name, email } = person.claims;
  return {
    username: person.username,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof email === "string" ? { email } : {}),
    hasPassword: person.password !== undefined,
  };
}
