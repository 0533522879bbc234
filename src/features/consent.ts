/** The consent form: a person approves or denies the request of a client (OAuth 2.1 §7.9). */

import type { Answer } from "../http/message.ts";
import { approve, signInAndApprove } from "../oauth/authorization/asking/approve.ts";
import { findAutomaticPerson } from "../oauth/authorization/asking/automatic_sign_in.ts";
import { deny, interact, readAnswer } from "../oauth/authorization/asking/interact.ts";
import type { Interaction } from "../oauth/authorization/asking/interaction.ts";
import { narrowRequest } from "../oauth/authorization/asking/narrow_request.ts";
import { findNextStep } from "../oauth/authorization/asking/next_question.ts";
import { askNext, changePerson } from "../oauth/authorization/asking/proceed.ts";
import { createAddress, showConsent } from "../oauth/authorization/asking/question_pages.ts";
import { descriptiveMembers } from "../oauth/clients/descriptive_members.ts";
import { paths } from "../oauth/paths.ts";
import { noteRefusal } from "../oauth/refuse.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Params } from "../oauth/params.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import type { Person } from "../oauth/people/people.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import type { Services } from "../oauth/services.ts";
import { present } from "../present.ts";

const refusal = refusals({
  no_scope_granted: {
    error: "invalid_request",
    sentence: "The form approves the request and grants no scope",
    expected: "at least one scope, or decision=deny",
    change: "Send scope with at least one of the scopes of the page, or decision=deny.",
  },
  decision_missing: {
    error: "invalid_request",
    sentence: "The form does not say what was decided",
    expected: "decision=approve or decision=deny or decision=change_person",
    change: "Send decision=approve or decision=deny with the form.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function consent(): Feature<"consent"> {
  return {
    name: "consent",
    spec: "OAuth 2.1 §7.9",
    clientMembers: descriptiveMembers,
    endpoints: [{
      method: "POST",
      name: "consent",
      path: paths.consent,
      refusal: "page",
      handle: answerConsent,
    }],
  };
}

async function answerConsent(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const { form, pending } = await readAnswer(exchange, services, ["scope"]);
  const decision = requireDecision(form);
  // identify
  return await interact(pending, exchange, services, async (interaction) => {
    // validate
    if (decision === "deny") deny();
    const accounts = await findAccounts(exchange, services);
    if (decision === "change_person") return await changePerson(interaction, accounts, services);
    const step = await findNextStep(interaction.request, pending, accounts, services);
    const account = "account" in step && step.account.person.subject === pending.subject
      ? step.account
      : undefined;
    const person = account?.person ?? findAutomaticPerson(pending, services);
    // The person who saw the form has signed out. Another signed-in person has not been asked yet.
    if (person === undefined) return await askNext(step, interaction, accounts, services);
    const { request, leftOut } = narrowRequest(interaction.request, form);
    if (request.scope.length === 0 && leftOut.length > 0) {
      return await askForScope(interaction, person, services);
    }
    exchange.note({ scope: request.scope });
    // act, respond
    const granted = { ...interaction, request };
    return account === undefined
      ? await signInAndApprove(granted, { person, automatic: true }, services)
      : await approve(granted, account, services, { consented: { leftOut } });
  });
}

/** Shows the page again, because a grant without scope gives no access. The person can deny the request instead. */
async function askForScope(interaction: Interaction, person: Person, services: Services): Promise<Answer> {
  const nothing = refusal("no_scope_granted", { received: "decision=approve without a scope" });
  noteRefusal(nothing, interaction.exchange);
  const address = await createAddress(interaction, services);
  const answer = await showConsent(interaction, person, services, {
    problem: "no_scope_granted",
    ...present({ address }),
  });
  return { ...answer, status: nothing.status };
}

const decisions = ["approve", "deny", "change_person"] as const;

function requireDecision(form: Params): typeof decisions[number] {
  const decision = form.get("decision");
  const known = decisions.find((each) => each === decision);
  if (known !== undefined) return known;
  throw refusal("decision_missing", {
    received: decision ?? "no decision",
  });
}
