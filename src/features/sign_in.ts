/** The sign-in form: pick a person, or prove to be one, or say no. */

import { checkPassword } from "../crypto/password.ts";
import { type Answer, withCookie } from "../http/message.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { deny, interact, proceed, readAnswer, showSignIn } from "../oauth/interaction.ts";
import type { SignInProps } from "../oauth/pages.ts";
import type { Params } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import type { Person } from "../oauth/people.ts";
import type { Services } from "../oauth/services.ts";
import { startSession } from "../oauth/session.ts";
import { countAttempt, forgetAttempts } from "../oauth/throttle.ts";

export function signIn(): Feature {
  return {
    name: "sign_in",
    spec: "OAuth 2.1 §3.1",
    endpoints: [{ method: "POST", path: paths.signIn, refusal: "page", handle: answerSignIn }],
  };
}

async function answerSignIn(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const { form, pending } = await readAnswer(exchange, services);
  // identify
  return await interact(pending, exchange, services, async (interaction) => {
    // validate
    if (form.get("decision") === "deny") deny();
    const attempt = await checkSignIn(form, exchange, services);
    if ("problem" in attempt) return await showSignIn(interaction, services, attempt);
    // act
    const { signedIn, setCookie } = await startSession(attempt.person, exchange, services);
    // respond
    const answered = { ...pending, subject: signedIn.person.subject, signedIn: true } as const;
    const answer = await proceed({ ...interaction, pending: answered }, [signedIn], services);
    return withCookie(answer, setCookie);
  });
}

type Attempt =
  | { readonly person: Person }
  | { readonly problem: NonNullable<SignInProps["problem"]>; readonly username?: string };

async function checkSignIn(form: Params, exchange: Exchange, services: Services): Promise<Attempt> {
  const { people } = services.settings;
  const picked = form.get("person");
  if (picked !== undefined) {
    const person = people.find(picked);
    // Whoever has a password is not signed in by a click, however the form was made.
    return person === undefined || person.password !== undefined ? { problem: "unknown_person" } : { person };
  }
  const username = form.get("username") ?? "";
  const who = { purpose: "password", account: username, peer: exchange.request.peer };
  // Counted before the password is looked at: of many guesses at once only as many are looked at as may be.
  if (!await countAttempt(who, services)) return { problem: "too_many_attempts", username };
  const person = people.find(username);
  if (!await checkPassword(form.get("password") ?? "", person?.password)) {
    return { problem: "wrong_password", username };
  }
  await forgetAttempts(who, services);
  return { person: person! };
}
