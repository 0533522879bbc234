/** Finds the person of a JWT authorization grant, or checks the name of its workload (RFC 7523 §3). */

import type { Client } from "../../oauth/contracts/client.ts";
import { findClient } from "../../oauth/clients/records/find_client.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { enabledAccount, type People, type Person } from "../../oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { PersonClaim } from "./trust_settings.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({ error: "invalid_grant", spec: "RFC 7523 §3" }, {
  jwt_grant_person_unnamed: {
    sentence: "The JWT has no {claim} that names a person",
    expected: "{claim}, by which trust finds the person",
    change: "Let the issuer add the claim, or name another one in person of trust.",
  },
  jwt_grant_email_unverified: {
    spec: "OpenID Connect Core §5.7",
    sentence: "The issuer of the JWT has not verified the email of the person",
    expected: "email_verified true, or no email_verified",
    change: "Verify the email at the issuer, or find people by another claim in person of trust.",
  },
  jwt_grant_person_unknown: {
    sentence: "No person of this server has the {property} of the JWT",
    expected: "the {property} of a person",
    change:
      "Add the person to people, set create to true in person of trust, or find people by another claim there. A token exchange creates no people.",
  },
  jwt_grant_person_disabled: {
    sentence: "The account of this person is disabled",
    expected: enabledAccount,
    change: "Use a JWT for another person, or enable this one.",
  },
  jwt_grant_subject_taken: {
    spec: "RFC 9068 §5",
    sentence: "The workload has the sub of a person or a client of this server",
    expected: "a sub that only this workload has",
    change: "Give person in the entry of trust if the JWT is about a person, or rename the workload.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface JwtPerson {
  readonly subject: string;
  /** Returns the person, and creates one who is unknown. Call it after all checks. */
  readonly take: () => Person;
}

/** Resolves to `undefined` for a workload. `planUnknown` plans to create an unknown person. Absent: they are refused. */
export async function findJwtPerson(
  { claims, entry, subject }: TrustedJwt,
  client: Client,
  services: Services,
  planUnknown?: (value: string, terms: PersonClaim) => Promise<JwtPerson>,
): Promise<JwtPerson | undefined> {
  const { person: terms } = entry;
  if (terms === undefined) {
    await requireWorkloadSubject(subject, client, services);
    return undefined;
  }
  const value = readPersonClaim(claims, terms);
  const person = findPerson(value, terms, services);
  if (person !== undefined) return { subject: person.subject, take: () => person };
  if (planUnknown !== undefined && terms.creates) return await planUnknown(value, terms);
  return refusePerson(terms.property, value, claims);
}

function readPersonClaim(claims: Claims, { claim }: PersonClaim): string {
  const value = claims[claim];
  if (typeof value !== "string" || value === "") {
    throw refusal("jwt_grant_person_unnamed", {
      claim,
      received: value === undefined ? `no ${claim}` : `${claim} ${describeValue(value)}`,
    });
  }
  const { email_verified: verified } = claims;
  // Some issuers write it as text.
  if (claim === "email" && ![undefined, true, "true"].includes(verified as string)) {
    throw refusal("jwt_grant_email_unverified", {
      received: `email_verified ${describeValue(verified, 100)}`,
    });
  }
  return value;
}

/** Also finds a person who is new since the request began. */
export function findPerson(
  value: string,
  { property }: PersonClaim,
  { settings, people }: Services,
): Person | undefined {
  const newcomers = people.newcomers?.();
  const person = finders[property](value, newcomers?.current ?? settings.people);
  if (person === undefined) return undefined;
  if (person.isDisabled) throw refusal("jwt_grant_person_disabled", { received: person.username });
  newcomers?.recognise(person);
  return person;
}

const finders: Readonly<
  Record<PersonClaim["property"], (value: string, people: People) => Person | undefined>
> = {
  sub: (value, people) => people.findBySubject(value),
  username: (value, people) => people.find(value),
  email(value, people) {
    const found = people.findByHint(value);
    const email = found?.claims["email"];
    // The hint may also be a username.
    return typeof email === "string" && email.toLowerCase() === value.toLowerCase() ? found : undefined;
  },
};

/** The refusal shows the person to add to the configuration. */
function refusePerson(property: PersonClaim["property"], value: string, claims: Claims): never {
  const username = claims["preferred_username"] ?? value.split("@")[0];
  const person = {
    sub: { username, sub: value },
    username: { username: value },
    email: { username, claims: { email: value } },
  };
  throw refusal("jwt_grant_person_unknown", {
    property,
    received: `${property} ${describeValue(value, 100)}`,
    remedy: JSON.stringify({ people: [person[property]] }, null, 2),
  });
}

/** RFC 9068 §5: an API must not take the workload for a person or for another client. */
async function requireWorkloadSubject(subject: string, client: Client, services: Services): Promise<void> {
  const isTaken = services.settings.people.findBySubject(subject) !== undefined ||
    subject !== client.id && await findClient(subject, services) !== undefined;
  if (isTaken) throw refusal("jwt_grant_subject_taken", { received: `sub ${describeValue(subject, 200)}` });
}
