/** Finds the person who answers a request, and the next question to ask (OpenID Connect Core §3.1.2.3, §3.1.2.4). */

import type { Asked, Question } from "../../feature.ts";
import type { Person } from "../../people/people.ts";
import type { SignedIn } from "../../people/session.ts";
import { subjectFor } from "../../people/subject.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import type { AccessRequest } from "./access_request.ts";
import { checkConsent, type ConsentCheck } from "./consent_record.ts";
import type { PendingRequest } from "./pending_request.ts";

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

export type NextStep =
  | { readonly question: "sign_in" | "choose" }
  | { readonly question: "consent" | undefined; readonly account: SignedIn; readonly consent: ConsentCheck };

/** Returns the next question. An undefined question means that the account can approve the request without a page. */
export async function findNextStep(
  request: AccessRequest,
  pending: PendingRequest,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<NextStep> {
  if (pending.mustSignIn) return { question: "sign_in" };
  const account = await pickAccount(request, pending, accounts, services);
  if (account === undefined || account === "several") {
    return { question: account === undefined ? "sign_in" : "choose" };
  }
  const asked = listQuestions({ request, pending, account }, services);
  if (asked.includes("sign_in")) return { question: "sign_in" };
  if (asked.includes("choose")) return { question: "choose" };
  const consent = await checkConsent(account.person.subject, request, services);
  const mustConsent = asked.includes("consent") || !consent.isComplete;
  return { question: mustConsent ? "consent" : undefined, account, consent };
}

/** Returns the questions that the request itself requires for a signed-in person, for example by prompt or max_age. */
export function listQuestions(
  about: Asked,
  { slots, now }: Services,
): readonly (Question | undefined)[] {
  return slots.asksUser.map((asksUser) => asksUser({ ...about, now: now() }));
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

const errorCodes = {
  sign_in: "login_required",
  choose: "account_selection_required",
  consent: "consent_required",
} as const;

/** Refuses a request with prompt=none, which forbids pages, if a page has to ask (OpenID Connect Core §3.1.2.6). */
export function refuseToAsk(question: Question): never {
  throw refusal("would_have_to_ask", { error: errorCodes[question], received: question });
}
