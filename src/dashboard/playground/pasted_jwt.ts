/** Takes a JWT apart: names its kind, explains its members, and checks what the server can check. */

import type { JwtParts } from "../../crypto/jwt_parts.ts";
import { isNumericDate } from "../../crypto/jwt.ts";
import { secrecyOfClaim, showMembers } from "../../mock/journal/show_value.ts";
import { assertionType } from "../../oauth/clients/client_assertion.ts";
import { findClient } from "../../oauth/clients/find_client.ts";
import { endpointUrls } from "../../oauth/endpoints/server_metadata.ts";
import { OAuthError } from "../../oauth/error.ts";
import { formatParams, type Pair } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { hasAccessTokenClaims } from "../../oauth/tokens/access_token.ts";
import { createProofKeys, readDpopProof } from "../../oauth/tokens/dpop_proof.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { hashToken } from "../../oauth/tokens/hash_token.ts";
import { verifyIssuedJwt } from "../../oauth/tokens/issued_jwt.ts";
import { signingAlgorithms } from "../../crypto/jwk.ts";
import type { PastedCheck, PastedKind, PastedProps } from "../../pages/playground_props.ts";
import { askServer } from "./ask_server.ts";
import { compare, decide } from "./pasted_check.ts";
import { checkAlive } from "./pasted_credential.ts";
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
  { services: { keys, settings } }: PastedTerms,
): Promise<PastedCheck> {
  const rule = "RFC 7515 §5.2";
  const received = signature === ""
    ? "no signature"
    : `kid ${header["kid"] ?? "left out"} with ${header["alg"] ?? "no alg"}`;
  if (signature !== "" && claims["iss"] !== settings.issuer) {
    return decide("signature", undefined, {
      expected: "a key of its issuer, which is another one",
      received,
      rule,
    });
  }
  const published = await keys.published();
  return decide("signature", await verifyIssuedJwt(text, keys) !== undefined, {
    expected: published.map(({ kid, alg }) => `kid ${kid} with ${alg}`).join(", or "),
    received,
    rule,
  });
}

function checkIssuer({ claims }: JwtParts, { services }: PastedTerms): PastedCheck {
  return compare("iss", services.settings.issuer, claims["iss"], "RFC 7519 §4.1.1");
}

function checkTimes({ claims }: JwtParts, { services }: PastedTerms): readonly PastedCheck[] {
  const now = Math.floor(services.now());
  const { exp, iat, nbf } = claims;
  return [
    ...(exp === undefined ? [] : [
      decide("exp", isNumericDate(exp) && exp > now, {
        expected: `after ${now}`,
        received: exp,
        rule: "RFC 7519 §4.1.4",
      }),
    ]),
    ...(iat === undefined ? [] : [
      decide("iat", isNumericDate(iat) && iat <= now + clockTolerance, {
        expected: `not after ${now}`,
        received: iat,
        rule: "RFC 7519 §4.1.6",
      }),
    ]),
    ...(nbf === undefined ? [] : [
      decide("nbf", isNumericDate(nbf) && nbf <= now + clockTolerance, {
        expected: `not after ${now}`,
        received: nbf,
        rule: "RFC 7519 §4.1.5",
      }),
    ]),
  ];
}

function compareType({ header }: JwtParts, expected: string, rule: string): PastedCheck {
  const typ = header["typ"];
  const isEqual = typeof typ === "string" &&
    typ.toLowerCase().replace(/^application\//, "") === expected.toLowerCase();
  return decide("typ", isEqual, { expected, received: typ ?? "no typ", rule });
}

/** RFC 9068 §4. The last check is the server's own: whether the token is good now. */
async function checkAccessToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { services, services: { settings: { issuer, accessTokenType, resources } } } = terms;
  const { claims } = parts;
  const audience: readonly unknown[] = [claims["aud"]].flat();
  const isKnown = audience.some((each) => each === issuer || typeof each === "string" && resources.has(each));
  const token = await findToken(text, undefined, services);
  return [
    await checkSignature(text, parts, terms),
    compareType(parts, accessTokenType, "RFC 9068 §2.1"),
    checkIssuer(parts, terms),
    decide("aud", isKnown ? true : undefined, {
      expected: [issuer, ...resources].join(", or "),
      received: claims["aud"],
      rule: "RFC 9068 §4",
    }),
    ...checkTimes(parts, terms),
    ...(token === undefined ? [] : [await checkAlive(token, services)]),
  ];
}

