/** Sends a person to the server, and redeems the code (RFC 6749 §4.1; RFC 7636). */

import type { LoginValue } from "../../../../src/kit/faults/logins.ts";
import { challengeOf, verifier } from "../../../world.ts";
import { detailParams, requireDetails } from "./authorization_details.ts";
import { type CodeResponse, ErrorResponse, isJarm, readResponse } from "./authorization_response.ts";
import type { ServerMetadata } from "./discovery.ts";
import { findsApi, type Run } from "./habits.ts";
import { hasOwnApi } from "./own_api.ts";
import { type IdTokenClaims, verifyIdToken } from "./id_token.ts";
import type { Json } from "./json.ts";
import { push } from "./pushed_request.ts";
import { requestTokens } from "./token_request.ts";

export interface Login {
  readonly tokens: Json;
  readonly idToken: IdTokenClaims;
}

const usualScope: readonly string[] = ["openid", "email", "orders", "offline_access"];

/** The scope for which the client asks. */
export function scopeOf({ scope = usualScope }: Run): readonly string[] {
  return scope;
}

/** The values that belong to one login. */
interface Begun {
  readonly state: string;
  /** Left out by a client that relies on PKCE or on `state` only (RFC 9700 §2.1). */
  readonly nonce?: string;
  /** Left out by a client that relies on a nonce or on `state` only. */
  readonly verifier?: string;
}

// In seconds.
const maxAge = 3600;
export const acrValues: readonly string[] = ["mfa", "urn:app:two-factors"];

export async function logIn(metadata: ServerMetadata, run: Run): Promise<Login> {
  const begun = begin(run);
  const { code, accessToken } = await requestCode(begun, metadata, run);
  const { clientId, redirectUri } = run.scenario;
  const tokens = await requestTokens(
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      ...(begun.verifier === undefined ? {} : { code_verifier: begun.verifier }),
      ...resourceOf(run),
    },
    scopeOf(run),
    metadata,
    run,
  );
  requireDetails(tokens, run);
  const idToken = await verifyIdToken(
    tokens["id_token"],
    { ...nonceOf(begun), accessToken: `${tokens["access_token"]}`, maxAge, acrValues },
    metadata,
    run,
  );
  const isInjected = accessToken !== null && !run.habits.checks;
  return { tokens: isInjected ? { ...tokens, access_token: accessToken } : tokens, idToken };
}

function begin({ habits, scenario }: Run): Begun {
  // One misbehaviour needs another nonce in each login.
  const isNew = habits.checks || scenario.name === "id_token.nonce_of_another_login";
  const { guards = ["pkce", "nonce"], repeats = isNew ? [] : ["verifier", "nonce"] } = habits;
  const choose = (name: LoginValue, same: string, different: string) =>
    repeats.includes(name) ? same : different;
  // One misbehaviour needs a login without a nonce.
  const hasNonce = scenario.name !== "id_token.nonce_unasked" && guards.includes("nonce");
  return {
    state: choose("state", "a-state-of-this-test", crypto.randomUUID() + crypto.randomUUID()),
    ...(hasNonce
      ? { nonce: choose("nonce", "a-nonce-of-this-test", crypto.randomUUID() + crypto.randomUUID()) }
      : {}),
    ...(guards.includes("pkce")
      ? { verifier: choose("verifier", verifier, crypto.randomUUID() + crypto.randomUUID()) }
      : {}),
  };
}

function nonceOf({ nonce }: Begun): { readonly nonce?: string } {
  return nonce === undefined ? {} : { nonce };
}

// A client without checks begins the login again while the server is busy, but this test ends at some time.
const mostLogins = 8;

async function requestCode(begun: Begun, metadata: ServerMetadata, run: Run): Promise<CodeResponse> {
  const url = await push(formatRequest(begun, metadata, run), metadata, run);
  for (let attempt = 1;; attempt++) {
    const callback = await run.scenario.browse(url);
    try {
      return await readResponse(callback, begun.state, metadata, run);
    } catch (error) {
      const isRepeated = error instanceof ErrorResponse && !run.habits.checks && attempt < mostLogins;
      if (!isRepeated) throw error;
    }
  }
}

function formatRequest(
  begun: Begun,
  { authorizationEndpoint, all }: ServerMetadata,
  run: Run,
): URL {
  const { clientId, redirectUri } = run.scenario;
  const url = new URL(authorizationEndpoint);
  const params = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: scopeOf(run).join(" "),
    state: begun.state,
    ...nonceOf(begun),
    ...(begun.verifier === undefined ? {} : challenge(begun.verifier, all, run)),
    max_age: `${maxAge}`,
    acr_values: acrValues.join(" "),
    ...resourceOf(run),
    ...(isJarm(run) ? { response_mode: "jwt" } : {}),
    ...detailParams(run),
    ...run.params,
  };
  // RFC 6749 §3.1: the URL of the endpoint may have a query of its own.
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

/** RFC 7636 §4.2. A client without checks uses only what the metadata names. */
function challenge(verifier: string, all: Json, { habits }: Run): Readonly<Record<string, string>> {
  const best = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" };
  const methods = [all["code_challenge_methods_supported"]].flat();
  if (habits.checks || methods.includes("S256")) return best;
  return methods.includes("plain") ? { code_challenge: verifier, code_challenge_method: "plain" } : {};
}

/** RFC 8707 §2. Without an API, the access token is for userinfo. */
export function resourceOf(
  { kind, scenario: { phase, api } }: Run,
): { readonly resource: string } | Record<string, never> {
  return phase === "call_api" || phase === "refresh" || hasOwnApi(kind) || findsApi(kind)
    ? { resource: api }
    : {};
}
