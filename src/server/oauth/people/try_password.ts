/** Checks the username and the password of a person, with limits against guessing. */

import { checkPassword } from "../../../ground/crypto/password.ts";
import type { FailedSignIn } from "../contracts/authorization_request.ts";
import { type OAuthError, type RefusalRows, refusals } from "../contracts/refusals.ts";
import { enabledAccount, type Person } from "../contracts/people.ts";
import { countAttempt, forgetAttempts, mustWait } from "../secrets/throttle.ts";
import type { Services } from "../contracts/feature.ts";

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

export type Attempt = { readonly signsIn: Person } | { readonly fails: FailedSignIn };

export interface Typed {
  readonly username: string;
  readonly password: string;
}

/** Returns the person, if the password is the right one. */
export async function tryTypedPassword(
  typed: Typed,
  peer: string | undefined,
  services: Services,
): Promise<Attempt> {
  // If no person has a password, every guess is wrong, so nothing is hashed or counted.
  if (!services.settings.people.usesPasswords) return { fails: wrongPassword(typed, services) };
  return await tryInTurn(typed, peer, services);
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
export function admit(person: Person): Attempt {
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
