/** The consent form: a person approves or denies the request of a client (OAuth 2.1 §7.9). */

import type { Answer } from "../http/message.ts";
import { approve, signInAndApprove } from "../oauth/authorization/approve.ts";
import { findAutomaticPerson } from "../oauth/authorization/automatic_sign_in.ts";
import { deny, interact, readAnswer } from "../oauth/authorization/interact.ts";
import { findNextStep } from "../oauth/authorization/next_question.ts";
import { askNext, changePerson } from "../oauth/authorization/proceed.ts";
import { descriptiveMembers } from "../oauth/clients/descriptive_members.ts";
import { paths } from "../oauth/endpoints/paths.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Params } from "../oauth/params.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import type { Services } from "../oauth/services.ts";

export type ConsentReason = "decision_missing";

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
  const { form, pending } = await readAnswer(exchange, services);
  const decision = requireDecision(form);
  // identify
  return await interact(pending, exchange, services, async (interaction) => {
    // validate
    if (decision === "deny") deny();
    const { request } = interaction;
    const accounts = await findAccounts(exchange, services);
    if (decision === "change_person") return await changePerson(interaction, accounts, services);
    const step = await findNextStep(request, pending, accounts, services);
    if (!("account" in step) || step.account.person.subject !== pending.subject) {
      const person = findAutomaticPerson(pending, services);
      if (person !== undefined) {
        return await signInAndApprove(interaction, { person, automatic: true }, services);
      }
      // The person who saw the form has signed out. Another signed-in person has not been asked yet.
      return await askNext(step, interaction, accounts, services);
    }
    // act, respond
    return await approve(interaction, step.account, services, { consented: true });
  });
}

const decisions = ["approve", "deny", "change_person"] as const;

function requireDecision(form: Params): typeof decisions[number] {
  const decision = form.get("decision");
  const known = decisions.find((each) => each === decision);
  if (known !== undefined) return known;
  return fail<ConsentReason>("invalid_request", "The form does not say what was decided", {
    reason: "decision_missing",
    expected: `decision=${decisions.join(" or decision=")}`,
    received: decision ?? "no decision",
  });
}
