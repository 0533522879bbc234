/** The codes of a person: the next one, what an authenticator app needs for them, and the check of one, which works once. */

import { fromBase64url } from "../../../ground/crypto/bytes.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Kind } from "../../store/store.ts";
import { markMargin } from "../../oauth/options/clock_skew.ts";
import type { Failed } from "../../oauth/contracts/authorization_request.ts";
import type { Person } from "../../oauth/contracts/people.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { SecondFactor, Services } from "../../oauth/contracts/feature.ts";
import { countAttempt, forgetAttempts, mustWait } from "../../oauth/secrets/throttle.ts";
import type { SecondFactorProblem } from "../../pages/sign_in/second_factor_props.ts";
import { factorOf } from "./settings.ts";
import { readBase32, stepAt, stepLength, totpOf, writeBase32 } from "./totp.ts";

const refusal = refusals({ error: "access_denied", spec: "RFC 6238 §5.2" }, {
  second_factor_code_missing: {
    sentence: "No code of the second factor came",
    expected: "the six digits of the moment",
    change: "Type the code that the authenticator app shows.",
  },
  second_factor_code_malformed: {
    spec: "RFC 4226 §5.3",
    sentence: "The code of a second factor has six digits",
    expected: "six digits",
    change: "Type the six digits that the authenticator app shows.",
  },
  second_factor_code_wrong: {
    sentence: "That is not a code of {username} at this moment",
    expected: "the code of this moment, or the one before or after it",
    change:
      "Type the code that the authenticator app shows now, and compare the clock of the phone with the server's.",
  },
  second_factor_code_used: {
    sentence: "This code of {username} has been used",
    expected: "a code that was not used before",
    change: "Wait for the next code: each works once.",
  },
  second_factor_too_many: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 4226 §7.3",
    sentence: "Too many wrong codes of {username}",
    expected: "no attempt for another {seconds} s: until then the right code is refused, too",
    change: "Wait some seconds without an attempt, and then type the right code.",
  },
});

export const refused: RefusalRows = refusal.rows;

export type FailedFactor = Failed<SecondFactorProblem>;

const usedCodes: Kind<{ readonly usedAt: number }> = { name: "once" };

/** The steps whose codes are accepted. The clock of a phone may differ by one (RFC 6238 §5.2). */
const accepted = [0, -1, 1];

/** Returns the code that `useCode` accepts next, of this step or of the next one, or when there is one again. */
export async function findNextCode(person: Person, services: Services): ReturnType<SecondFactor["nextCode"]> {
  const { store, now } = services;
  const first = stepAt(now());
  for (const step of [first, first + 1]) {
    if (await store.get(usedCodes, idOf(person, step), now()) !== undefined) continue;
    return await totpOf(await secretOf(person, services), step);
  }
  return (first + 1) * stepLength - Math.floor(now());
}

/** The secret is in base32, and apps read the link from a QR code. */
export async function describeAuthenticator(
  person: Person,
  services: Services,
): ReturnType<SecondFactor["describeAuthenticator"]> {
  if (factorOf(person)?.kind !== "totp") return undefined;
  const secret = writeBase32(await secretOf(person, services));
  const issuer = writePart(new URL(services.settings.issuer).host);
  return {
    secret,
    uri: `otpauth://totp/${issuer}:${writePart(person.username)}?secret=${secret}&issuer=${issuer}`,
  };
}

/** Neither part of a label may have a colon, which divides them, not even an encoded one (Key Uri Format, "Label"). */
function writePart(text: string): string {
  return encodeURIComponent(text.replace(/:+/g, " "));
}

/** Uses a code. Returns why it is not accepted. Each code works once, also at several servers with one store. */
export async function useCode(
  text: string,
  person: Person,
  peer: string | undefined,
  services: Services,
): Promise<FailedFactor | undefined> {
  const { username, subject } = person;
  // People paste codes with spaces, and keyboards of some languages write full-width digits.
  const code = text.normalize("NFKC").replace(/[\s\u200b-]/g, "");
  if (code === "") return fail("no_code", refusal("second_factor_code_missing", { received: "no code" }));
  if (!/^\d{6}$/.test(code)) {
    return fail("malformed_code", refusal("second_factor_code_malformed", { received: "other text" }));
  }
  // Counts attempts of this peer only, so that guesses from another address do not lock the person out.
  const who = { purpose: "second factor", account: subject, peer };
  const secondsToWait = await countAttempt(who, services);
  if (secondsToWait > 0) {
    return mustWait(secondsToWait, (wait) => refusal("second_factor_too_many", { username, ...wait }));
  }
  const failure = await takeCode(code, person, services);
  if (failure === undefined) await forgetAttempts(who, services);
  return failure;
}

type Kinds = Exclude<SecondFactorProblem["kind"], "too_many_attempts">;

function fail(kind: Kinds, refusal: OAuthError): FailedFactor {
  return { problem: { kind }, refusal };
}

async function takeCode(code: string, person: Person, services: Services): Promise<FailedFactor | undefined> {
  const { store, now } = services;
  const { username } = person;
  const secret = await secretOf(person, services);
  let isUsed = false;
  for (const offset of accepted) {
    const step = stepAt(now()) + offset;
    if (await totpOf(secret, step) !== code) continue;
    const expiresAt = (step + 2) * stepLength + markMargin;
    const terms = { expiresAt, now: now(), if: null };
    const taken = await store.put(usedCodes, idOf(person, step), { usedAt: now() }, terms);
    if (taken !== undefined) return undefined;
    isUsed = true;
  }
  if (!isUsed) {
    return fail("wrong_code", refusal("second_factor_code_wrong", { username, received: "another code" }));
  }
  const received = "a code that was used before";
  return fail("used_code", refusal("second_factor_code_used", { username, received }));
}

function idOf({ subject }: Person, step: number): string {
  return sha256(`second factor ${step} ${subject}`);
}

/** RFC 4226 §4, R6 recommends 160 bits. */
const secretLength = 20;

async function secretOf(person: Person, { people }: Services): Promise<Uint8Array<ArrayBuffer>> {
  const given = factorOf(person)?.secret;
  if (given !== undefined) return readBase32(given)!;
  return new Uint8Array(
    fromBase64url(await people.derive("second factor", person.subject)).slice(0, secretLength),
  );
}
