/** The parameters prompt and max_age: when a person must sign in or consent again (OpenID Connect Core §3.1.2.1). */

import { carry, memberOf, readCarried, type ValueKey } from "../oauth/contracts/feature_values.ts";
import type { Asked, ClientMember, Feature, Question, Services } from "../oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";

const refusal = refusals({ error: "invalid_request", spec: "OpenID Connect Core §3.1.2.1" }, {
  prompt_unsupported: {
    spec: "Initiating User Registration via OpenID Connect 1.0 §4.1",
    sentence: "The parameter prompt has a value that is not supported",
    expected: "values that the server supports",
    change: "Use none, login, consent or select_account as prompt.",
  },
  prompt_none_with_others: {
    sentence: "prompt=none cannot be combined with another value",
    change: "Send prompt=none alone.",
  },
  max_age_malformed: {
    sentence: "max_age must be a number of seconds",
    change: "Send max_age as a whole number of seconds.",
  },
});

export const refused: RefusalRows = refusal.rows;

const defaultMaxAge: ClientMember<number> = {
  name: "default_max_age",
  schema: { type: "integer", minimum: 0, maximum: 315_360_000 },
};

const maxAgeKey: ValueKey<number> = { name: "max_age" };

function supportedPrompts({ slots }: Pick<Services, "slots">): readonly string[] {
  return ["none", "login", "consent", "select_account", ...slots.signUp?.prompts ?? []];
}

export function prompt(): Feature {
  return {
    name: "prompt",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [
      { name: "prompt", read: readPrompt, asks: askByPrompt },
      {
        name: "max_age",
        read: (text) => ({ carried: carry(maxAgeKey, readMaxAge(text)) }),
        asks: askByMaxAge,
      },
    ],
    carries: [maxAgeKey],
    clientMembers: [defaultMaxAge],
    metadata: { prompt_values_supported: supportedPrompts },
  };
}

function askByPrompt(about: Asked): Question | undefined {
  const { prompt = [] } = about.request;
  if (prompt.includes("login") && !hasJustSignedIn(about)) return "sign_in";
  if (prompt.includes("select_account") && !hasAnswered(about)) return "choose";
  return prompt.includes("consent") ? "consent" : undefined;
}

function askByMaxAge(about: Asked, { now }: Services): Question | undefined {
  const { request, account } = about;
  const maxAge = readCarried(request, maxAgeKey) ?? memberOf(request.client, defaultMaxAge);
  if (maxAge === undefined) return undefined;
  // Zero always requires a new sign-in, even within the second of the last one.
  const isTooOld = maxAge === 0 || now() - account.authTime > maxAge;
  return isTooOld && !hasJustSignedIn(about) ? "sign_in" : undefined;
}

/** Earlier answers count only for the person who gave them. That person may have signed out since. */
function hasAnswered({ pending, account }: Asked): boolean {
  return pending.subject === account.person.subject;
}

function hasJustSignedIn(about: Asked): boolean {
  return about.pending.signedIn === true && hasAnswered(about);
}

function readPrompt(text: string, services: Services): { readonly prompt: readonly string[] } {
  const prompts = supportedPrompts(services);
  const values = text.split(" ").filter((value) => value !== "");
  const expected = prompts.join(", ");
  services.slots.signUp?.checkPrompt(values, { expected, received: text });
  const unknown = values.find((value) => !prompts.includes(value));
  if (unknown !== undefined) throw refusal("prompt_unsupported", { expected, received: unknown });
  if (values.includes("none") && values.length > 1) {
    throw refusal("prompt_none_with_others", { received: text });
  }
  return { prompt: values };
}

function readMaxAge(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refusal("max_age_malformed", { received: text });
  return Number(text);
}
