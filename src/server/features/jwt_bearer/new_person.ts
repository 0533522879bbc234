/** Creates the person of a JWT at first use: who they are, and who must not be created (RFC 7523 §3). */

import { findClient } from "../../oauth/clients/records/find_client.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { NewPerson, People } from "../../oauth/contracts/people.ts";
import { findTaken, mostPeople, needsPassword } from "../../oauth/people/new_person.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import {
  fitText,
  fitUsername,
  isFitName,
  isFitText,
  isFitUsername,
  longestText,
} from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { findPerson, type JwtPerson } from "./jwt_subject.ts";
import type { PersonClaim } from "./trust_settings.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  jwt_grant_person_taken: {
    spec: "RFC 7523 §3",
    sentence: "The person of the JWT cannot be created, because another person has the {name}",
    expected: "a {name} that no person of this server has",
    change:
      "If both are the same person, give them in people the value by which person of trust finds them. Otherwise let the issuer send another value.",
  },
  jwt_grant_person_unfit: {
    spec: "OpenID Connect Core §2, RFC 9068 §5",
    sentence: "The person of the JWT cannot be created, because the {name} is not one for a person",
    change: "Let the issuer send another value, or add the person to people.",
  },
  jwt_grant_people_full: {
    sentence: "The person of the JWT cannot be created, because this server has too many people",
    expected: "less than {most} people",
    change: "Add the person to people in the configuration, or remove others.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** `value` is that of the claim by which `terms` finds the person. */
export async function planNewPerson(
  { claims }: TrustedJwt,
  { value, terms }: { readonly value: string; readonly terms: PersonClaim },
  exchange: Exchange,
  services: Services,
): Promise<JwtPerson> {
  const newcomers = services.people.newcomers!();
  const person = describePerson(claims, value, terms);
  await requireFit(person, services);
  // It is the same at all servers on the store, so that the person's tokens are valid at each of them.
  const password = await services.people.derive("password of a new person", person.sub);
  return {
    subject: person.sub,
    take() {
      // Another request may have created the person since.
      const known = findPerson(value, terms, services);
      if (known !== undefined) return known;
      requireNew(person, newcomers.current);
      const created = newcomers.add({
        ...person,
        ...present({ password: needsPassword(newcomers.current) ? password : undefined }),
      });
      exchange.note({ subjectIsNew: true });
      return created;
    },
  };
}

/** Nothing else of the JWT is about the person at this server, such as roles. */
function describePerson(claims: Claims, value: string, { property }: PersonClaim): NewPerson {
  const { sub, preferred_username: preferred, name, email_verified: verified } = claims;
  const email = property === "email" ? value : claims["email"];
  const local = isText(email) ? email.split("@")[0] : undefined;
  const usernames = [property === "username" ? value : undefined, preferred, local];
  const subject = property === "sub" ? value : `${sub}`;
  return {
    username: usernames.find(isText) ?? subject,
    sub: subject,
    claims: present({
      name: isText(name) ? name : undefined,
      email: isText(email) ? email : undefined,
      // Some issuers write it as text.
      email_verified: isText(email) && verified !== undefined ? `${verified}` === "true" : undefined,
    }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= longestText;
}

async function requireFit(person: NewPerson, services: Services): Promise<void> {
  const { sub } = person;
  // Its length is checked already.
  if (!/^[\x20-\x7e]+$/.test(sub)) {
    throw refusal("jwt_grant_person_unfit", {
      name: "sub",
      expected: "a sub of 1 to 255 printable ASCII characters",
      received: describeValue(sub, 100),
    });
  }
  requireVisible(person);
  // RFC 9068 §5: an API must not take the person for a client.
  if (await findClient(sub, services) !== undefined) {
    throw refusal("jwt_grant_person_unfit", {
      name: "sub",
      expected: "a sub that is not the id of a client",
      received: describeValue(sub, 100),
    });
  }
}

const fits: Readonly<Record<string, (text: string) => boolean>> = {
  username: isFitUsername,
  name: isFitName,
};

/** Only a name may have joiners, because people and servers compare the others. */
function requireVisible({ username, claims: { name, email } }: NewPerson): void {
  const isUnfit = ([key, value]: readonly [string, unknown]) =>
    typeof value === "string" && !(fits[key] ?? isFitText)(value);
  const unfit = Object.entries({ username, name, email }).find(isUnfit);
  if (unfit === undefined) return;
  const [key, value] = unfit;
  throw refusal("jwt_grant_person_unfit", {
    name: key,
    expected: `a value of ${key === "username" ? fitUsername : fitText}`,
    received: describeValue(value, 100),
  });
}

function requireNew(person: NewPerson, people: People): void {
  const { length } = people.all;
  if (length >= mostPeople) {
    throw refusal("jwt_grant_people_full", { most: `${mostPeople}`, received: `${length} people` });
  }
  const name = findTaken(person, people);
  if (name === undefined) return;
  const value = name === "email" ? person.claims.email : person[name];
  throw refusal("jwt_grant_person_taken", { name, received: `${name} ${describeValue(value, 100)}` });
}
