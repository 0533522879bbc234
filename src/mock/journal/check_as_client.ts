/** Makes the comparisons that a client or an API must make itself, with the values that the server issued. */

import { fromBase64url, sha256, toBase64url } from "../../crypto/bytes.ts";
import type { MisbehaviourName } from "../../misbehaviours/names.ts";
import type { ClientCheck, ShownValue } from "../../pages/inspector/exchange_props.ts";
import type { ExchangeParts } from "./exchange_parts.ts";
import { findAnswered, findRedirected, readExchangeParts } from "./exchange_parts.ts";
import { findSent, type Sent } from "./find_sent.ts";
import type { Past } from "./journal_index.ts";
import type { KeptEntry } from "./request_list.ts";
import { parseJwt } from "../../crypto/jwt_parts.ts";
import { secrecyOfClaim, type ShowTerms, showValue } from "./show_value.ts";

export interface CheckTerms extends ShowTerms {
  readonly issuer: string;
}

/** A comparison with the misbehaviour that it shows if it fails. The catalogue says what a client does then. */
export interface Comparison extends ClientCheck {
  /** Absent if the catalogue does not have the fault. */
  readonly fault?: MisbehaviourName | undefined;
}

export function checkAsClient(
  kept: KeptEntry,
  past: Past,
  terms: CheckTerms,
): readonly Comparison[] {
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
): readonly Comparison[] {
  const sent = findSent(kept, past);
  const state = findRedirected(parts, "state");
  const iss = findRedirected(parts, "iss");
  return [
    ...compareSent("state", sent, state, terms, {
      missing: "authorization_response.state_missing",
      changed: "authorization_response.state_changed",
    }),
    ...(iss === undefined ? [] : compare("response_iss", terms.issuer, iss, terms, {
      changed: `authorization_response.${differsBySlash(iss, terms.issuer) ? "iss_slash" : "iss_wrong"}`,
    })),
  ];
}

// Seconds by which clocks may differ, as most clients allow.
const tolerance = 60;

function checkTokens(
  kept: KeptEntry,
  parts: ExchangeParts,
  past: Past,
  terms: CheckTerms,
): readonly Comparison[] {
  const { entry: { facts, receivedAt, duration }, ahead } = kept;
  const idToken = parseJwt(findAnswered(parts, "id_token") ?? "");
  const accessToken = findAnswered(parts, "access_token");
  const access = parseJwt(accessToken ?? "");
  const realTime = receivedAt + duration - ahead;
  return [
    ...(idToken === undefined ? [] : checkIdToken(idToken, { kept, past, accessToken, terms })),
    ...(idToken === undefined
      ? checkTimes(access?.claims ?? {}, realTime, accessTokenTimes)
      : checkTimes(idToken.claims, realTime, isRefresh(kept) ? {} : idTokenTimes)),
    ...(access === undefined ? [] : checkAudience(access.claims["aud"], facts.resource ?? [])),
  ];
}

const idTokenTimes = { exp: "id_token.exp_past", iat: "id_token.iat_future" } as const;
const accessTokenTimes = { exp: "access_token.expired", iat: "access_token.issued_in_future" } as const;

/** A client may ignore the ID token of a refresh, so only faults of the area `refresh` fit (OpenID Connect Core §12.2). */
function isRefresh({ entry: { facts } }: KeptEntry): boolean {
  return facts.grantType === "refresh_token";
}

interface IdTokenTerms {
  readonly kept: KeptEntry;
  readonly past: Past;
  readonly accessToken: string | undefined;
  readonly terms: CheckTerms;
}

function checkIdToken(
  { header: { alg }, claims }: NonNullable<ReturnType<typeof parseJwt>>,
  { kept, past, accessToken, terms }: IdTokenTerms,
): readonly Comparison[] {
  const refreshed = isRefresh(kept);
  const { iss, nonce, at_hash: atHash } = claims;
  const halfHash = accessToken !== undefined && typeof alg === "string" && alg.endsWith("256")
    ? hashHalf(accessToken)
    : undefined;
  return [
    ...compare("iss", terms.issuer, iss, terms, refreshed ? refreshedIss : faultsOfIss(iss, terms.issuer)),
    checkIdTokenAudience(claims["aud"], kept, terms),
    // A refreshed ID token needs no nonce (OpenID Connect Core §12.2).
    ...(refreshed && nonce === undefined
      ? []
      : compareSent("nonce", findSent(kept, past), nonce, terms, refreshed ? refreshedNonce : loginNonce)),
    ...(halfHash !== undefined && atHash !== undefined
      ? compare("at_hash", halfHash, atHash, terms, refreshed ? {} : { changed: "id_token.at_hash_wrong" })
      : []),
    ...(alg === "none" || typeof alg !== "string"
      ? [
        {
          ...{ name: "algorithm", isMet: false, received: showValue(alg ?? "", "open", terms) } as const,
          fault: alg === "none" && !refreshed ? "id_token.alg_none" : undefined,
        } as const,
      ]
      : []),
  ];
}

