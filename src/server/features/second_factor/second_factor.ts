/** The second factor of a person: a code that works once, if the person, the client, the request or the server wants it. */

import { lazy } from "../../../ground/values/lazy.ts";
import { createFormEndpoint } from "../../oauth/authorization/steps.ts";
import type { AccessRequest } from "../../oauth/contracts/authorization_request.ts";
import type { Feature, SecondFactor, Services } from "../../oauth/contracts/feature.ts";
import { memberOf, readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { SignedIn } from "../../oauth/contracts/session.ts";
import { requestedAcrs, requestedClaimsKey } from "../../oauth/people/claims.ts";
import { factorMember, factorOf, requireFactorMember, secondFactorSetting } from "./settings.ts";

const refusal = refusals({ error: "access_denied", spec: "RFC 9470 §4" }, {
  second_factor_missing: {
    sentence: "{username} has no second factor",
    expected: "a person with a second factor",
    change: "Give this person a secondFactor, or sign in as a person who has one.",
  },
  acr_unmet_by_person: {
    error: "unmet_authentication_requirements",
    spec: "OpenID Connect Core Error Code unmet_authentication_requirements 1.0 §1",
    sentence: "The request needs a second factor, and {username} has none",
    expected: "a person with a second factor",
    change: "Give this person a secondFactor, or make the acr voluntary.",
  },
  second_factor_withheld: {
    sentence: "{username} has not proved the second factor that the request needs",
    expected: "the code of the second factor",
    change: "Let the person give the code of the second factor.",
  },
});

export const refused: RefusalRows = refusal.rows;

const importSteps = () => import("./loaded_late.ts");

export function secondFactor(): Feature<"second_factor"> {
  const readCode = lazy(async () => (await importSteps()).readCode);
  return {
    name: "second_factor",
    spec: "RFC 6238, RFC 9470",
    settings: [secondFactorSetting],
    clientMembers: [requireFactorMember],
    personMembers: [factorMember],
    endpoints: [createFormEndpoint("second_factor", paths.secondFactor, readCode)],
    asks: findStep,
    secondFactor: {
      acrValues,
      acrOf: chooseAcr,
      decide,
      findStanding,
      factorOf,
      nextCode: lazy(async () => (await importSteps()).findNextCode),
      describeAuthenticator: lazy(async () => (await importSteps()).describeAuthenticator),
    },
  };
}

const findStep: NonNullable<Feature["asks"]> = ({ request, exchange }, account, services) => {
  if (account === undefined) return undefined;
  const { person } = account;
  const wantedBy = findReason(request, account, services);
  if (wantedBy === undefined) return undefined;
  exchange.note({ more: { ...exchange.facts.more, second_factor: { wantedBy } } });
  return {
    question: "second_factor",
    person,
    describe: async () => (await importSteps()).describePage(person, exchange, services),
  };
};

function acrValues({ settings }: Pick<Services, "settings">): readonly string[] {
  const hasFactors = settings.people.all.some((person) => memberOf(person, factorMember) !== undefined);
  return hasFactors ? settingOf(settings, secondFactorSetting).acrValues : [];
}

function isProven(amr: readonly string[]): boolean {
  return amr.includes("mfa");
}

/** A request without an `acr` learns of the factor, too. */
const chooseAcr: SecondFactor["acrOf"] = (grant, services) => {
  const requested = requestedAcrs(grant);
  const proven = isProven(grant.amr);
  // Most sign-ins end here, because the values of the factor take a look at each person.
  if (requested.length === 0 && !proven) return undefined;
  const ofFactor = acrValues(services);
  if (requested.length === 0) return ofFactor[0];
  return requested.find((value) => proven || !ofFactor.includes(value));
};

const findStanding: SecondFactor["findStanding"] = (person, client, { settings }) =>
  settingOf(settings, secondFactorSetting).always
    ? "policy"
    : factorOf(person)?.always
    ? "person"
    : memberOf(client, requireFactorMember)
    ? "client"
    : undefined;

/** Returns what wants the factor of an account that has not proved it. Throws if the person has none. */
function findReason(
  request: AccessRequest,
  { person, amr }: Pick<SignedIn, "person" | "amr">,
  services: Services,
): string | undefined {
  if (isProven(amr)) return undefined;
  const { username } = person;
  const factor = factorOf(person);
  const standing = findStanding(person, request.client, services);
  if (standing !== undefined && factor === undefined) {
    throw refusal("second_factor_missing", { username, received: username });
  }
  const requested = requestedAcrs(request);
  if (standing !== undefined || requested[0] === undefined) return standing;
  const ofFactor = acrValues(services);
  const { acr, isAcrEssential } = readCarried(request, requestedClaimsKey) ?? {};
  if (factor === undefined && isAcrEssential && requested.every((each) => ofFactor.includes(each))) {
    throw refusal("acr_unmet_by_person", { username, received: requested.join(" ") });
  }
  if (factor === undefined || !ofFactor.includes(requested[0])) return undefined;
  return acr === undefined ? "acr_values" : "claims";
}

const decide: SecondFactor["decide"] = async (decision, { request, exchange }, services) => {
  const { person, account, secondFactor: given } = decision;
  const { username } = person;
  const isAsked = findReason(request, account ?? { person, amr: [] }, services) !== undefined;
  if (given === false && isAsked) throw refusal("second_factor_withheld", { username, received: "no code" });
  if (given === false || given === undefined && !isAsked) return {};
  if (factorOf(person) === undefined) {
    throw refusal("second_factor_missing", { username, received: username });
  }
  return await (await importSteps()).prove(decision, exchange, services);
};
