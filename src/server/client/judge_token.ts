/** Judges ID tokens and access tokens as a client or an API must. It shares no code with what issues them. */

import { toBase64url } from "../../ground/crypto/bytes.ts";
import { isVerifyingKey, type Jwk, publicJwk, verifiesWith } from "../../ground/crypto/jwk.ts";
import { isNumericDate, verifyJwt } from "../../ground/crypto/jwt.ts";
import { digest } from "../../ground/crypto/platform.ts";
import type { JwtParts } from "../../ground/crypto/jwt_parts.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import type { TokenCheckName } from "../../ground/schema/token_check_name.ts";
import { type Check, type Checks, checksOf, type Rules } from "./check.ts";

export type TokenCheck = Check<TokenCheckName>;

/** What is judged. `jwt`: a JWT of which only the issuer is known. */
export type Judged = "access_token" | "id_token" | "authorization_response" | "jwt";

const ofAccessTokens = "RFC 9068 §4";
const ofResponses = "JARM §2.4";
const ofIdTokens = "OpenID Connect Core §3.1.3.7";

const rules: Readonly<Record<Judged, Rules<TokenCheckName>>> = {
  access_token: {
    signature: ["must", ofAccessTokens],
    alg: ["must", ofAccessTokens],
    typ: ["must", ofAccessTokens],
    iss: ["must", ofAccessTokens],
    aud: ["must", ofAccessTokens],
    exp: ["must", ofAccessTokens],
    iat: ["may", "RFC 7519 §4.1.6"],
    nbf: ["must", "RFC 7519 §4.1.5"],
    client_id: ["should", "RFC 9068 §2.2"],
    scope: ["should", "RFC 9068 §2.2.3"],
  },
  id_token: {
    // TLS server validation may take the place of the signature.
    signature: ["may", `${ofIdTokens} (6)`],
    alg: ["should", `${ofIdTokens} (7)`],
    iss: ["must", `${ofIdTokens} (2)`],
    aud: ["must", `${ofIdTokens} (3)`],
    azp: ["may", `${ofIdTokens} (5)`],
    exp: ["must", `${ofIdTokens} (9)`],
    iat: ["may", `${ofIdTokens} (10)`],
    // OpenID Connect Core §2 does not name nbf, and claims that a client does not understand are ignored.
    nbf: ["may", "RFC 7519 §4.1.5"],
    nonce: ["must", `${ofIdTokens} (11)`],
    at_hash: ["may", "OpenID Connect Core §3.1.3.8"],
    sub: ["must", "OpenID Connect Core §12.2"],
  },
  authorization_response: {
    signature: ["must", ofResponses],
    iss: ["must", ofResponses],
    aud: ["must", ofResponses],
    exp: ["must", ofResponses],
  },
  jwt: {
    signature: ["must", "RFC 7515 §5.2"],
    iss: ["must", "RFC 7519 §4.1.1"],
    exp: ["must", "RFC 7519 §4.1.4"],
    iat: ["may", "RFC 7519 §4.1.6"],
    nbf: ["must", "RFC 7519 §4.1.5"],
  },
};

// Seconds by which clocks may differ, as most clients allow.
export const tolerance = 60;

/** Verifies the signature with the one key that fits (OpenID Connect Core §10.1). */
export async function judgeSignature(
  judged: Judged,
  text: string,
  { header }: Pick<JwtParts, "header">,
  keys: readonly Jwk[],
): Promise<TokenCheck> {
  const verified = await verifyJwt(text, (kid, alg) => {
    const fit = keys.filter((jwk) =>
      (kid === undefined || jwk.kid === kid) && isVerifyingKey(jwk) &&
      verifiesWith(jwk).some((each) => each === alg)
    );
    const [jwk] = fit;
    return jwk === undefined || fit.length > 1
      ? undefined
      : { alg, publicJwk: publicJwk(jwk, `${jwk.kid}`, alg) };
  });
  return checksOf(rules[judged]).decide("signature", verified !== undefined, {
    expected: keys.flatMap(({ kid }) => kid ?? []),
    received: header["kid"],
  });
}

export interface TimeOptions {
  /** The time of the client or the API, in seconds. */
  readonly now: number;
  /** The token was issued just now, so an old iat is wrong, too. */
  readonly isNew?: boolean;
}

export function judgeTimes(
  judged: Judged,
  { exp, iat, nbf }: JsonObject,
  { now, isNew = false }: TimeOptions,
): readonly TokenCheck[] {
  const { decide } = checksOf(rules[judged]);
  const expected = Math.floor(now);
  const isOld = (time: number) => isNew && time < now - tolerance;
  return [
    decide("exp", isNumericDate(exp) && exp > now, { expected, received: exp }),
    decide("iat", isNumericDate(iat) && iat <= now + tolerance && !isOld(iat), { expected, received: iat }),
    ...(nbf === undefined
      ? []
      : [decide("nbf", isNumericDate(nbf) && nbf <= now + tolerance, { expected, received: nbf })]),
  ];
}

export interface IdTokenOptions extends TimeOptions {
  readonly issuer: string;
  readonly clientId: string | undefined;
  /** Absent: the client accepts any algorithm that signs. */
  readonly alg?: string;
  /** The nonce of the authorization request, if the request is known. */
  readonly sent: { readonly nonce: string | undefined } | undefined;
  readonly accessToken: string | undefined;
  /** The subject of the ID token before the refresh. */
  readonly subject?: string | undefined;
  readonly isRefresh: boolean;
}

