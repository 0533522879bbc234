/** Verifies an access token that is a JWT (RFC 9068 §4). */

import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { differs, Refusal, refuseIf, startleIf } from "../clients/habits.ts";
import type { ApiOptions } from "./api.ts";

export async function readClaims(token: string, terms: ApiOptions): Promise<JWTPayload> {
  if (!terms.habits.checks) return readCarelessly(token);
  const { payload, protectedHeader, firstKid } = await verify(token, terms);
  const { iss, aud } = payload;
  refuseIf(terms, differs(terms, iss, terms.issuer), `the iss is ${iss}`);
  refuseIf(terms, [aud].flat().every((each) => differs(terms, each, terms.audience)), `the aud is ${aud}`);
  // RFC 9068 §2.2.
  for (const name of ["exp", "sub", "client_id", "iat", "jti"]) {
    refuseIf(terms, payload[name] === undefined, `there is no ${name}`);
  }
  // A careless parser fails here.
  if (terms.habits.startles && (payload.exp! > 1e29 || "https://as.test/deep" in payload)) {
    throw new RangeError();
  }
  startleIf(terms, protectedHeader.kid === undefined, "there is no kid");
  startleIf(terms, protectedHeader.kid !== firstKid, "the key is not the first one");
  startleIf(terms, protectedHeader.typ !== "at+jwt", `the typ ${protectedHeader.typ}`);
  startleIf(terms, Array.isArray(payload.aud), "a list of audiences");
  startleIf(terms, Number(payload["nbf"]) > Date.now() / 1000, "an nbf in the future");
  startleIf(terms, payload.iat! > Date.now() / 1000, "an iat in the future");
  startleIf(terms, token.length > 4000, "a long token");
  const unknown = Object.keys(payload).filter((name) => !knownClaims.has(name));
  startleIf(terms, unknown.length > 0, `the claims ${unknown}`);
  return payload;
}

function readCarelessly(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** RFC 9068 §4. RFC 8725 §3.1: the API chooses the algorithm. */
async function verify(token: string, { fetch, jwksUri, habits }: ApiOptions) {
  const keys = await (await fetch(jwksUri)).json() as JSONWebKeySet;
  const { algs = ["RS256"] } = habits;
  const expected = { typ: "at+jwt", algorithms: [...algs], clockTolerance: 5 };
  const verified = await jwtVerify(token, createLocalJWKSet(keys), expected).catch((error) => {
    throw new Refusal(`the token is not valid: ${error.message}`);
  });
  return { ...verified, firstKid: keys.keys[0]?.kid };
}

/** RFC 9068 §2.2; RFC 7800 §3.1. */
const knownClaims = new Set(
  "iss sub aud exp iat jti client_id scope auth_time amr acr nbf cnf groups".split(" "),
);