/** The misbehaviours that a comparison can show, by how the value differs from the expected one. */
interface Faults {
  readonly missing?: MisbehaviourName;
  readonly changed?: MisbehaviourName;
  /** The value came although the client sent none. */
  readonly unasked?: MisbehaviourName;
}

const loginNonce: Faults = {
  missing: "id_token.nonce_missing",
  changed: "id_token.nonce_wrong",
  unasked: "id_token.nonce_unasked",
};
const refreshedNonce: Faults = { changed: "refresh.id_token_nonce", unasked: "refresh.id_token_nonce" };
const refreshedIss: Faults = {
  missing: "refresh.id_token_other_issuer",
  changed: "refresh.id_token_other_issuer",
};

function faultsOfIss(iss: unknown, issuer: string): Faults {
  return {
    missing: "id_token.iss_missing",
    changed: differsBySlash(iss, issuer) ? "id_token.iss_slash" : "id_token.iss_wrong",
  };
}

function differsBySlash(received: unknown, issuer: string): boolean {
  return received === `${issuer}/` || `${received}/` === issuer;
}

/** The server cannot know which other audiences the client trusts. */
function checkIdTokenAudience(aud: unknown, kept: KeptEntry, terms: CheckTerms): Comparison {
  const { clientId } = kept.entry.facts;
  const isMissing = aud === undefined;
  return {
    name: "aud",
    isMet: clientId !== undefined && [aud].flat().includes(clientId),
    expected: { text: clientId ?? "" },
    ...(isMissing ? {} : { received: showValue(aud, "open", terms) }),
    fault: isRefresh(kept) ? undefined : isMissing ? "id_token.aud_missing" : "id_token.aud_wrong",
  };
}

/** A client compares the times with its own clock, which the server does not see. So this takes that of the machine. */
function checkTimes(
  { exp, iat }: Readonly<Record<string, unknown>>,
  realTime: number,
  faults: { readonly exp?: MisbehaviourName; readonly iat?: MisbehaviourName },
): readonly Comparison[] {
  const now: ShownValue = { text: String(Math.floor(realTime)), time: Math.floor(realTime) };
  const compareTime = (name: "exp" | "iat", time: unknown, holds: (time: number) => boolean) =>
    typeof time !== "number" ? [] : [{
      ...{ name, isMet: holds(time), expected: now, received: { text: String(time), time } },
      fault: faults[name],
    }];
  return [
    ...compareTime("iat", iat, (time) => time <= realTime + tolerance),
    ...compareTime("exp", exp, (time) => time > realTime),
  ];
}

function checkAudience(aud: unknown, resource: readonly string[]): readonly Comparison[] {
  const audience = [aud].flat().filter((each) => typeof each === "string");
  return [{
    name: "access_token_aud",
    isMet: resource.length === 0 ? undefined : resource.every((each) => audience.includes(each)),
    ...(resource.length === 0 ? {} : { expected: { text: resource.join(" ") } }),
    ...(aud === undefined ? {} : { received: { text: audience.join(" ") } }),
    fault: aud === undefined ? "access_token.audience_missing" : "access_token.audience_wrong",
  }];
}

/** Compares a value with the one of the authorization request. Without this request, there is no answer. */
function compareSent(
  name: "state" | "nonce",
  sent: Sent | undefined,
  received: unknown,
  terms: ShowTerms,
  faults: Faults,
): readonly Comparison[] {
  if (sent !== undefined) return compare(name, sent(name), received, terms, faults);
  const [compared] = compare(name, undefined, received, terms, {});
  return compared === undefined ? [] : [{ ...compared, isMet: undefined }];
}

function compare(
  name: ClientCheck["name"],
  expected: string | undefined,
  received: unknown,
  terms: ShowTerms,
  { missing, changed, unasked }: Faults,
): readonly Comparison[] {
  if (expected === undefined && received === undefined) return [];
  const secrecy = name === "state" ? "secret" : secrecyOfClaim(name === "response_iss" ? "iss" : name);
  return [{
    name,
    isMet: expected === received,
    ...(expected === undefined ? {} : { expected: showValue(expected, secrecy, terms) }),
    ...(received === undefined ? {} : { received: showValue(received, secrecy, terms) }),
    fault: received === undefined ? missing : expected === undefined ? unasked : changed,
  }];
}

/** OpenID Connect Core §3.1.3.6 */
function hashHalf(text: string): string {
  return toBase64url(fromBase64url(sha256(text)).slice(0, 16));
}
