/** Reads the configured people. */

import { isPasswordHash, type PasswordProof, proveByDigest } from "../crypto/password.ts";
import type { Client } from "../oauth/clients/client.ts";
import { createPeople, type People } from "../oauth/people/people.ts";
import type { Configuration } from "./configuration.ts";
import { refuseOption } from "./set_up_mistake.ts";

export function readPeople(
  all: NonNullable<Configuration["people"]>,
  clients: ReadonlyMap<string, Client>,
): People {
  const people = all.map(({ username, password, sub = username, claims = {} }, index) => ({
    username,
    subject: sub,
    ...(password === undefined ? {} : { password: readPassword(password, index) }),
    claims,
  }));
  for (const [index, { username, subject }] of people.entries()) {
    const refuseSubject = (rule: string, fact?: string): never => {
      if (all[index]?.sub !== undefined) {
        return refuseOption(`people[${index}].sub`, fact === undefined ? rule : `${rule}: ${fact}`);
      }
      const said = fact === undefined ? rule : `${rule} (${fact})`;
      return refuseOption(
        `people[${index}].username`,
        `stands for sub as well, which ${said}: give "sub" beside it`,
      );
    };
    if (people.findIndex((other) => other.username === username) !== index) {
      refuseOption(`people[${index}].username`, `must be unique: ${username} is there twice`);
    }
    if (people.findIndex((other) => other.subject === subject) !== index) {
      refuseSubject("must be unique", `${subject} is there twice`);
    }
    // OpenID Connect Core §2: at most 255 ASCII characters.
    if (!/^[\x20-\x7e]{1,255}$/.test(subject)) {
      refuseSubject("must be 1 to 255 printable ASCII characters");
    }
    // RFC 9068 §5: a client that acts for itself must not be taken for a person.
    if (clients.has(subject)) refuseSubject("must not be the id of a client", subject);
  }
  return createPeople(people);
}

function readPassword(password: string, index: number): PasswordProof {
  if (isPasswordHash(password)) return password;
  // Cut or mistyped, it would be taken for a password that nobody knows.
  if (password.startsWith("scrypt:")) {
    refuseOption(`people[${index}].password`, "is not a hash that hashPassword made");
  }
  return proveByDigest(password);
}
