/** The second factor of a person: a code that works once, if the person, the client, the request or the server wants it. */

import { isFromThisMachineOrProcess } from "../../../ground/http/request_origin.ts";
import { namesLoopback } from "../../../ground/http/address.ts";
import { present } from "../../../ground/values/present.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { answerForm, readSentForm } from "../../oauth/authorization/steps.ts";
import type { Reply } from "../../oauth/contracts/authorization_request.ts";
import { isServedFromLoopback } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { AskedFactor, Feature, SecondFactor, Services } from "../../oauth/contracts/feature.ts";
import { memberOf, readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type Person, summarisePerson } from "../../oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { requestedAcrs, requestedClaimsKey } from "../../oauth/people/claims.ts";
import { chooseLanguage } from "../../oauth/requests/choose_language.ts";
import { describeAuthenticator, findNextCode, untilNextCode, useCode } from "./codes.ts";
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
    secondFactor: {
      acrValues,
      isProven,
      asks,
      decide,
      nextCode: findNextCode,
      untilNextCode,
      describeAuthenticator,
      show,
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

function asks({ request, person, amr }: AskedFactor, services: Services): boolean {
  if (isProven(amr)) return false;
  const { username, secondFactor } = person;
  const { always } = settingOf(services.settings, secondFactorSetting);
  const isPolicy = always || secondFactor?.always === true ||
    memberOf(request.client, requireFactorMember) === true;
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

const decide: SecondFactor["decide"] = async (given, about, { request: { peer } }, services) => {
  const { person, person: { username } } = about;
  const isAsked = asks(about, services);
  if (given === false && isAsked) throw refusal("second_factor_withheld", { username, received: "no code" });
  if (given === false || given === undefined && !isAsked) return undefined;
  if (person.secondFactor === undefined) {
    throw refusal("second_factor_missing", { username, received: username });
  }
  // A test that gives no text needs no code, so that it can log in as often as it wants at one moment.
  const failure = typeof given === "string" ? await useCode(given, person, peer, services) : undefined;
  if (failure !== undefined) throw failure.refusal;
  return methods;
};

const show: SecondFactor["show"] = async (form, { person, failure }, exchange, services) => {
  const shownCode = mayShowCode(person, exchange, services)
    ? await findNextCode(person, services)
    : undefined;
  return await services.pages.secondFactor({
    ...form,
    action: services.settings.basePath + paths.secondFactor,
    person: summarisePerson(person),
    kind: person.secondFactor!.kind,
    ...present({ problem: failure?.problem, shownCode, isClockTurned: isClockTurned(services) || undefined }),
  }, chooseLanguage(exchange, services));
};

/** A phone has real time, which no other part of the server reads. One step of difference is accepted. */
function isClockTurned({ now }: Services): boolean {
  return Math.abs(now() - Date.now() / 1000) > stepLength;
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
      if (failure === undefined) return { proves: person, methods };
      return { asksAgain: { question: "second_factor", person, failure } };
    },
    exchange,
    services,
  );
}
