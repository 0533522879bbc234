/** The people who can sign in. */

import type { PasswordProof } from "../../crypto/password.ts";
import type { PersonSummary } from "../pages.ts";

export interface Person {
  readonly username: string;
  /** What tokens call this person. */
  readonly subject: string;
  /** Absent: one click signs in. */
  readonly password?: PasswordProof;
  /** OpenID Connect's claims, under their own names. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface People {
  readonly all: readonly Person[];
  /** Whether any of them has a password. */
  readonly usesPasswords: boolean;
  find(username: string): Person | undefined;
  findBySubject(subject: string): Person | undefined;
}

export function createPeople(all: readonly Person[]): People {
  const byUsername = new Map(all.map((person) => [person.username, person]));
  const bySubject = new Map(all.map((person) => [person.subject, person]));
  return {
    all,
    usesPasswords: all.some(({ password }) => password !== undefined),
    find: (username) => byUsername.get(username),
    findBySubject: (subject) => bySubject.get(subject),
  };
}

export function summarisePerson(person: Person): PersonSummary {
  const { name, email } = person.claims;
  return {
    username: person.username,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof email === "string" ? { email } : {}),
    hasPassword: person.password !== undefined,
  };
}
