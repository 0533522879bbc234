/** The consent form: yes or no to what a client asks for (OAuth 2.1 §7.9). */

import { approve } from "../oauth/approve.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { askPerson, deny, interact, readAnswer } from "../oauth/interaction.ts";
import type { Params } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import type { Services } from "../oauth/services.ts";
import { findSignedIn } from "../oauth/session.ts";

export type ConsentReason = "decision_missing";

export function consent(): Feature {
  return {
    name: "consent",
    spec: "OAuth 2.1 §7.9",
    endpoints: [{ method: "POST", path: paths.consent, refusal: "page", handle: answerConsent }],
  };
}

async function answerConsent(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const { form, pending } = await readAnswer(exchange, services);
  const decision = requireDecision(form);
  // identify
  return await interact(pending, exchange, services, async (interaction) => {
    // validate
    if (decision === "deny") deny();
    if (decision === "change_person") return await askPerson(interaction, undefined, services);
    const signedIn = await findSignedIn(exchange, services);
    // Signed out, or somebody else by now: whoever is here has not been asked yet.
    if (signedIn === undefined || signedIn.person.subject !== pending.subject) {
      return await askPerson(interaction, signedIn, services);
    }
    // act, respond
    return await approve(interaction, signedIn, services);
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
