/** The consent form: a person approves or denies the request of a client (OAuth 2.1 §7.9). */

import type { Answer } from "../../ground/http/message.ts";
import type { Reply } from "../oauth/contracts/authorization_request.ts";
import { answerForm, readSentForm } from "../oauth/authorization/steps.ts";
import { descriptiveMembers } from "../oauth/clients/metadata/descriptive_members.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import type { Params } from "../oauth/contracts/params.ts";
import { paths } from "../oauth/contracts/paths.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { present } from "../../ground/values/present.ts";

const refusal = refusals({
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
  const sent = await readSentForm(exchange, services, ["scope", "line"]);
  requireDecision(sent.form);
  // identify, validate, act, respond
  return await answerForm(sent, readConsent, exchange, services);
}

function readConsent(form: Params): Reply {
  if (form.get("decision") === "change_person") return { changesPerson: true };
  // Without these fields, the page had no such checkbox, and everything is granted.
  const choice = (name: string) => form.get(`${name}_choice`) === undefined ? undefined : form.all(name);
  return { consents: true, chosen: present({ scope: choice("scope"), lines: choice("line") }) };
}

function requireDecision(form: Params): void {
  const decision = form.get("decision") ?? "no decision";
  if (["approve", "deny", "change_person"].includes(decision)) return;
  throw refusal("decision_missing", { received: decision });
}
