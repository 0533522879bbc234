/** The sign-up: prompt=create shows a page on which a person makes an account (Initiating User Registration via OpenID Connect 1.0). */

import { hashPassword } from "../../../ground/crypto/password.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { isFitName, isFitText } from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import { answerForm, readSentForm } from "../../oauth/authorization/steps.ts";
import type { FeatureStep, Reply } from "../../oauth/contracts/authorization_request.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Feature, Services } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import type { SignUpFields, SignUpProblem } from "../../oauth/contracts/pages.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import type { Params } from "../../oauth/contracts/params.ts";
import type { NewPerson, People, Person } from "../../oauth/contracts/people.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { findTaken, mostPeople, needsPassword } from "../../oauth/people/new_person.ts";
import { chooseLanguage } from "../../oauth/requests/choose_language.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import {
  countAttempt,
  findRemainingWait,
  forgetAttempts,
  type ThrottledAccount,
} from "../../oauth/secrets/throttle.ts";

// In seconds. By then, the passwords that wait now have been hashed.
const busyTime = 3;

/** In characters, for each password (NIST SP 800-63B §5.1.1.1). */
const shortestPassword = 8;

const spec = "Initiating User Registration via OpenID Connect 1.0 §4.1";

const refusal = refusals({ error: "access_denied", spec }, {
  prompt_create_with_others: {
    error: "invalid_request",
    sentence: "prompt=create cannot be combined with {other}, which asks for another page",
    expected: "create alone, or with consent",
    change: "Send prompt=create alone.",
  },
  sign_up_for_known_person: {
    error: "invalid_request",
    sentence: "The request asks for a new person, and names one who exists",
    expected: "prompt=create without id_token_hint, and without a value of sub in claims",
    change: "Leave out the hint, or leave out prompt=create.",
  },
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

/** The option of the sign-up. */
export interface SignUpOptions {
  /**
   * Whether `prompt=create` shows a page on which a person makes an account, in a test and with the command `start`. The
   * person needs a password if other people have one. Default: `false`.
   */
  readonly signUp?: boolean;
}

const setting: Setting<boolean> = {
  name: "signUp",
  schema: { type: "boolean" },
  read(option, { addsPeople }) {
    if (option && !addsPeople) {
      refuseOption("signUp", "needs the test kit or the command start, which can add people");
    }
    return option;
  },
};

export function signUp({ signUp: isOn = false }: SignUpOptions): Feature<"sign_up"> {
  return {
    name: "sign_up",
    spec: "Initiating User Registration via OpenID Connect 1.0",
    settings: [setting],
    isOff: !isOn,
    endpoints: [{
      method: "POST",
      name: "sign_up",
      path: paths.signUp,
      refusal: "page",
      handle: answerSignUp,
    }],
    questions: [findStep],
    signUp: checkPrompt,
  };
}

function checkPrompt(values: readonly string[]): void {
  const other = values.find((value) => value === "login" || value === "select_account");
  if (values.includes("create") && other !== undefined) {
    throw refusal("prompt_create_with_others", { other, received: values.join(" ") });
  }
}

const findStep: NonNullable<Feature["questions"]>[number] = (
  { request: { prompt, requiredSub, loginHint }, pending, exchange },
  _account,
  services,
) => {
  if (!prompt?.includes("create") || pending.signedIn) return undefined;
  if (requiredSub !== undefined) {
    throw refusal("sign_up_for_known_person", { received: "prompt=create and the sub of a person" });
  }
  const fields = present(loginHint?.includes("@") ? { email: loginHint } : { username: loginHint });
  return createStep(fields, undefined, exchange, services);
};

function createStep(
  fields: SignUpFields,
  failure: Failed | undefined,
  exchange: Exchange,
  services: Services,
): FeatureStep {
  return {
    question: "sign_up",
    ...present({ failure }),
    show: async (form) =>
      await services.pages.signUp({
        ...form,
        action: services.settings.basePath + paths.signUp,
        needsPassword: needsPassword(services.people.newcomers!().current),
        shortestPassword,
        fields,
        ...present({ problem: failure?.problem }),
      }, chooseLanguage(exchange, services)),
  };
}

async function answerSignUp(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const sent = await readSentForm(exchange, services);
  // identify
  const prompt = sent.pending.params.get("prompt")?.split(" ") ?? [];
  // validate, act, respond
  return await answerForm(
    sent,
    async (form): Promise<Reply> => {
      // The person has an account, or the form is not that of a page of the sign-up.
      if (form.get("decision") === "sign_in" || !prompt.includes("create")) return { changesPerson: true };
      return await addPerson(form, exchange, services);
    },
    exchange,
    services,
  );
}

async function addPerson(form: Params, exchange: Exchange, services: Services): Promise<Reply> {
  const fields = readFields(form);
  const made = await makePerson(fields, form.get("password") ?? "", exchange, services);
  if (!("problem" in made)) return { signsIn: made };
  return { asksAgain: createStep(fields, made, exchange, services) };
}

/** Why the person is not made. */
interface Failed {
  readonly problem: SignUpProblem;
  readonly refusal: OAuthError;
}

async function makePerson(
  fields: SignUpFields,
  password: string,
  exchange: Exchange,
  services: Services,
): Promise<Person | Failed> {
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
  if (!await countAttempt(who, services)) return await tooManyAttempts(who, services);
  const hash = password === "" ? undefined : await hashInTurn(password, services);
  if (typeof hash === "object") return hash;
  const { username = "", name, email } = fields;
  const person = {
    username,
    // Not the username: the tokens of an earlier person of this name must not become those of this one.
    sub: createId(services.random),
    ...present({ password: hash }),
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

async function tooManyAttempts(who: ThrottledAccount, services: Services): Promise<Failed> {
  const seconds = await findRemainingWait(who, services);
  return {
    problem: { kind: "too_many_attempts", secondsToWait: seconds },
    refusal: refusal("sign_up_too_many", { seconds, headers: { "retry-after": String(seconds) } }),
  };
}

async function hashInTurn(password: string, { people, random }: Services): Promise<string | Failed> {
  return await people.signInLimits.hashing.take(() => hashPassword(password, random)) ?? {
    problem: { kind: "busy", secondsToWait: busyTime },
    refusal: refusal("sign_up_busy", { headers: { "retry-after": String(busyTime) } }),
  };
}

function findClash(person: NewPerson, people: People, { settings }: Services): Failed | undefined {
  const { length } = people.all;
  if (length >= mostPeople) {
    return {
      problem: { kind: "full" },
      refusal: refusal("sign_up_people_full", { most: `${mostPeople}`, received: `${length} people` }),
    };
  }
  const name = findTaken(person, people)?.name;
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
    username: username === undefined ? "missing" : isFitText(username) ? undefined : "unfit",
    name: name === undefined || isFitName(name) ? undefined : "unfit",
    email: email === undefined || isFitText(email) && /^[^\s@]+@[^\s@]+$/.test(email)
      ? undefined
      : "malformed",
    password: isShort ? password === "" ? "missing" : "short" : undefined,
  });
}
