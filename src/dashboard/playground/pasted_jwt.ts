/** Takes a JWT apart: names its kind, explains its members, and checks what the server can check. */

import type { JwtParts } from "../../crypto/jwt_parts.ts";
import { isNumericDate } from "../../crypto/jwt.ts";
import { secrecyOfClaim, showMembers } from "../../mock/journal/show_value.ts";
import type { Services } from "../../oauth/services.ts";
import { hasAccessTokenClaims } from "../../oauth/tokens/access_token.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { hashToken } from "../../oauth/tokens/hash_token.ts";
import { verifyIssuedJwt } from "../../oauth/tokens/issued_jwt.ts";
import { signingAlgorithms } from "../../crypto/jwk.ts";
import type { PastedCheck, PastedKind, PastedProps } from "../../pages/playground/playground_props.ts";
import { compare, decide } from "./pasted_check.ts";
import { checkAssertion, checkProof, checkRequestObject } from "./pasted_client_jwt.ts";
import { checkAlive } from "./pasted_credential.ts";
import { checkClientIn } from "./check_client_in.ts";
import type { PastedTerms } from "./pasted_terms.ts";

// In seconds. Clocks of clients and servers differ.
const clockTolerance = 60;

export async function takeJwtApart(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<PastedProps> {
  const { services, show, flowUrl } = terms;
  const { header, claims } = parts;
  const kind = nameKind(parts, services);
  const flow = typeof claims["jti"] === "string" && kind === "access_token"
    ? /^([\w-]{22})\./.exec(claims["jti"])?.[1]
    : undefined;
  return {
    kind,
    checks: await checkJwt(kind, text, parts, terms),
    parameters: [],
    jwt: {
      header: showMembers(header, () => "open", show),
      claims: showMembers(claims, secrecyOfClaim, show),
    },
    ...(flow === undefined ? {} : { flowUrl: flowUrl(flow) }),
    inner: [],
  };
}

const kindsByType: ReadonlyMap<string, PastedKind> = new Map([
  ["at+jwt", "access_token"],
  ["dpop+jwt", "dpop_proof"],
  ["logout+jwt", "logout_token"],
  ["oauth-authz-req+jwt", "request_object"],
  ["client-authentication+jwt", "client_assertion"],
]);

/** Many JWTs have no typ of their own, so their claims decide. */
function nameKind({ header, claims }: JwtParts, { settings }: Services): PastedKind {
  const typ = typeof header["typ"] === "string"
    ? header["typ"].toLowerCase().replace(/^application\//, "")
    : "";
  const named = kindsByType.get(typ);
  if (named !== undefined) return named;
  const { iss, sub, aud, events, exp } = claims;
  if (events !== undefined) return "logout_token";
  if (claims["response_type"] !== undefined || claims["redirect_uri"] !== undefined) return "request_object";
  if (iss !== undefined && iss === sub && iss !== settings.issuer) return "client_assertion";
  if (hasAccessTokenClaims(claims)) return "access_token";
  return typeof sub === "string" && aud !== undefined && exp !== undefined ? "id_token" : "jwt";
}

async function checkJwt(
  kind: PastedKind,
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  switch (kind) {
    case "access_token":
      return await checkAccessToken(text, parts, terms);
    case "id_token":
      return await checkIdToken(text, parts, terms);
    case "logout_token":
      return await checkLogoutToken(text, parts, terms);
    case "dpop_proof":
      return await checkProof(text, parts, terms);
    case "request_object":
      return await checkRequestObject(text, parts, terms);
    case "client_assertion":
      return await checkAssertion(text, parts, terms);
    default:
      return [await checkSignature(text, parts, terms), ...checkTimes(parts, terms)];
  }
}

/** Verifies with the published keys of this server. The keys of another issuer are not here. */
async function checkSignature(
  text: string,
  { header, claims, signature }: JwtParts,
  { values, services: { keys, settings } }: PastedTerms,
): Promise<PastedCheck> {
  const rule = "RFC 7515 §5.2";
  const received = signature === ""
    ? values.noSignature
    : values.key(`${header["kid"] ?? values.noKid}`, `${header["alg"] ?? values.noAlg}`);
  if (signature !== "" && claims["iss"] !== settings.issuer) {
    return decide("signature", undefined, {
      expected: values.keyOfOtherIssuer,
      received,
      rule,
    });
  }
  const published = await keys.published();
  return decide("signature", await verifyIssuedJwt(text, keys) !== undefined, {
    expected: values.anyOf(published.map(({ kid, alg }) => values.key(kid, alg))),
    received,
    rule,
  });
}

function checkIssuer({ claims }: JwtParts, { services }: PastedTerms): PastedCheck {
  return compare("iss", services.settings.issuer, claims["iss"], "RFC 7519 §4.1.1");
}

function checkTimes({ claims }: JwtParts, { services, values }: PastedTerms): readonly PastedCheck[] {
  const now = Math.floor(services.now());
  const { exp, iat, nbf } = claims;
  return [
    ...(exp === undefined ? [] : [
      decide("exp", isNumericDate(exp) && exp > now, {
        expected: values.after(now),
        received: exp,
        rule: "RFC 7519 §4.1.4",
      }),
    ]),
    ...(iat === undefined ? [] : [
      decide("iat", isNumericDate(iat) && iat <= now + clockTolerance, {
        expected: values.notAfter(now),
        received: iat,
        rule: "RFC 7519 §4.1.6",
      }),
    ]),
    ...(nbf === undefined ? [] : [
      decide("nbf", isNumericDate(nbf) && nbf <= now + clockTolerance, {
        expected: values.notAfter(now),
        received: nbf,
        rule: "RFC 7519 §4.1.5",
      }),
    ]),
  ];
}

function compareType(
  { header }: JwtParts,
  expected: string,
  rule: string,
  { values }: PastedTerms,
): PastedCheck {
  const typ = header["typ"];
  const isEqual = typeof typ === "string" &&
    typ.toLowerCase().replace(/^application\//, "") === expected.toLowerCase();
  return decide("typ", isEqual, { expected, received: typ ?? values.noType, rule });
}

/** RFC 9068 §4. The last check is the server's own: whether the token is good now. */
async function checkAccessToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { services, values, services: { settings: { issuer, accessTokenType, resources } } } = terms;
  const { claims } = parts;
  const audience: readonly unknown[] = [claims["aud"]].flat();
  const isKnown = audience.some((each) => each === issuer || typeof each === "string" && resources.has(each));
  const token = await findToken(text, undefined, services);
  return [
    await checkSignature(text, parts, terms),
    compareType(parts, accessTokenType, "RFC 9068 §2.1", terms),
    checkIssuer(parts, terms),
    decide("aud", isKnown ? true : undefined, {
      expected: values.anyOf([issuer, ...resources]),
      received: claims["aud"],
      rule: "RFC 9068 §4",
    }),
    ...checkTimes(parts, terms),
    ...(token === undefined ? [] : [await checkAlive(token, terms)]),
  ];
}

/** OpenID Connect Core §3.1.3.7. */
async function checkIdToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { header, claims } = parts;
  const { accessToken, values } = terms;
  const alg = signingAlgorithms.find((each) => each === header["alg"]);
  const atHash = claims["at_hash"];
  return [
    await checkSignature(text, parts, terms),
    checkIssuer(parts, terms),
    await checkClientIn("aud", claims["aud"], terms),
    ...checkTimes(parts, terms),
    decide("nonce", undefined, {
      expected: values.nonceOfRequest,
      received: claims["nonce"] === undefined ? values.noNonce : values.nonce,
      rule: "OpenID Connect Core §3.1.3.7",
    }),
    ...(atHash === undefined ? [] : [
      accessToken !== undefined && alg !== undefined
        ? compare("at_hash", hashToken(accessToken, alg), atHash, "OpenID Connect Core §3.1.3.6")
        : decide("at_hash", undefined, { received: atHash, rule: "OpenID Connect Core §3.1.3.6" }),
    ]),
  ];
}

/** OpenID Connect Back-Channel Logout §2.6. */
async function checkLogoutToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { claims } = parts;
  const { values } = terms;
  const rule = "Back-Channel Logout §2.6";
  const event = "http://schemas.openid.net/event/backchannel-logout";
  return [
    await checkSignature(text, parts, terms),
    compareType(parts, "logout+jwt", rule, terms),
    checkIssuer(parts, terms),
    await checkClientIn("aud", claims["aud"], terms),
    ...checkTimes(parts, terms),
    decide("events", Object.hasOwn(Object(claims["events"]), event), {
      expected: event,
      received: Object.keys(Object(claims["events"])).join(", ") || values.nothing,
      rule,
    }),
    decide("sub_or_sid", claims["sub"] !== undefined || claims["sid"] !== undefined, { rule }),
    decide("no_nonce", claims["nonce"] === undefined, { rule }),
    decide("jti", typeof claims["jti"] === "string", { rule }),
  ];
}
