/** Decides which values of an exchange a page may show, and describes a secret by its length and its hash. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { decodeJwt, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import {
  hidden,
  hidePrivateKeys,
  isSecretName,
  redactText,
} from "../../../server/oauth/secrets/redaction.ts";
import {
  type DecodedJwt,
  type NamedValue,
  showJson,
  type ShownValue,
  timeNames,
  type TokenPart,
} from "../../../server/pages/token/token_props.ts";
import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { isReadableMember, isReadableParam } from "./recorded_request.ts";
import { present } from "../../../ground/values/present.ts";

/**
 * `open`: always shown. `secret`: shown with the key only. `guessable`: a secret that is too short for its hash to be
 * shown. `never`: passwords and the secrets of clients.
 */
export type Secrecy = "open" | "secret" | "guessable" | "never";

export interface ShowOptions {
  /** Whether codes, tokens, verifiers and other values of a single flow are shown. */
  readonly secrets: boolean;
  /** Texts that are never shown, wherever they occur: the token of the control plane, the key of the pages. */
  readonly neverShown: readonly string[];
}

const neverNames = /^(pwd|username)$|passw|secret/i;

/** A user code, and the address that has it, which is longer than a code and no less easy to guess. */
const guessableNames: ReadonlySet<string> = new Set(["user_code", "verification_uri_complete"]);

/** Public values that are not readable in a timeline, because a timeline has no place to explain them. */
const publicNames: ReadonlySet<string> = new Set([
  ...["code_challenge", "dpop_jkt", "active", "prompt", "claims", "authorization_details"],
  ...["client_id_issued_at", "client_secret_expires_at", "registration_client_uri"],
]);

export function secrecyOfParameter(name: string): Secrecy {
  if (publicNames.has(name) || isReadableParam(name)) return "open";
  return secrecyOfHidden(name);
}

export function secrecyOfMember(name: string): Secrecy {
  if (publicNames.has(name) || isReadableMember(name)) return "open";
  return secrecyOfHidden(name);
}

function secrecyOfHidden(name: string): Secrecy {
  if (neverNames.test(name)) return "never";
  return guessableNames.has(name) ? "guessable" : "secret";
}

/** Also for a member that describes a person or a client: open, unless its name warns. */
export function secrecyOfClaim(name: string): Secrecy {
  if (publicNames.has(name) || isReadableMember(name)) return "open";
  return neverNames.test(name) ? "never" : isSecretName(name) ? "secret" : "open";
}

const longestText = 2_000;
// The token of a person with many groups is copied whole.
const longestJwt = 4_000;

// Enough to compare two values by eye.
const fingerprintLength = 10;

/** In characters. All values of a code, a PIN or a date can be hashed and compared in seconds. */
const leastToHash = 16;

export function showValue(value: unknown, secrecy: Secrecy, options: ShowOptions): ShownValue {
  if (typeof value === "boolean" || value === null) return { text: String(value) };
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  if (secrecy === "never" || options.neverShown.some((each) => each !== "" && text.includes(each))) return {};
  if (secrecy === "open") {
    const shown = redactText(text);
    // A token at the wrong place is shown as it is at the right one.
    if (shown !== hidden) return cut(shown);
  }
  const jwt = showJwt(text, options);
  return {
    ...(options.secrets ? cut(hidePrivateKeys(text), jwt === undefined ? longestText : longestJwt) : {}),
    length: text.length,
    ...present({
      fingerprint: options.secrets || secrecy !== "guessable" && text.length >= leastToHash
        ? sha256(text).slice(0, fingerprintLength)
        : undefined,
      hasOuterSpace: text.trim() !== text || undefined,
      jwt,
    }),
  };
}

/** Shows only the length of a client's secret, because its hash would let others guess it. */
export function showClientSecret(secret: string): ShownValue {
  return { length: secret.length, ...present({ hasOuterSpace: secret.trim() !== secret || undefined }) };
}

function cut(text: string, longest: number = longestText): ShownValue {
  return text.length <= longest
    ? { text }
    : { text: text.slice(0, longest).toWellFormed(), cutFrom: text.length };
}

export function showJwt(text: string, options: ShowOptions): DecodedJwt | undefined {
  if (parseJwt(text) === undefined) return undefined;
  const { header, payload } = decodeJwt(text);
  return {
    header: showSecretJson(header, () => "open", options),
    payload: showSecretJson(payload, secrecyOfClaim, options),
  };
}

export function showSecretJson(
  json: string,
  secrecy: (name: string) => Secrecy,
  options: ShowOptions,
): TokenPart {
  return showJson(hidePrivateKeys(json), {
    showName: redactText,
    showValue: (name, value) => {
      if (value === hidden) return {};
      if (name === "client_secret" && typeof value === "string") return showClientSecret(value);
      const { jwt: _jwt, ...shown } = showValue(value, secrecy(name), options);
      return shown;
    },
  });
}

/** Returns a value as a page may show it, without its secrets. `name`: the member that has it. */
export function showAnswer(name: string, value: unknown, options: ShowOptions): unknown {
  // In a form of a sign-in it may be a password. In an answer it is the name of a person.
  const named = name === "username" ? "open" : secrecyOfClaim(name);
  if (Array.isArray(value)) return value.map((each) => showAnswer(name, each, options));
  if (isJsonObject(value) && named === "open") {
    return Object.fromEntries(
      Object.entries(value).map(([inner, each]) => [redactText(inner), showAnswer(inner, each, options)]),
    );
  }
  const { text } = showValue(value, named === "open" && options.secrets ? "secret" : named, options);
  return text === undefined ? hidden : typeof value === "string" ? text : value;
}

const mostMembers = 100;

/** Members of nested objects get names such as `address.locality`. */
export function showMembers(
  members: JsonObject,
  secrecy: (name: string) => Secrecy,
  options: ShowOptions,
): readonly NamedValue[] {
  const shown: JsonObject = JSON.parse(hidePrivateKeys(JSON.stringify(members)));
  return flatten(shown, "").slice(0, mostMembers).map(([name, value]): NamedValue => {
    const own = name.slice(name.lastIndexOf(".") + 1);
    if (own === "client_secret" && typeof value === "string") return { name, ...showClientSecret(value) };
    return {
      name: redactText(name),
      ...showValue(value, secrecy(own), options),
      ...present({ time: timeNames.has(own) && typeof value === "number" && value > 0 ? value : undefined }),
    };
  });
}

function flatten(members: JsonObject, prefix: string): readonly (readonly [string, unknown])[] {
  return Object.entries(members).flatMap(([name, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0 && prefix.split(".").length < 4
      ? flatten(value, `${prefix}${name}.`)
      : [[prefix + name, value] as const]
  );
}
