/** How a person proves the second factor: the page, the check of its form, and what a test decides. */

import { isFromThisMachineOrProcess } from "../../../ground/http/request_origin.ts";
import { present } from "../../../ground/values/present.ts";
import { isServedFromLoopback } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { Interaction, PageForm, Reply } from "../../oauth/contracts/authorization_request.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { PersonDecision, SecondFactor, Services } from "../../oauth/contracts/feature.ts";
import type { Params } from "../../oauth/contracts/params.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type Person, summarisePerson } from "../../oauth/contracts/people.ts";
import type { SignedIn } from "../../oauth/contracts/session.ts";
import { changeSession } from "../../oauth/people/change_session.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";
import { startSession } from "../../oauth/people/start_session.ts";
import type { SecondFactorProblem, SecondFactorProps } from "../../pages/sign_in/second_factor_props.ts";
import { findNextCode, useCode } from "./codes.ts";
import { factorOf } from "./settings.ts";
import { stepLength } from "./totp.ts";

/** RFC 8176 §2. A click stands for the first factor of a person without a password. */
const methods: readonly string[] = ["otp", "mfa"];

/** Proves what a decision gives. Throws if it is wrong. */
export async function prove(
  { person, account, secondFactor: given }: PersonDecision,
  exchange: Exchange,
  services: Services,
): ReturnType<SecondFactor["decide"]> {
  // A test that gives no text needs no code, so that it can log in as often as it wants at one moment.
  const failure = typeof given === "string"
    ? await useCode(given, person, exchange.request.peer, services)
    : undefined;
  if (failure !== undefined) throw failure.refusal;
  return account === undefined ? { methods } : { account: await addMethods(account, services) };
}

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

/** Returns what the page shows beside its form. */
export async function describePage(
  person: Person,
  exchange: Exchange,
  services: Services,
  problem?: SecondFactorProblem,
): Promise<Omit<SecondFactorProps, keyof PageForm>> {
  const code = mayShowCode(person, exchange, services) ? await findNextCode(person, services) : undefined;
  return {
    action: services.settings.basePath + paths.secondFactor,
    person: summarisePerson(person),
    kind: factorOf(person)!.kind,
    ...present({
      problem,
      shownCode: typeof code === "string" ? code : undefined,
      clockAhead: findClockAhead(services),
    }),
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
    isFromThisMachineOrProcess(request);
}

/** Reads the code of the form. */
export async function readCode(
  form: Params,
  { exchange, pending: { subject } }: Interaction,
  services: Services,
): Promise<Reply> {
  const person = subject === undefined ? undefined : services.settings.people.findBySubject(subject);
  // The form is not that of a page about this person.
  if (person === undefined || factorOf(person) === undefined) return { changesPerson: true };
  const failure = await useCode(form.get("code") ?? "", person, exchange.request.peer, services);
  if (failure === undefined) return await addFactor(person, exchange, services);
  const describe = () => describePage(person, exchange, services, failure.problem);
  return { asksAgain: { question: "second_factor", person, failure, describe } };
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
