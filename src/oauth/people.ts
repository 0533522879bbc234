/** The people who can sign in. */

import { sameDigest, sha256 } from "../crypto/bytes.ts";
import type { PersonSummary } from "./pages.ts";

export interface Person {
  readonly username: string;
  /** What tokens call this person. */
  readonly subject: string;
  /** Absent: one click signs in. */
  readonly passwordHash?: string;
  /** OpenID Connect's claims, under their own names. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface People {
  readonly all: readonly Person[];
  find(username: string): Person | undefined;
  findBySubject(subject: string): Person | undefined;
}

export function createPeople(all: readonly Person[]): People {
  const byUsername = new Map(all.map((person) => [person.username, person]));
  const bySubject = new Map(all.map((person) => [person.subject, person]));
  return {
    all,
    find: (username) => byUsername.get(username),
    findBySubject: (subject) => bySubject.get(subject),
  };
}

// Compared for people who do not exist, so that they take as long to refuse as those who do.
const nobodysHash = sha256("nobody");

export function checkPassword(person: Person | undefined, password: string): boolean {
  const matches = sameDigest(sha256(password), person?.passwordHash ?? nobodysHash);
  return matches && person?.passwordHash !== undefined;
}

export function summarisePerson(person: Person): PersonSummary {
  const { name, email } = person.claims;
  return {
    username: person.username,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof email === "string" ? { email } : {}),
    hasPassword: person.passwordHash !== undefined,
  };
}