export function judgeIdToken({ header, claims }: JwtParts, options: IdTokenOptions): readonly TokenCheck[] {
  const checks = checksOf(rules.id_token);
  const { issuer, clientId, alg, accessToken, subject } = options;
  const { azp, sub } = claims;
  return [
    judgeAlgorithm(checks, header["alg"], alg),
    checks.compare("iss", issuer, claims["iss"]),
    judgeAudience("id_token", claims["aud"], clientId === undefined ? [] : [clientId], "all"),
    azp === undefined ? checks.decide("azp", "absent") : checks.compare("azp", clientId, azp),
    ...judgeTimes("id_token", claims, options),
    judgeNonce(checks, claims["nonce"], options),
    judgeHash(checks, claims["at_hash"], accessToken, header["alg"]),
    // OpenID Connect Core §12.2: a refresh must not change the person.
    ...(subject === undefined ? [] : [checks.compare("sub", subject, sub)]),
  ];
}

/** What an API knows about its tokens, and a client about the one that it asked for. */
export interface AccessTokenOptions extends TimeOptions {
  readonly issuer: string;
  readonly alg?: string;
  readonly typ: string;
  /** Empty: any audience may be right. */
  readonly audience: readonly string[];
  /** Whether the token must be for all of them, or for one. */
  readonly needs: "all" | "one";
}

export function judgeAccessToken(
  { header, claims }: JwtParts,
  options: AccessTokenOptions,
): readonly TokenCheck[] {
  const checks = checksOf(rules.access_token);
  const { typ } = header;
  return [
    judgeAlgorithm(checks, header["alg"], options.alg),
    checks.decide("typ", isTypedAs(options.typ, typ), { expected: options.typ, received: typ }),
    checks.compare("iss", options.issuer, claims["iss"]),
    judgeAudience("access_token", claims["aud"], options.audience, options.needs),
    ...judgeTimes("access_token", claims, options),
  ];
}

export interface ResponseJwtOptions extends TimeOptions {
  readonly issuer: string;
  readonly clientId: string | undefined;
  readonly keys: readonly Jwk[];
}

export async function judgeResponseJwt(
  text: string,
  jwt: JwtParts,
  { issuer, clientId, keys, now }: ResponseJwtOptions,
): Promise<readonly TokenCheck[]> {
  const judged = "authorization_response";
  const { decide, compare } = checksOf(rules[judged]);
  const { iss, aud, exp } = jwt.claims;
  return [
    await judgeSignature(judged, text, jwt, keys),
    compare("iss", issuer, iss),
    judgeAudience(judged, aud, clientId === undefined ? [] : [clientId], "all"),
    decide("exp", isNumericDate(exp) && exp > now, { expected: Math.floor(now), received: exp }),
  ];
}

/** Compares a token with what the client asked for. */
export function judgeGranted(
  { client_id: clientId, scope }: JsonObject,
  options: { readonly clientId: string; readonly scope: readonly string[] },
): readonly TokenCheck[] {
  const checks = checksOf(rules.access_token);
  const granted = typeof scope === "string" ? scope.split(" ") : [];
  return [
    checks.compare("client_id", options.clientId, clientId),
    checks.decide("scope", granted.every((name) => options.scope.includes(name)), {
      expected: options.scope,
      received: scope,
    }),
  ];
}

/** `none` signs nothing (RFC 7518 §3.6). */
function judgeAlgorithm(
  { decide }: Checks<TokenCheckName>,
  received: unknown,
  expected: string | undefined,
): TokenCheck {
  if (expected !== undefined) return decide("alg", received === expected, { expected, received });
  return decide("alg", typeof received === "string" && received !== "none" ? "open" : "failed", { received });
}

/** RFC 7519 §4.1.3: `aud` is a text or a list. Without expected values, any may be right. */
export function judgeAudience(
  judged: Judged,
  received: unknown,
  expected: readonly string[],
  needs: "all" | "one",
): TokenCheck {
  const { decide } = checksOf(rules[judged]);
  if (expected.length === 0) return decide("aud", "open", { received });
  const audience: readonly unknown[] = [received].flat();
  const isFor = (each: string) => audience.includes(each);
  return decide("aud", needs === "all" ? expected.every(isFor) : expected.some(isFor), {
    expected,
    received,
  });
}

/** OpenID Connect Core §12.2: a refreshed ID token should have no nonce, and never another one. */
function judgeNonce(
  checks: Checks<TokenCheckName>,
  received: unknown,
  { sent, isRefresh }: IdTokenOptions,
): TokenCheck {
  if (received === undefined && (isRefresh || sent === undefined)) return checks.decide("nonce", "absent");
  return sent === undefined
    ? checks.decide("nonce", "open", { received })
    : checks.compare("nonce", sent.nonce, received);
}

/** The algorithm of the signature chooses the hash function (OpenID Connect Core §3.1.3.6). */
function judgeHash(
  checks: Checks<TokenCheckName>,
  received: unknown,
  accessToken: string | undefined,
  alg: unknown,
): TokenCheck {
  if (received === undefined) return checks.decide("at_hash", "absent");
  const name = alg === "EdDSA" ? "sha512" : /256$/.test(`${alg}`) ? "sha256" : undefined;
  if (name === undefined || accessToken === undefined) return checks.decide("at_hash", "open", { received });
  const octets = digest(name, accessToken);
  return checks.compare("at_hash", toBase64url(octets.subarray(0, octets.length / 2)), received);
}

/** RFC 7515 §4.1.9: case has no meaning, and `application/` may be left out. */
export function isTypedAs(expected: string, typ: unknown): boolean {
  const normalise = (text: string) => text.toLowerCase().replace(/^application\//, "");
  return typeof typ === "string" && normalise(typ) === normalise(expected);
}
