/** Loads the claims of the person (OpenID Connect Core §5.3). */

import { decodeJwt } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { sendToken } from "./dpop.ts";
import { choosePatience, differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";
import { verifySignature } from "./keys.ts";
import type { Login } from "./login.ts";

// A client without checks never stops by itself, but this test ends at some time.
const mostAttempts = 6;

export async function loadUserinfo(login: Login, metadata: ServerMetadata, run: Run): Promise<Json> {
  for (let attempt = 1;; attempt++) {
    try {
      return await loadOnce(login, metadata, run);
    } catch (error) {
      if (run.habits.checks || attempt === mostAttempts) throw error;
    }
  }
}

async function loadOnce({ tokens, idToken }: Login, metadata: ServerMetadata, run: Run): Promise<Json> {
  const response = await send(`${metadata.all["userinfo_endpoint"]}`, tokens, run);
  if (!response.ok) throw new Refusal(`userinfo has the status ${response.status}`);
  const claims = await readClaims(response, metadata, run);
  if (!isObject(claims)) throw new Refusal("userinfo is not an object");
  // §5.3.2.
  refuseIf(run, differs(run, claims["sub"], idToken["sub"]), "userinfo is about another person");
  startleAtClaims(claims, run);
  return claims;
}

/** A client without checks takes its token to wherever the server sends it. */
async function send(url: string, tokens: Json, run: Run): Promise<Response> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Refusal("userinfo does not come")), choosePatience(run));
  const signal = AbortSignal.any([run.scenario.signal, ending.signal]);
  try {
    const limited = { ...run, scenario: { ...run.scenario, signal } };
    const response = await sendToken(url, tokens, limited);
    const location = response.headers.get("location");
    return location === null || run.habits.checks ? response : await send(location, tokens, run);
  } finally {
    clearTimeout(timer);
  }
}

async function readClaims(response: Response, metadata: ServerMetadata, run: Run): Promise<Json> {
  const type = response.headers.get("content-type");
  if (/^application\/jwt *(;|$)/.test(`${type}`)) {
    const jwt = await response.text();
    const claims = run.habits.checks ? (await verifySignature(jwt, metadata, run)).claims : decodeJwt(jwt);
    refuseIf(run, differs(run, claims["iss"], metadata.issuer), `userinfo is of the issuer ${claims["iss"]}`);
    return claims;
  }
  return await response.json().catch((error) => {
    throw new Refusal(`userinfo is not JSON: ${error}`);
  });
}

function startleAtClaims(claims: Json, run: Run): void {
  const unknown = Object.keys(claims).filter((name) => !knownClaims.has(name));
  startleIf(run, unknown.length > 0, `unknown claims: ${unknown}`);
  const { name = "", email_verified: isVerified } = claims;
  startleIf(run, typeof name !== "string", `the name ${name}`);
  startleIf(run, typeof isVerified !== "boolean", `the email_verified ${isVerified}`);
}

const knownClaims = new Set(["sub", "email", "email_verified", "name", "picture", "website", "updated_at"]);
