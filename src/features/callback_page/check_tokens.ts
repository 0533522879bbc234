/** Checks the tokens of a response as a client and an API should (OpenID Connect Core §3.1.3.7; RFC 9068 §4). */

import {
  isVerifyingKey,
  type Jwk,
  publicJwk,
  type SigningAlgorithm,
  verifiesWith,
} from "../../crypto/jwk.ts";
import { isNumericDate, verifyJwt } from "../../crypto/jwt.ts";
import { parseJwt } from "../../crypto/jwt_parts.ts";
import { parseJsonObject } from "../../schema/json_object.ts";
import { clockSkew } from "../../oauth/clock_skew.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import { hashToken } from "../../oauth/tokens/hash_token.ts";
import type {
  DecodedToken,
  TokenCheckName,
  WalkCall,
  WalkStep,
  WalkToken,
  WalkTokenCheck,
} from "../../oauth/walk/walk.ts";

/** The values that a client knows before it gets the tokens. */
export interface TokenExpectations {
  readonly issuer: string;
  readonly clientId: string;
  readonly idTokenAlg: SigningAlgorithm;
  readonly accessTokenAlg: SigningAlgorithm;
  readonly accessTokenType: string;
  readonly audience: readonly string[];
  readonly scope: readonly string[];
  readonly nonce: string | undefined;
  /** The subject of the first ID token. Absent if this is the first one. */
  readonly subject: string | undefined;
  readonly isRefresh: boolean;
}

/** Decodes and checks the tokens that a step got, at the time of the step and with the JWKS that the step read. */
export async function decodeTokens(
  tokens: readonly Omit<WalkToken, "step">[],
  { keys, takenAt }: Pick<WalkStep, "keys" | "takenAt">,
  expected: TokenExpectations,
): Promise<readonly DecodedToken[]> {
  const accessToken = tokens.find(({ kind }) => kind === "access_token")?.text;
  return await Promise.all(tokens.map(async ({ kind, text }): Promise<DecodedToken> => {
    const jwt = kind === "refresh_token" ? undefined : parseJwt(text);
    if (jwt === undefined) return { kind, checks: [] };
    const alg = kind === "id_token" ? expected.idTokenAlg : expected.accessTokenAlg;
    const checks = [
      await checkSignature(text, jwt.header, keys),
      compare("alg", alg, jwt.header["alg"]),
      ...kind === "id_token"
        ? checkIdToken(jwt.claims, { accessToken, takenAt, alg }, expected)
        : checkAccessToken(jwt, takenAt, expected),
    ];
    return { kind, jwt, checks };
  }));
}

async function checkSignature(
  text: string,
  { kid }: Members,
  keys: WalkCall | undefined,
): Promise<WalkTokenCheck> {
  const listed = parseJsonObject(keys?.response.body ?? "")?.["keys"];
  const jwks: readonly Jwk[] = Array.isArray(listed) ? listed.filter((each) => Object(each) === each) : [];
  const verified = await verifyJwt(text, (named, chosen) => {
    // OpenID Connect Core §10.1: without a kid, the key set must have one key that fits.
    const fit = jwks.filter((jwk) =>
      (named === undefined || jwk.kid === named) && isVerifyingKey(jwk) &&
      verifiesWith(jwk).some((each) => each === chosen)
    );
    const [jwk] = fit;
    return jwk === undefined || fit.length > 1
      ? undefined
      : { alg: chosen, publicJwk: publicJwk(jwk, show(jwk.kid), chosen) };
  });
  return {
    name: "signature",
    result: verified === undefined ? "failed" : "passed",
    expected: jwks.map((jwk) => show(jwk.kid)).join(", ") || show(undefined),
    received: show(kid),
  };
}

interface IdTokenTerms {
  readonly accessToken: string | undefined;
  readonly takenAt: number;
  readonly alg: SigningAlgorithm;
}

function checkIdToken(
  claims: Claims,
  { accessToken, takenAt, alg }: IdTokenTerms,
  { issuer, clientId, nonce, subject, isRefresh }: TokenExpectations,
): readonly WalkTokenCheck[] {
  const { iss, aud, azp, exp, iat, sub } = claims;
  return [
    compare("iss", issuer, iss),
    includes("aud", [clientId], aud),
    azp === undefined ? { name: "azp", result: "absent" } : compare("azp", clientId, azp),
    checkExpiry(exp, takenAt),
    checkIssuedAt(iat, takenAt),
    checkNonce(claims["nonce"], nonce, isRefresh),
    checkAtHash(claims["at_hash"], accessToken, alg),
    // OpenID Connect Core §12.2: a refresh must not change the person.
    ...(subject === undefined ? [] : [compare("sub", subject, sub)]),
  ];
}

function checkAccessToken(
  { header, claims }: { readonly header: Members; readonly claims: Claims },
  takenAt: number,
  { issuer, clientId, audience, accessTokenType, scope }: TokenExpectations,
): readonly WalkTokenCheck[] {
  const granted = typeof claims["scope"] === "string" ? claims["scope"].split(" ") : [];
  return [
    compare("typ", accessTokenType, header["typ"]),
    compare("iss", issuer, claims["iss"]),
    includes("aud", audience, claims["aud"]),
    checkExpiry(claims["exp"], takenAt),
    compare("client_id", clientId, claims["client_id"]),
    {
      name: "scope",
      result: granted.every((name) => scope.includes(name)) ? "passed" : "failed",
      expected: scope.join(" "),
      received: show(claims["scope"]),
    },
  ];
}

function compare(name: TokenCheckName, expected: string, received: unknown): WalkTokenCheck {
  return { name, result: received === expected ? "passed" : "failed", expected, received: show(received) };
}

/** RFC 7519 §4.1.3: `aud` is a text or a list. */
function includes(name: TokenCheckName, expected: readonly string[], received: unknown): WalkTokenCheck {
  const audience: readonly unknown[] = [received].flat();
  return {
    name,
    result: expected.some((each) => audience.includes(each)) ? "passed" : "failed",
    expected: expected.join(" "),
    received: show(received),
  };
}

function checkExpiry(exp: unknown, takenAt: number): WalkTokenCheck {
  const isLater = isNumericDate(exp) && exp > takenAt;
  return {
    name: "exp",
    result: isLater ? "passed" : "failed",
    expected: `> ${Math.floor(takenAt)}`,
    received: show(exp),
  };
}

function checkIssuedAt(iat: unknown, takenAt: number): WalkTokenCheck {
  const isNow = isNumericDate(iat) && Math.abs(iat - takenAt) <= clockSkew;
  return {
    name: "iat",
    result: isNow ? "passed" : "failed",
    expected: `${Math.floor(takenAt)} ± ${clockSkew}`,
    received: show(iat),
  };
}

/** OpenID Connect Core §3.1.3.7, §12.2: a refreshed ID token should have no nonce, and never another one. */
function checkNonce(received: unknown, expected: string | undefined, isRefresh: boolean): WalkTokenCheck {
  if (received === undefined && (expected === undefined || isRefresh)) {
    return { name: "nonce", result: "absent" };
  }
  return {
    name: "nonce",
    result: received === expected ? "passed" : "failed",
    expected: show(expected),
    received: show(received),
  };
}

function checkAtHash(
  received: unknown,
  accessToken: string | undefined,
  alg: SigningAlgorithm,
): WalkTokenCheck {
  if (received === undefined || accessToken === undefined) return { name: "at_hash", result: "absent" };
  return compare("at_hash", hashToken(accessToken, alg), received);
}

function show(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}
