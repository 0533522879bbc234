/** Reads what the configuration says about the second factor: of the server, a client and a person. */

import type { ClientMember, PersonMember } from "../../oauth/contracts/feature.ts";
import { memberOf, type Setting } from "../../oauth/contracts/feature_values.ts";
import type { Person } from "../../oauth/contracts/people.ts";
import { refuseOption, requireEach } from "../../oauth/options/set_up_mistake.ts";
import { describeReceived } from "../../../ground/schema/received.ts";
import { otherNames, type Schema, text } from "../../../ground/schema/schema.ts";
import type { PersonFactor, SecondFactorConfiguration, SecondFactorPersonMembers } from "./options.ts";
import { leastOctets, readBase32 } from "./totp.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

const usualAcrValues = ["mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor"];

export const secondFactorSetting: Setting<SecondFactorConfiguration, Required<SecondFactorConfiguration>> = {
  name: "secondFactorPolicy",
  schema: closedObject({
    acrValues: { type: "array", minItems: 1, items: { type: "string" }, examples: [["urn:example:gold"]] },
    always: { type: "boolean" },
  }),
  read({ acrValues, always = false } = {}, { people, acrValues: ofEachSignIn }) {
    requireEach("secondFactorPolicy.acrValues", acrValues ?? [], (each) => {
      if (!/^[\x21-\x7e]+$/.test(each)) return "must be printable ASCII without a space";
      return ofEachSignIn.includes(each)
        ? "must not be one of acrValues, which each sign-in satisfies"
        : undefined;
    }, describeReceived);
    for (const [index, person] of people.all.entries()) {
      const problem = findSecretProblem(factorOf(person)?.secret);
      if (problem !== undefined) refuseOption(`people[${index}].secondFactor.secret`, problem);
    }
    return { acrValues: acrValues ?? usualAcrValues.filter((each) => !ofEachSignIn.includes(each)), always };
  },
};

export const requireFactorMember: ClientMember<boolean> = {
  name: "require_second_factor",
  schema: { type: "boolean" },
};

const kind: Schema = { type: "string", enum: ["totp", "code"] };

export const factorMember: PersonMember<SecondFactorPersonMembers["secondFactor"]> = {
  name: "secondFactor",
  schema: {
    [otherNames]: ["mfa", "otp", "totp", "two_factor"],
    anyOf: [kind, closedObject({ kind, secret: text, always: { type: "boolean" } }, { required: ["kind"] })],
    examples: ["totp", { kind: "totp", secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }],
  },
};

export function factorOf(person: Person): PersonFactor | undefined {
  const given = memberOf(person, factorMember);
  return typeof given === "string" ? { kind: given } : given;
}

/** Does not repeat the secret. */
function findSecretProblem(secret: string | undefined): string | undefined {
  if (secret === undefined) return undefined;
  const octets = readBase32(secret);
  if (octets === undefined) {
    return "must be base32: the letters A to Z and the digits 2 to 7. `otpauth:` links have it as `secret`";
  }
  if (octets.length >= leastOctets) return undefined;
  return `must have at least ${leastOctets} octets, which are 26 characters, and has ${octets.length}. Leave it out: the server makes one`;
}
