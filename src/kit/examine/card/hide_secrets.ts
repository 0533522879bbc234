/** Hides in a text what a client repeats of its requests and their responses. */

import { findHeader } from "../../../server/oauth/contracts/journal.ts";
import { hidden, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { isReadableParam, type RecordedRequest } from "../../mock/journal/recorded_request.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";

/** Hides what a client quotes of its requests and their responses. */
export function hideSecrets(text: string, requests: readonly RecordedRequest[]): string {
  return redactText(hideValues(text, requests.flatMap((request) => findSecretsIn(text, request))));
}

// Shorter values, such as "openid" or "S256", are no secrets, and a text may contain them by chance.
const shortestSecret = 12;

/**
 * Finds the values in the text that the recorded request hides. A client may repeat one in its error, where no pattern finds
 * it.
 */
function findSecretsIn(text: string, request: RecordedRequest): readonly string[] {
  const found = listValues(request).filter((value) => value.length >= shortestSecret && text.includes(value));
  if (found.length === 0) return found;
  const { raw: _raw, ...shown } = request;
  const shownText = JSON.stringify(shown);
  return found.filter((value) => !shownText.includes(JSON.stringify(value).slice(1, -1)));
}

function listValues(request: RecordedRequest): readonly string[] {
  const { request: sent, response } = request.raw();
  const location = findHeader(response, "location") ?? "";
  const forms = [sent.query, sent.body ?? "", ...location.split(/[?#]/).slice(1)];
  const texts = listTexts(parseJsonObject(response.body ?? "") ?? {});
  return [
    ...forms.flatMap((form) => [...new URLSearchParams(form)]).filter(([name]) => !isReadableParam(name))
      .map(([, value]) => value),
    ...texts,
    ...texts.flatMap((each) => listTexts(hiddenClaimsOf(each))),
    ...sent.headers.filter(([name]) => name === "authorization")
      .flatMap(([, value]) => value.split(" ").slice(1)),
  ];
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isJsonObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

function hideValues(text: string, secrets: readonly string[]): string {
  // One may be a part of another.
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((hiding, secret) => hiding.replaceAll(secret, hidden), text);
}

// Any other claim may hold a secret.
export const shownClaims: ReadonlySet<string> = new Set([
  ...["iss", "sub", "aud", "azp", "exp", "iat", "nbf", "auth_time", "acr", "amr", "token_type", "events"],
]);

/** Returns the claims of a JWT that a card does not show, such as `nonce`, `at_hash` and `jti`. */
function hiddenClaimsOf(text: string): JsonObject {
  const claims = parseJwt(text)?.claims ?? {};
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !shownClaims.has(name)));
}
