/** The second factor of a person: a code that works once, if the person, the client, the request or the server wants it. */

import { isFromThisMachineOrProcess } from "../../../ground/http/request_origin.ts";
import { namesLoopback } from "../../../ground/http/address.ts";
import { present } from "../../../ground/values/present.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { answerForm, readSentForm } from "../../oauth/authorization/steps.ts";
import type { AccessRequest, FeatureStep, Reply } from "../../oauth/contracts/authorization_request.ts";
import { isServedFromLoopback } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { AskedAccount, Feature, SecondFactor, Services } from "../../oauth/contracts/feature.ts";
import { memberOf, readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type Person, summarisePerson } from "../../oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { SignedIn } from "../../oauth/contracts/session.ts";
import { changeSession } from "../../oauth/people/change_session.ts";
import { requestedAcrs, requestedClaimsKey } from "../../oauth/people/claims.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";
import { startSession } from "../../oauth/people/start_session.ts";
import { chooseLanguage } from "../../oauth/requests/choose_language.ts";
import { describeAuthenticator, type FailedFactor, findNextCode, untilNextCode, useCode } from "./codes.ts";
import { stepLength } from "./totp.ts";
import { requireFactorMember, secondFactorSetting } from "./settings.ts";

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

/** RFC 8176 §2. A click stands for the first factor of a person without a password. */
const methods: readonly string[] = ["otp", "mfa"];

export function secondFactor(): Feature<"second_factor"> {
  return {
    name: "second_factor",
    spec: "RFC 6238, RFC 9470",
    settings: [secondFactorSetting],
    clientMembers: [requireFactorMember],
    endpoints: [{
      method: "POST",
      name: "second_factor",
      path: paths.secondFactor,
      refusal: "page",
      handle: answerCode,
    }],
    questions: [
      ({ request, exchange }, account, services) => {
        if (account === undefined || !asks(request, account, services)) return undefined;
        const wantedBy = findReason({ request, person: account.person }, services);
        exchange.note({ more: { ...exchange.facts.more, second_factor: { wantedBy } } });
        return createStep(account.person, undefined, exchange, services);
      },
    ],
    secondFactor: {
      acrValues,
      chooseAcr,
      decide,
      nextCode: findNextCode,
      untilNextCode,
      describeAuthenticator,
    },
  };
}

function acrValues({ settings }: Pick<Services, "settings">): readonly string[] {
  const hasFactors = settings.people.all.some(({ secondFactor }) => secondFactor !== undefined);
  return hasFactors ? settingOf(settings, secondFactorSetting).acrValues : [];
}

function isProven(amr: readonly string[]): boolean {
  return methods.every((method) => amr.includes(method));
}

/** A request without an `acr` learns of the factor, too. */
const chooseAcr: SecondFactor["chooseAcr"] = (requested, amr, services) => {
  const proven = isProven(amr);
  // Most sign-ins end here, because the values of the factor take a look at each person.
  if (requested.length === 0 && !proven) return undefined;
  const ofFactor = acrValues(services);
  if (requested.length === 0) return ofFactor[0];
  return requested.find((value) => proven || !ofFactor.includes(value));
};

/** `policy`: the option `secondFactorPolicy`. The last two: the parameter in which the request names an `acr`. */
type FactorReason = "policy" | "person" | "client" | "claims" | "acr_values";

interface Asked {
  readonly request: AccessRequest;
  readonly person: Person;
}

/** Returns `undefined` if only the request can want the factor. */
function findStandingReason(
  { request, person }: Asked,
  { settings }: Services,
): "policy" | "person" | "client" | undefined {
  if (settingOf(settings, secondFactorSetting).always) return "policy";
  if (person.secondFactor?.always === true) return "person";
  return memberOf(request.client, requireFactorMember) === true ? "client" : undefined;
}

/** The factor is asked for. */
function findReason(about: Asked, services: Services): FactorReason {
  const acr = readCarried(about.request, requestedClaimsKey)?.acr;
  return findStandingReason(about, services) ?? (acr === undefined ? "acr_values" : "claims");
}

