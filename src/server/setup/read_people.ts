/** Checks the configured people and prepares them for requests. */

import { isDotSegment } from "../../ground/values/dot_segment.ts";
import { isPasswordHash, type PasswordProof, proveByDigest } from "../../ground/crypto/password.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { listHints, type People, type Person } from "../oauth/contracts/people.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";
import type { PersonConfiguration } from "./configuration.ts";
import { demoPeople } from "./demo.ts";
import { present } from "../../ground/values/present.ts";

export function readPeople(
  configured: readonly PersonConfiguration[],
  clients: ReadonlyMap<string, Client>,
): People {
  const people = configured.map(readPerson);
  for (const [index, { username }] of people.entries()) {
    if (isDotSegment(username)) {
      refuseOption(
        `people[${index}].username`,
        "must not be . or .., because URLs leave these out of a path",
      );
    }
    if (people.findIndex((other) => other.username === username) !== index) {
      refuseOption(`people[${index}].username`, `must be unique: two people are called ${username}`);
    }
    const problem = findSubjectProblem(index, people, clients);
    if (problem === undefined) continue;
    if (configured[index]?.sub !== undefined) refuseOption(`people[${index}].sub`, problem);
    refuseOption(
      `people[${index}].username`,
      `is the default sub, and a sub ${problem}. Set "sub" to another value`,
    );
  }
  return createPeople(people);
}

function readPerson(person: PersonConfiguration, index: number): Person {
  const { username, password, sub = username, claims = {}, disabled, ...members } = person;
  // With a password or a secret of their own, a person of the same name is no demo person.
  const demo = demoPeople.find((each) => each.username === username);
  return {
    username,
    subject: sub,
    claims,
    members,
    ...present({
      password: password === undefined ? undefined : readPassword(password, index),
      isDemo: JSON.stringify(demo) === JSON.stringify(person) || undefined,
      isDisabled: disabled || undefined,
    }),
  };
}

function readPassword(password: string, index: number): PasswordProof {
  if (isPasswordHash(password)) return password;
  // Refuses a damaged hash. Otherwise the text of the hash would become the password.
  if (password.startsWith("scrypt:")) {
    refuseOption(`people[${index}].password`, "is not a hash that hashPassword made");
  }
  return proveByDigest(password);
}

function findSubjectProblem(
  index: number,
  people: readonly Person[],
  clients: ReadonlyMap<string, Client>,
): string | undefined {
  const { subject } = people[index]!;
  if (people.findIndex((other) => other.subject === subject) !== index) {
    return `must be unique: two people have the sub ${subject}`;
  }
  // A subject has at most 255 ASCII characters (OpenID Connect Core §2).
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) return "must be 1 to 255 printable ASCII characters";
  // A subject differs from all client ids, so that an API cannot confuse a client with a person (RFC 9068 §5).
  return clients.has(subject) ? `must not be the id of a client: there is a client ${subject}` : undefined;
}

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
