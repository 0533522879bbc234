/** The sign-in form: a person signs in with one click or a password, or denies the request. */

import type { FailedSignIn, Interaction, Reply } from "../oauth/contracts/authorization_request.ts";
import { createFormEndpoint } from "../oauth/authorization/steps.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Params } from "../oauth/contracts/params.ts";
import type { Person } from "../oauth/contracts/people.ts";
import { admit, type Attempt, tryTypedPassword } from "../oauth/people/try_password.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import { paths } from "../oauth/contracts/paths.ts";

const refusal = refusals({ error: "access_denied" }, {
  unknown_person: {
    spec: "OAuth 2.1 §3.1",
    sentence: "No person has the username that was chosen",
    expected: "the username of a person who signs in with one click",
    change: "Sign in as a configured person, or add this one to the people.",
  },
  password_needed: {
    spec: "OAuth 2.1 §3.1",
    sentence: "{username} has a password: one click is not enough",
    expected: "the password of {username}",
    change: "Type the password of this person.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function signIn(): Feature<"sign_in"> {
  return {
    name: "sign_in",
    spec: "OAuth 2.1 §3.1",
    endpoints: [createFormEndpoint("sign_in", paths.signIn, readReply)],
  };
}

async function readReply(form: Params, { exchange }: Interaction, services: Services): Promise<Reply> {
  const attempt = await checkSignIn(form, exchange, services);
  return "signsIn" in attempt ? attempt : { asksAgain: { question: "sign_in", failure: attempt.fails } };
}

async function checkSignIn(form: Params, exchange: Exchange, services: Services): Promise<Attempt> {
  const { people } = services.settings;
  const pickedUsername = form.get("person");
  if (pickedUsername !== undefined) {
    // On a page with many people, a person can also type an email address.
    const person = people.find(pickedUsername) ?? people.findByHint(pickedUsername);
    // One click never signs in a person with a password, even if the form was changed.
    if (person !== undefined && person.password === undefined) return admit(person);
    return { fails: clickRefusal(person, services) };
  }
  const typed = { username: form.get("username") ?? "", password: form.get("password") ?? "" };
  return await tryTypedPassword(typed, exchange.request.peer, services);
}

function clickRefusal(person: Person | undefined, { settings }: Services): FailedSignIn {
  if (person === undefined) {
    return { problem: { kind: "unknown_person" }, refusal: refusal("unknown_person") };
  }
  const { username } = person;
  const needed = refusal("password_needed", { username, received: "one click" });
  // If the front page hides the people, this page must not say which usernames exist.
  return settings.frontPage === "full"
    ? { problem: { kind: "password_needed" }, username, refusal: needed }
    : { problem: { kind: "unknown_person" }, refusal: needed };
}