function asks(request: AccessRequest, { person, amr }: AskedAccount, services: Services): boolean {
  if (isProven(amr)) return false;
  const { username, secondFactor } = person;
  const isPolicy = findStandingReason({ request, person }, services) !== undefined;
  if (isPolicy && secondFactor === undefined) {
    throw refusal("second_factor_missing", { username, received: username });
  }
  const requested = requestedAcrs(request);
  if (isPolicy || requested[0] === undefined) return isPolicy;
  const ofFactor = acrValues(services);
  if (secondFactor !== undefined) return ofFactor.includes(requested[0]);
  const isEssential = readCarried(request, requestedClaimsKey)?.isAcrEssential === true;
  if (isEssential && requested.every((each) => ofFactor.includes(each))) {
    throw refusal("acr_unmet_by_person", { username, received: requested.join(" ") });
  }
  return false;
}

const decide: SecondFactor["decide"] = async (decision, { request, exchange }, services) => {
  const { person, person: { username }, account, secondFactor: given } = decision;
  const isAsked = asks(request, account ?? { person, amr: [] }, services);
  if (given === false && isAsked) throw refusal("second_factor_withheld", { username, received: "no code" });
  if (given === false || given === undefined && !isAsked) return {};
  if (person.secondFactor === undefined) {
    throw refusal("second_factor_missing", { username, received: username });
  }
  // A test that gives no text needs no code, so that it can log in as often as it wants at one moment.
  const failure = typeof given === "string"
    ? await useCode(given, person, exchange.request.peer, services)
    : undefined;
  if (failure !== undefined) throw failure.refusal;
  return account === undefined ? { methods } : { account: await addMethods(account, services) };
};

/** Adds the methods to a sign-in. */
async function addMethods({ found: _before, ...account }: SignedIn, services: Services): Promise<SignedIn> {
  const { session: { id, sid } } = account;
  const amr = [...new Set([...account.amr, ...methods])];
  await changeSession({ id }, services, ({ value: { accounts }, expiresAt }) => ({
    accounts: accounts.map((each) => each.sid === sid ? { ...each, amr } : each),
    expiresAt,
  }));
  return { ...account, amr };
}

function createStep(
  person: Person,
  failure: FailedFactor | undefined,
  exchange: Exchange,
  services: Services,
): FeatureStep {
  return {
    question: "second_factor",
    person,
    ...present({ failure }),
    async show(form) {
      const shownCode = mayShowCode(person, exchange, services)
        ? await findNextCode(person, services)
        : undefined;
      return await services.pages.secondFactor({
        ...form,
        action: services.settings.basePath + paths.secondFactor,
        person: summarisePerson(person),
        kind: person.secondFactor!.kind,
        ...present({
          problem: failure?.problem,
          shownCode,
          clockAhead: findClockAhead(services),
        }),
      }, chooseLanguage(exchange, services));
    },
  };
}

/** A phone has real time, which no other part of the server reads. One step of difference is accepted. */
function findClockAhead({ now }: Services): number | undefined {
  const ahead = now() - Date.now() / 1000;
  return Math.abs(ahead) > stepLength ? ahead : undefined;
}

/** Whether no other machine can see the page, which then needs no authenticator app to show how the second factor works. */
function mayShowCode(person: Person, { request }: Exchange, { settings }: Services): boolean {
  return person.isDemo === true && settings.isReached === false &&
    [settings.issuer, ...settings.also].every(isServedFromLoopback) &&
    namesLoopback(request.address.host) && isFromThisMachineOrProcess(request);
}

async function answerCode(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const sent = await readSentForm(exchange, services);
  // identify
  const { subject } = sent.pending;
  const person = subject === undefined ? undefined : services.settings.people.findBySubject(subject);
  // validate, act, respond
  return await answerForm(
    sent,
    async (form): Promise<Reply> => {
      // The form is not that of a page about this person.
      if (person?.secondFactor === undefined) return { changesPerson: true };
      const failure = await useCode(form.get("code") ?? "", person, exchange.request.peer, services);
      if (failure === undefined) return await addFactor(person, exchange, services);
      return { asksAgain: createStep(person, failure, exchange, services) };
    },
    exchange,
    services,
  );
}

async function addFactor(person: Person, exchange: Exchange, services: Services): Promise<Reply> {
  const account = (await findAccounts(exchange, services)).find((each) => each.person === person);
  if (account !== undefined) return { proves: await addMethods(account, services) };
  // The person has signed out since the page was shown.
  if (services.settings.automaticPerson === undefined) return { changesPerson: true };
  const { signedIn, setCookie } = await startSession(person, exchange, services, {
    automatic: true,
    methods,
  });
  return { proves: signedIn, setCookie };
}
