/** The parameters prompt and max_age: when a person must sign in or consent again (OpenID Connect Core §3.1.2.1). */

import { type CarriedKey, carry, readCarried } from "../oauth/carried.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { fail } from "../oauth/error.ts";
import type { ClientMember, Feature } from "../oauth/feature.ts";

export type PromptReason = "prompt_none_with_others" | "prompt_unsupported" | "max_age_malformed";

const defaultMaxAge: ClientMember<number> = {
  name: "default_max_age",
  schema: {
    type: "integer",
    minimum: 0,
    maximum: 315_360_000,
    description: "Seconds after which people sign in again.",
  },
};

const maxAgeKey: CarriedKey<number> = { name: "max_age" };

const prompts: readonly string[] = ["none", "login", "consent", "select_account"];

export function prompt(): Feature {
  return {
    name: "prompt",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [
      { name: "prompt", read: (text) => ({ prompt: readPrompt(text) }) },
      { name: "max_age", read: (text) => ({ carried: carry(maxAgeKey, readMaxAge(text)) }) },
    ],
    carries: [maxAgeKey],
    clientMembers: [defaultMaxAge],
    asksUser({ request, pending, account, now }) {
      const { prompt = [], client } = request;
      const maxAge = readCarried(request, maxAgeKey) ?? memberOf(client, defaultMaxAge);
      // Zero always requires a new sign-in, even within the second of the last one.
      const isTooOld = maxAge !== undefined && (maxAge === 0 || now - account.authTime > maxAge);
      // Earlier answers count only for the person who gave them. That person may have signed out since.
      const isSamePerson = pending.subject === account.person.subject;
      if (!(isSamePerson && pending.signedIn) && (prompt.includes("login") || isTooOld)) return "sign_in";
      if (prompt.includes("select_account") && !isSamePerson) return "choose";
      return prompt.includes("consent") ? "consent" : undefined;
    },
    metadata: { prompt_values_supported: prompts },
  };
}

function readPrompt(text: string): readonly string[] {
  const values = text.split(" ").filter((value) => value !== "");
  const unknown = values.find((value) => !prompts.includes(value));
  if (unknown !== undefined) {
    fail<PromptReason>("invalid_request", "The parameter prompt has a value that is not supported", {
      reason: "prompt_unsupported",
      spec: "Initiating User Registration via OpenID Connect 1.0 §4.1",
      expected: prompts.join(", "),
      received: unknown,
    });
  }
  if (values.includes("none") && values.length > 1) {
    fail<PromptReason>("invalid_request", "prompt=none cannot be combined with another value", {
      reason: "prompt_none_with_others",
      spec: "OpenID Connect Core §3.1.2.1",
      received: text,
    });
  }
  return values;
}

function readMaxAge(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    fail<PromptReason>("invalid_request", "max_age must be a number of seconds", {
      reason: "max_age_malformed",
      spec: "OpenID Connect Core §3.1.2.1",
      received: text,
    });
  }
  return Number(text);
}
