/** Makes the comparisons that a client or an API must make itself, with the values that the server issued. */

import { fromBase64url, sha256, toBase64url } from "../../crypto/bytes.ts";
import type { ClientCheck, ShownValue } from "../../pages/inspector/exchange_props.ts";
import type { ExchangeParts } from "./exchange_parts.ts";
import { findAnswered, findParameter, findRedirected, readExchangeParts } from "./exchange_parts.ts";
import { findAuthorization } from "./relate.ts";
import type { Past } from "./journal_index.ts";
import type { KeptEntry } from "./request_list.ts";
import { parseJwt } from "../../crypto/jwt_parts.ts";
import { secrecyOfClaim, type ShowTerms, showValue } from "./show_value.ts";

export interface CheckTerms extends ShowTerms {
  readonly issuer: string;
}

export function checkAsClient(
  kept: KeptEntry,
  past: Past,
  terms: CheckTerms,
): readonly ClientCheck[] {
  const parts = readExchangeParts(kept.entry);
  if (kept.entry.facts.refusal !== undefined) return [];
  if (kept.endpoint === "token") return checkTokens(kept, parts, past, terms);
  return findRedirected(parts, "code") === undefined ? [] : checkRedirect(kept, parts, past, terms);
}

/** Checks an authorization response: state, and iss (RFC 9207 §2.4). */
function checkRedirect(
  kept: KeptEntry,
  parts: ExchangeParts,
  past: Past,
  terms: CheckTerms,
): readonly ClientCheck[] {
  const sent = findSent(kept, past);
  const iss = findRedirected(parts, "iss");
  return [
    ...compare("state", sent("state"), findRedirected(parts, "state"), terms),
    ...(iss === undefined ? [] : compare("response_iss", terms.issuer, iss, terms)),
  ];
}

// Seconds by which clocks may differ, as most clients allow.
const tolerance = 60;

function checkTokens(
  kept: KeptEntry,
  parts: ExchangeParts,
  past: Past,
  terms: CheckTerms,
): readonly ClientCheck[] {
  const { entry: { facts, receivedAt, duration }, ahead } = kept;
  const idToken = parseJwt(findAnswered(parts, "id_token") ?? "");
  const accessToken = findAnswered(parts, "access_token");
  const access = parseJwt(accessToken ?? "");
  const realTime = receivedAt + duration - ahead;
  return [
    ...(idToken === undefined ? [] : checkIdToken(idToken, { kept, past, accessToken, terms })),
    ...checkTimes((idToken ?? access)?.claims ?? {}, realTime),
    ...(access === undefined ? [] : checkAudience(access.claims["aud"], facts.resource ?? [])),
  ];
}

function checkIdToken(
  { header, claims }: NonNullable<ReturnType<typeof parseJwt>>,
  { kept, past, accessToken, terms }: {
    readonly kept: KeptEntry;
    readonly past: Past;
    readonly accessToken: string | undefined;
    readonly terms: CheckTerms;
  },
): readonly ClientCheck[] {
  const { clientId, grantType } = kept.entry.facts;
  const nonce = findSent(kept, past)("nonce");
  // A refreshed ID token needs no nonce (OpenID Connect Core §12.2).
  const needsNonce = grantType === "authorization_code" || claims["nonce"] !== undefined;
  const { alg } = header;
  const atHash = claims["at_hash"];
  const halfHash = accessToken !== undefined && typeof alg === "string" && alg.endsWith("256")
    ? hashHalf(accessToken)
    : undefined;
  return [
    ...compare("iss", terms.issuer, claims["iss"], terms),
    {
      name: "aud",
      isMet: clientId !== undefined && [claims["aud"]].flat().includes(clientId),
      expected: { text: clientId ?? "" },
      received: showValue(claims["aud"] ?? "", "open", terms),
    },
    ...(needsNonce ? compare("nonce", nonce, claims["nonce"], terms) : []),
    ...(halfHash !== undefined && atHash !== undefined ? compare("at_hash", halfHash, atHash, terms) : []),
    ...(alg === "none" || typeof alg !== "string"
      ? [{ name: "algorithm", isMet: false, received: showValue(alg ?? "", "open", terms) } as const]
      : []),
  ];
}

/** A client compares the times with its own clock, which is that of the machine. */
function checkTimes(claims: Readonly<Record<string, unknown>>, realTime: number): readonly ClientCheck[] {
  const { exp, iat } = claims;
  const now: ShownValue = { text: String(Math.floor(realTime)), time: Math.floor(realTime) };
  const show = (time: number): ShownValue => ({ text: String(time), time });
  return [
    ...(typeof iat !== "number" ? [] : [
      { name: "iat", isMet: iat <= realTime + tolerance, expected: now, received: show(iat) } as const,
    ]),
    ...(typeof exp !== "number" ? [] : [
      { name: "exp", isMet: exp > realTime, expected: now, received: show(exp) } as const,
    ]),
  ];
}

function checkAudience(aud: unknown, resource: readonly string[]): readonly ClientCheck[] {
  const audience = [aud].flat().filter((each) => typeof each === "string");
  return [{
    name: "access_token_aud",
    isMet: resource.length === 0 ? undefined : resource.every((each) => audience.includes(each)),
    ...(resource.length === 0 ? {} : { expected: { text: resource.join(" ") } }),
    received: { text: audience.join(" ") },
  }];
}

function compare(
  name: ClientCheck["name"],
  expected: string | undefined,
  received: unknown,
  terms: ShowTerms,
): readonly ClientCheck[] {
  if (expected === undefined && received === undefined) return [];
  const secrecy = name === "state" ? "secret" : secrecyOfClaim(name === "response_iss" ? "iss" : name);
  const show = (value: unknown) => value === undefined ? { text: "" } : showValue(value, secrecy, terms);
  return [{
    name,
    isMet: expected === received,
    ...(expected === undefined ? {} : { expected: show(expected) }),
    received: show(received),
  }];
}

/** Returns a function that finds a parameter of the authorization request of the flow, also in a request object. */
function findSent(kept: KeptEntry, past: Past): (name: string) => string | undefined {
  const opened = findAuthorization(kept, past) ?? kept;
  const parts = readExchangeParts(opened.entry);
  const claims = parseJwt(findParameter(parts, "request") ?? "")?.claims;
  return (name) => {
    const value = claims?.[name] ?? findParameter(parts, name);
    return typeof value === "string" ? value : undefined;
  };
}

/** OpenID Connect Core §3.1.3.6 */
function hashHalf(text: string): string {
  return toBase64url(fromBase64url(sha256(text)).slice(0, 16));
}
