/** The page of the sign-up, the check of its form, and the new person. */

import { hashPassword } from "../../../ground/crypto/password.ts";
import { isFitName, isFitText, isFitUsername } from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import type { Failed, Interaction, PageForm, Reply } from "../../oauth/contracts/authorization_request.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import type { Params } from "../../oauth/contracts/params.ts";
import type { NewPerson, People, Person } from "../../oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { findTaken, mostPeople, needsPassword } from "../../oauth/people/new_person.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import { countAttempt, forgetAttempts, mustWait } from "../../oauth/secrets/throttle.ts";
import type { SignUpFields, SignUpProblem, SignUpProps } from "../../pages/sign_in/sign_up_props.ts";

// In seconds. By then, the passwords that wait now have been hashed.
const busyTime = 3;

/** In characters, for each password (NIST SP 800-63B §5.1.1.1). */
const shortestPassword = 8;

const spec = "Initiating User Registration via OpenID Connect 1.0 §4.1";

const refusal = refusals({ error: "access_denied", spec }, {
  sign_up_fields_unfit: {
    sentence: "A person cannot have what the form says",
    expected: "a username, and where they are given, a visible name, an email and a long enough password",
    change: "Correct the fields that the page marks.",
  },
  sign_up_taken: {
    sentence: "Another person has this {name}",
    expected: "a {name} that no other person has",
    change: "Choose another one, or sign in.",
  },
  sign_up_people_full: {
    error: "temporarily_unavailable",
    sentence: "The person cannot be created, because this server has too many people",
    expected: "less than {most} people",
    change: "Remove people, or start the server again with fewer.",
  },
  sign_up_too_many: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 6749 §10.10",
    sentence: "Too many attempts to make an account from one address",
    expected: "no attempt for another {seconds} s",
    change: "Wait some seconds without an attempt, and then try another username.",
  },
  sign_up_busy: {
    error: "temporarily_unavailable",
    sentence: "Too many passwords are checked at this moment",
    expected: `the same attempt again, in ${busyTime} s`,
    change: "Try again in a few seconds.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns what the page shows beside its form. */
export function describePage(
  fields: SignUpFields,
  { settings, people }: Services,
  problem?: SignUpProblem,
): Omit<SignUpProps, keyof PageForm> {
  return {
    action: settings.basePath + paths.signUp,
    needsPassword: needsPassword(people.newcomers!().current),
    shortestPassword,
    fields,
    ...present({ problem }),
  };
}

/** Reads the fields of the form, and makes the person. */
export async function readSignUp(
  form: Params,
  { exchange, request }: Interaction,
  services: Services,
): Promise<Reply> {
  // The person has an account, or the form is not that of a page of the sign-up.
  if (form.get("decision") === "sign_in" || !request.prompt?.includes("create")) {
    return { changesPerson: true };
  }
  const fields = readFields(form);
  const made = await makePerson(fields, form.get("password") ?? "", exchange, services);
  if (!("problem" in made)) return { signsIn: made };
  const describe = () => Promise.resolve(describePage(fields, services, made.problem));
  return { asksAgain: { question: "sign_up", failure: made, describe } };
}

async function makePerson(
  fields: SignUpFields,
  password: string,
  exchange: Exchange,
  services: Services,
): Promise<Person | Failed<SignUpProblem>> {
  const newcomers = services.people.newcomers!();
  const mistakes = findMistakes(fields, password, needsPassword(newcomers.current));
  if (Object.keys(mistakes).length > 0) {
    const received = Object.entries(mistakes).map(([name, kind]) => `${name}: ${kind}`).join(", ");
    return {
      problem: { kind: "fields", fields: mistakes },
      refusal: refusal("sign_up_fields_unfit", { received }),
    };
  }
  // A name that is taken says that the person exists, so this slows down a search for people.
  const who = { purpose: "sign up", account: "", peer: exchange.request.peer };
  const secondsToWait = await countAttempt(who, services);
  if (secondsToWait > 0) return mustWait(secondsToWait, (wait) => refusal("sign_up_too_many", wait));
  const { hashing } = services.people.signInLimits;
  const hash = password && await hashing.take(() => hashPassword(password, services.random));
  if (hash === undefined) return mustWait(busyTime, (wait) => refusal("sign_up_busy", wait), "busy");
  const { username = "", name, email } = fields;
  const person = {
    username,
    // Not the username: the tokens of an earlier person of this name must not become those of this one.
    sub: createId(services.random),
    ...present({ password: hash || undefined }),
    claims: present({ name, email, email_verified: email === undefined ? undefined : false }),
  };
  const failed = findClash(person, newcomers.current, services);
  if (failed !== undefined) return failed;
  // Since `findClash` there is no `await`, so two people at once do not get one name.
  const added = newcomers.add(person);
  exchange.note({ subjectIsNew: true });
  await forgetAttempts(who, services);
  return added;
}

function findClash(
  person: NewPerson,
  people: People,
  { settings }: Services,
): Failed<SignUpProblem> | undefined {
  const { length } = people.all;
  if (length >= mostPeople) {
    return {
      problem: { kind: "full" },
      refusal: refusal("sign_up_people_full", { most: `${mostPeople}`, received: `${length} people` }),
    };
  }
  const name = findTaken(person, people);
  if (name === undefined) return undefined;
  return {
    problem: settings.frontPage === "full"
      ? { kind: "fields", fields: { [name]: "taken" } }
      : { kind: "taken" },
    refusal: refusal("sign_up_taken", { name, received: `the ${name} of another person` }),
  };
}

function readFields(form: Params): SignUpFields {
  const read = (name: string) => form.get(name)?.trim() || undefined;
  return present({ username: read("username"), name: read("name"), email: read("email") });
}

type Mistakes = (SignUpProblem & { readonly kind: "fields" })["fields"];

function findMistakes(
  { username, name, email }: SignUpFields,
  password: string,
  isNeeded: boolean,
): Mistakes {
  const isShort = password.length < shortestPassword && (isNeeded || password !== "");
  return present({
    username: username === undefined ? "missing" : isFitUsername(username) ? undefined : "unfit",
    name: name === undefined || isFitName(name) ? undefined : "unfit",
    email: email === undefined || isFitText(email) && /^[^\s@]+@[^\s@]+$/.test(email)
      ? undefined
      : "malformed",
    password: isShort ? password === "" ? "missing" : "short" : undefined,
  });
}
