/** The option and the client member of the second factor. */

import type { ClientMember } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { refuseOption, requireEach } from "../../oauth/options/set_up_mistake.ts";
import { describeReceived } from "../../../ground/schema/received.ts";
import { leastOctets, readBase32 } from "./totp.ts";

/** The option of the second factor. */
export interface SecondFactorOptions {
  /** When the server asks for a second factor, and what it is called. A person has it by `secondFactor` of `people`. */
  readonly secondFactorPolicy?: SecondFactorConfiguration;
}

/** What the server does about second factors. */
export interface SecondFactorConfiguration {
  /**
   * The values of `acr` that only a sign-in with the second factor satisfies. Default: `mfa`, and
   * `http://schemas.openid.net/pape/policies/2007/06/multi-factor`.
   */
  readonly acrValues?: readonly string[];
  /** `true`: each sign-in of each person needs the factor. Default: if the person, the client or the request asks for it. */
  readonly always?: boolean;
}

/** What a client can say about the second factor. */
export interface SecondFactorClientMembers {
  /** `true`: each sign-in at this client needs the second factor. Default: if its request asks for it. */
  readonly require_second_factor?: boolean;
}

export interface SecondFactorSettings {
  readonly acrValues: readonly string[];
  readonly always: boolean;
}

const usualAcrValues = ["mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor"];

export const secondFactorSetting: Setting<SecondFactorConfiguration, SecondFactorSettings> = {
  name: "secondFactorPolicy",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      acrValues: { type: "array", minItems: 1, items: { type: "string" }, examples: [["urn:example:gold"]] },
      always: { type: "boolean" },
    },
  },
  read({ acrValues, always = false } = {}, { people, acrValues: ofEachSignIn }) {
    requireEach("secondFactorPolicy.acrValues", acrValues ?? [], (each) => {
      if (!/^[\x21-\x7e]+$/.test(each)) return "must be printable ASCII without a space";
      return ofEachSignIn.includes(each)
        ? "must not be one of acrValues, which each sign-in satisfies"
        : undefined;
    }, describeReceived);
    for (const [index, { secondFactor }] of people.all.entries()) {
      requireSecret(`people[${index}].secondFactor.secret`, secondFactor?.secret);
    }
    return { acrValues: acrValues ?? usualAcrValues.filter((each) => !ofEachSignIn.includes(each)), always };
  },
};

export const requireFactorMember: ClientMember<boolean> = {
  name: "require_second_factor",
  schema: { type: "boolean" },
};

/** Does not repeat the secret. */
function requireSecret(place: string, secret: string | undefined): void {
  if (secret === undefined) return;
  const octets = readBase32(secret);
  if (octets === undefined) {
    refuseOption(
      place,
      "must be base32: the letters A to Z and the digits 2 to 7. `otpauth:` links have it as `secret`",
    );
  }
  if (octets.length >= leastOctets) return;
  refuseOption(
    place,
    `must have at least ${leastOctets} octets, which are 26 characters, and has ${octets.length}. Leave it out: the server makes one`,
  );
}