/** OpenID Connect Core §3.1.3.7. */
async function checkIdToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { header, claims } = parts;
  const { accessToken } = terms;
  const alg = signingAlgorithms.find((each) => each === header["alg"]);
  const atHash = claims["at_hash"];
  return [
    await checkSignature(text, parts, terms),
    checkIssuer(parts, terms),
    await checkClientIn("aud", claims["aud"], terms),
    ...checkTimes(parts, terms),
    decide("nonce", undefined, {
      expected: "the nonce of the authorization request",
      received: claims["nonce"] === undefined ? "no nonce" : "a nonce",
      rule: "OpenID Connect Core §3.1.3.7",
    }),
    ...(atHash === undefined ? [] : [
      accessToken !== undefined && alg !== undefined
        ? compare("at_hash", hashToken(accessToken, alg), atHash, "OpenID Connect Core §3.1.3.6")
        : decide("at_hash", undefined, { received: atHash, rule: "OpenID Connect Core §3.1.3.6" }),
    ]),
  ];
}

async function checkClientIn(
  name: "aud" | "client",
  received: unknown,
  { services }: PastedTerms,
): Promise<PastedCheck> {
  const ids = [received].flat().filter((each) => typeof each === "string");
  const clients = await Promise.all(ids.map((id) => findClient(id, services)));
  return decide(name, clients.some((client) => client !== undefined), {
    expected: "a client of this server",
    received: received ?? "nothing",
  });
}

/** OpenID Connect Back-Channel Logout §2.6. */
async function checkLogoutToken(
  text: string,
  parts: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { claims } = parts;
  const rule = "Back-Channel Logout §2.6";
  const event = "http://schemas.openid.net/event/backchannel-logout";
  return [
    await checkSignature(text, parts, terms),
    compareType(parts, "logout+jwt", rule),
    checkIssuer(parts, terms),
    await checkClientIn("aud", claims["aud"], terms),
    ...checkTimes(parts, terms),
    decide("events", Object.hasOwn(Object(claims["events"]), event), {
      expected: event,
      received: Object.keys(Object(claims["events"])).join(", ") || "nothing",
      rule,
    }),
    decide("sub_or_sid", claims["sub"] !== undefined || claims["sid"] !== undefined, { rule }),
    decide("no_nonce", claims["nonce"] === undefined, { rule }),
    decide("jti", typeof claims["jti"] === "string", { rule }),
  ];
}

/** RFC 9449 §4.3, by the checks of the server. The request that the proof is for is the one that it names. */
async function checkProof(
  text: string,
  { claims }: JwtParts,
  { services }: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { settings: { dpop, baseUrl, demoResource } } = services;
  const urls = [
    ...endpointUrls(services).values(),
    baseUrl,
    ...(demoResource === undefined ? [] : [demoResource]),
  ];
  const proof = await readDpopProof(
    text,
    {
      ...{ urls, method: typeof claims["htm"] === "string" ? claims["htm"] : "", now: services.now() },
    },
    createProofKeys(),
    dpop,
  );
  return [
    proof instanceof OAuthError
      ? decide("server", false, {
        expected: proof.details.expected,
        received: [proof.message, proof.details.received].filter((each) => each !== undefined).join(": "),
        rule: proof.details.spec,
      })
      : decide("server", true, { received: `jkt ${proof.thumbprint}`, rule: "RFC 9449 §4.3" }),
    ...(claims["ath"] === undefined ? [] : [
      decide("ath", undefined, { received: claims["ath"], rule: "RFC 9449 §4.3" }),
    ]),
  ];
}

/** Lets the server answer an authorization request with this object. */
async function checkRequestObject(
  text: string,
  { claims }: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { services: { settings: { baseUrl, paths } } } = terms;
  const id = claims["client_id"] ?? claims["iss"];
  const query = formatParams([["client_id", String(id ?? "")], ["request", text]]);
  return [
    await checkClientIn("client", id, terms),
    await askServer({ url: `${baseUrl}${paths.authorize}?${query}` }, terms),
  ];
}

/** Lets the server answer a token request with this assertion. Any answer but a refused client proves the client. */
async function checkAssertion(
  text: string,
  { claims }: JwtParts,
  terms: PastedTerms,
): Promise<readonly PastedCheck[]> {
  const { services: { settings: { baseUrl, paths } } } = terms;
  const form: readonly Pair[] = [
    ["grant_type", "client_credentials"],
    ["client_assertion_type", assertionType],
    ["client_assertion", text],
  ];
  const url = baseUrl + paths.token;
  return [
    await checkClientIn("client", claims["sub"], terms),
    await askServer({ url, form, failsWith: "invalid_client" }, terms),
  ];
}
