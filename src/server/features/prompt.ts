/** The parameters prompt and max_age: when a person must sign in or consent again (OpenID Connect Core §3.1.2.1). */

import { type CarriedKey, carry, readCarried } from "../oauth/carried.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import type { ClientMember, Feature } from "../oauth/feature.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";

const refusal = refusals({
  prompt_unsupported: {
    error: "invalid_request",
    spec: "Initiating User Registration via OpenID Connect 1.0 §4.1",
    sentence: "The parameter prompt has a value that is not supported",
    expected: "values that the server supports",
    change: "Use none, login, consent or select_account as prompt.",
  },
  prompt_none_with_others: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "prompt=none cannot be combined with another value",
    change: "Send prompt=none alone.",
  },
  max_age_malformed: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "max_age must be a number of seconds",
    change: "Send max_age as a whole number of seconds.",
  },
});

export const refused: RefusalRows = refusal.rows;

const defaultMaxAge: ClientMember<number> = {
  name: "default_max_age",
  schema: { type: "integer", minimum: 0, maximum: 315_360_000 },
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
    throw refusal("prompt_unsupported", { expected: prompts.join(", "), received: unknown });
  }
  if (values.includes("none") && values.length > 1) {
    throw refusal("prompt_none_with_others", { received: text });
  }
  return values;
}

function readMaxAge(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refusal("max_age_malformed", { received: text });
  return Number(text);
}
