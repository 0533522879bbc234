/** Finds the person who answers a request, and what to ask next (OpenID Connect Core §3.1.2.3, §3.1.2.4). */

import type { Asked, Question, Services } from "../../contracts/feature.ts";
import type {
  AccessRequest,
  FailedSignIn,
  FeatureStep,
  Interaction,
  PendingRequest,
} from "../../contracts/authorization_request.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Person } from "../../contracts/people.ts";
import type { SignedIn } from "../../contracts/session.ts";
import { subjectFor } from "../../people/claims.ts";
import type { SignInOptions } from "../../people/start_session.ts";
import { checkConsent, type ConsentCheck } from "./consent.ts";
import { findFeatureStep } from "./pending_request.ts";
import { present } from "../../../../ground/values/present.ts";

const refusal = refusals({
  another_person_signed_in: {
    error: "login_required",
    spec: "OpenID Connect Core §3.1.2.2",
    sentence: "Another person signed in than the request names",
    change: "Sign in as the person whom the request names, or leave the hint out.",
  },
  would_have_to_ask: {
    error: ["login_required", "account_selection_required", "consent_required"],
    spec: "OpenID Connect Core §3.1.2.6",
    sentence: "The server must ask the user, and prompt=none forbids it",
    change: "Send the request without prompt=none, so that the server may ask the person.",
  },
});

export const refused: RefusalRows = refusal.rows;

export type NextStep = SignInStep | ChooseStep | FeatureStep | PersonStep;

export type PageStep = SignInStep | ChooseStep | FeatureStep | PersonStep & { readonly question: "consent" };

interface SignInStep {
  readonly question: "sign_in";
  /** The sign-in page comes even if a person is signed in. */
  readonly mustSignIn?: true;
  readonly failure?: FailedSignIn;
}

interface ChooseStep {
  readonly question: "choose";
  readonly accounts: readonly SignedIn[];
}

export interface PersonStep extends Pick<SignInOptions, "automatic" | "methods"> {
  /** Absent: no question is left, so this person approves the request. */
  readonly question?: "consent";
  readonly person: Person;
  /** Absent: the approval signs the person in. */
  readonly account?: SignedIn;
  /** What an earlier consent means for this request. Absent: the server has not looked yet. */
  readonly check?: ConsentCheck;
  /** The person has agreed, except to these scopes. The server may remember this consent. */
  readonly leftOut?: readonly string[];
  readonly fromAnotherSite?: boolean;
  readonly failure?: { readonly problem: "no_scope_granted"; readonly refusal: OAuthError };
}

export async function findNextStep(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<NextStep> {
  const { request, pending } = interaction;
  const signIn: NextStep = {
    question: "sign_in",
    ...present({ mustSignIn: accounts.length > 0 || undefined }),
  };
  if (pending.mustSignIn) return signIn;
  const before = findFeatureStep(interaction, undefined, services);
  if (before !== undefined) return before;
  const account = await pickAccount(request, pending, accounts, services);
  if (account === undefined) return signIn;
  if (account === "several") return { question: "choose", accounts };
  const asked = listQuestions({ request, pending, account }, services);
  if (asked.includes("sign_in")) return signIn;
  if (asked.includes("choose")) return { question: "choose", accounts };
  const after = findFeatureStep(interaction, account, services);
  if (after !== undefined) return after;
  const { person } = account;
  const check = await checkConsent(person.subject, request, services);
  const mustConsent = asked.includes("consent") || !check.isComplete;
  return { person, account, check, ...present({ question: mustConsent ? "consent" : undefined }) };
}

export function pageOf(step: NextStep): PageStep {
  return step.question === undefined ? { ...step, question: "consent" } : step as PageStep;
}

/** Whether the request lets this account answer without a new sign-in. */
export function mayContinue(
  account: SignedIn,
  { request, pending }: Interaction,
  services: Services,
): boolean {
  const { subject } = account.person;
  return !listQuestions({ request, pending: { ...pending, subject }, account }, services).includes("sign_in");
}

function listQuestions(about: Asked, services: Services): readonly (Question | undefined)[] {
  return [...services.slots.requestParams.values()].map((param) => param.asks?.(about, services));
}

/** Returns `undefined` if the request accepts no signed-in person, and `several` if the person must choose. */
async function pickAccount(
  request: AccessRequest,
  pending: PendingRequest,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<SignedIn | "several" | undefined> {
  const { client, requiredSub, loginHint } = request;
  const chosen = accounts.find(({ person }) => person.subject === pending.subject);
  if (requiredSub !== undefined) {
    if (chosen !== undefined) {
      await requireNamedPerson(chosen.person, request, services);
      return chosen;
    }
    for (const account of accounts) {
      if (await subjectFor(client, account.person.subject, services) === requiredSub) return account;
    }
    return undefined;
  }
  if (chosen !== undefined) return chosen;
  const { people } = services.settings;
  const hinted = loginHint === undefined ? undefined : people.findByHint(loginHint);
  const account = hinted && accounts.find(({ person }) => person === hinted);
  if (account !== undefined) return account;
  // An email has no effect here, because the response would tell whose email it is to another person.
  if (loginHint !== undefined && people.find(loginHint) !== undefined) return undefined;
  return accounts.length > 1 ? "several" : accounts[0];
}

/** Requires that this person is the one that the request names, if it names one (OpenID Connect Core §3.1.2.2). */
export async function requireNamedPerson(
  { subject }: Person,
  { client, requiredSub }: AccessRequest,
  services: Services,
): Promise<void> {
  if (requiredSub === undefined || await subjectFor(client, subject, services) === requiredSub) return;
  throw refusal("another_person_signed_in");
}

/** At all other pages a person proves who they are, which is `login_required`. */
const errorCodes: Partial<Record<Question, "account_selection_required" | "consent_required">> = {
  choose: "account_selection_required",
  consent: "consent_required",
};

/** Refuses a request with prompt=none, which forbids pages, if a page has to ask (OpenID Connect Core §3.1.2.6). */
export function refuseToAsk(question: Question): never {
  throw refusal("would_have_to_ask", { error: errorCodes[question] ?? "login_required", received: question });
}
