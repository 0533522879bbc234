/** The sign-in form: a person signs in with one click or a password, or denies the request. */

import { checkPassword } from "../../ground/crypto/password.ts";
import type { FailedSignIn, Interaction, Reply } from "../oauth/contracts/authorization_request.ts";
import { createFormEndpoint } from "../oauth/authorization/steps.ts";
import { type OAuthError, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Params } from "../oauth/contracts/params.ts";
import { enabledAccount, type Person } from "../oauth/contracts/people.ts";
import { countAttempt, forgetAttempts, mustWait } from "../oauth/secrets/throttle.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import { paths } from "../oauth/contracts/paths.ts";

// In seconds. By then, the attempts that wait now have finished.
const busyTime = 3;

const refusal = refusals({ error: "access_denied" }, {
  too_many_attempts: {
    error: "temporarily_unavailable",
    status: 429,
    // The section about attacks that guess credentials.
    spec: "RFC 6749 §10.10",
    sentence: "Too many attempts to sign in as {who}",
    expected: "no attempt for another {seconds} s: until then the right password is refused, too",
    change: "Wait some seconds without an attempt, and then type the right password.",
  },
  too_many_from_one_address: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 6749 §10.10",
    sentence: "Too many failed attempts from one address",
    expected: "no attempt for another {seconds} s: until then the right password is refused, too",
    change: "Wait some seconds without an attempt, and then type the right password.",
  },
  person_disabled: {
    spec: "OAuth 2.1 §3.1",
    sentence: "The account of {username} is disabled",
    expected: "a person whose account is not disabled",
    change: "Sign in as another person, or enable this one.",
  },
  too_many_at_once: {
    error: "temporarily_unavailable",
    sentence: "Too many people sign in at this moment",
    expected: `the same attempt again, in ${busyTime} s`,
    change: "Try again in a few seconds.",
  },
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
  unknown_username: {
    reason: "unknown_person",
    spec: "OAuth 2.1 §3.1",
    sentence: "No person has the username that was typed",
    expected: "the username of a configured person",
    change: "Sign in as a configured person, or add this one to the people.",
  },
  password_not_set: {
    spec: "OAuth 2.1 §3.1",
    sentence: "{username} has no password",
    expected: "one click",
    change: "Sign in with one click, or configure a password for this person.",
  },
  wrong_password: {
    spec: "OAuth 2.1 §3.1",
    sentence: "That is not the password of {username}",
    expected: "the password of {username}",
    change: "Type the password that is configured for this person.",
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

type Attempt = { readonly signsIn: Person } | { readonly fails: FailedSignIn };

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
  // If no person has a password, every guess is wrong, so nothing is hashed or counted.
  if (!people.usesPasswords) return { fails: wrongPassword(typed, services) };
  return await tryInTurn(typed, exchange.request.peer, services);
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

interface Typed {
  readonly username: string;
  readonly password: string;
}

/** Counts failures of the peer, and limits how many passwords are checked at the same time. */
async function tryInTurn(typed: Typed, peer: string | undefined, services: Services): Promise<Attempt> {
  const { username } = typed;
  const { hashing, peerFailures } = services.people.signInLimits;
  const secondsToWait = peerFailures.count(peer);
  if (secondsToWait > 0) {
    const flood = mustWait(secondsToWait, (wait) => refusal("too_many_from_one_address", wait));
    return { fails: { ...flood, username } };
  }
  let failed = false;
  try {
    const attempt = await hashing.take(() => tryPassword(typed, peer, services)) ?? tooManyAtOnce(username);
    failed = "fails" in attempt && attempt.fails.problem.kind !== "busy";
    return attempt;
  } finally {
    if (!failed) peerFailures.takeBack(peer);
  }
}

async function tryPassword(typed: Typed, peer: string | undefined, services: Services): Promise<Attempt> {
  const { username, password } = typed;
  // Counts attempts of this peer only, so that guesses from another address do not lock the person out.
  const who = { purpose: "password", account: username, peer };
  const person = services.settings.people.find(username);
  // Counts the attempt before the password is checked, so that simultaneous guesses cannot exceed the limit.
  const secondsToWait = await countAttempt(who, services);
  if (secondsToWait > 0) {
    const name = person?.username ?? "an unknown username";
    const guessing = mustWait(secondsToWait, (wait) => refusal("too_many_attempts", { who: name, ...wait }));
    return { fails: { ...guessing, username } };
  }
  if (!await checkPassword(password, person?.password)) return { fails: wrongPassword(typed, services) };
  await forgetAttempts(who, services);
  return admit(person!);
}

/** Lets a person in who has clicked their name or typed their password, unless the account is disabled. */
function admit(person: Person): Attempt {
  const { username } = person;
  if (!person.isDisabled) return { signsIn: person };
  const disabled = refusal("person_disabled", { username, expected: enabledAccount, received: username });
  return { fails: { problem: { kind: "disabled" }, username, refusal: disabled } };
}

function wrongPassword(typed: Typed, { settings }: Services): FailedSignIn {
  const { username } = typed;
  const person = settings.people.find(username);
  // If the front page hides the people, this page must not say which usernames exist.
  const kind = settings.frontPage === "full" ? findMistake(person) : "wrong_password";
  return { problem: { kind }, username, refusal: passwordRefusal(person, typed) };
}

function findMistake(person: Person | undefined): "unknown_person" | "password_not_set" | "wrong_password" {
  if (person === undefined) return "unknown_person";
  return person.password === undefined ? "password_not_set" : "wrong_password";
}

function tooManyAtOnce(username: string): Attempt {
  const busy = mustWait(busyTime, (wait) => refusal("too_many_at_once", wait), "busy");
  return { fails: { ...busy, username } };
}

/** Does not repeat an unknown username, because it may be a password in the wrong field. */
function passwordRefusal(person: Person | undefined, { username, password }: Typed): OAuthError {
  if (person === undefined) {
    return refusal("unknown_username", {
      received: username === "" ? "no username" : "another username, not shown because it may be a password",
    });
  }
  if (person.password === undefined) {
    return refusal("password_not_set", { username: person.username, received: "a username and a password" });
  }
  return refusal("wrong_password", {
    username: person.username,
    received: password === "" ? "no password" : "another password",
  });
}
