/** Writes the parameters of a flow with PKCE (OAuth 2.1 §4), and plays the client of a sample flow, which keeps nothing. */

import type { Pair } from "../../ground/http/form.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import { type RandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { hmacSha256, sha256 } from "../../ground/crypto/platform.ts";
import { present } from "../../ground/values/present.ts";

export interface AuthorizationOptions {
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly state: string;
  /** The hash of the PKCE verifier. */
  readonly challenge: string;
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10). */
  readonly thumbprint?: string | undefined;
  readonly resources: readonly string[];
  /** Parameters that are added, or replace the others. */
  readonly more: Readonly<Record<string, string | undefined>>;
}

/** The authorization request (OAuth 2.1 §4.1.1). */
export function authorizationParams(options: AuthorizationOptions): readonly Pair[] {
  const { clientId, redirectUri, scope, state, challenge, thumbprint, resources, more } = options;
  const params = new Map(listPairs({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    dpop_jkt: thumbprint,
  }));
  for (const [name, value] of listPairs(more)) params.set(name, value);
  return [...params, ...resourcePairs(resources)];
}

// In seconds.
const lifetime = 60;

/** The claims of a request object that has these parameters (RFC 9101 §4). */
export function requestObjectClaims(
  params: readonly Pair[],
  { clientId, issuer, jti, now }: {
    readonly clientId: string;
    readonly issuer: string;
    readonly jti: string;
    readonly now: number;
  },
): JsonObject {
  const resource = params.flatMap(([name, value]) => name === "resource" ? [value] : []);
  const issuedAt = Math.floor(now);
  return {
    ...Object.fromEntries(params),
    ...present({ resource: resource.length > 1 ? resource : undefined }),
    iss: clientId,
    aud: issuer,
    jti,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetime,
  };
}

/** The parameters that stand for a signed request, or for a pushed one (RFC 9101 §5, RFC 9126 §4). */
export function carriedParams(
  clientId: string,
  carried: "request" | "request_uri",
  value: string,
): readonly Pair[] {
  return [["client_id", clientId], [carried, value]];
}

/** The parameters that a client pushes. Its credentials name the client (RFC 9126 §2.1). */
export function pushedParams(params: readonly Pair[]): readonly Pair[] {
  return params.filter(([name]) => name !== "client_id");
}

export interface CodeOptions {
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly resources?: readonly string[];
}

/** The token request for a code (OAuth 2.1 §4.1.3). */
export function codeParams({ code, redirectUri, codeVerifier, resources }: CodeOptions): readonly Pair[] {
  return [
    ["grant_type", "authorization_code"],
    ["code", code],
    ...listPairs({ redirect_uri: redirectUri, code_verifier: codeVerifier }),
    ...resourcePairs(resources),
  ];
}

export interface RefreshTerms {
  readonly refreshToken: string;
  readonly scope?: string | undefined;
  /** In JSON (RFC 9396 §6). */
  readonly authorizationDetails?: string | undefined;
  readonly resources?: readonly string[];
}

/** The token request for a refresh token (OAuth 2.1 §4.3.1). */
export function refreshParams(terms: RefreshTerms): readonly Pair[] {
  const { refreshToken, scope, authorizationDetails, resources } = terms;
  return [
    ["grant_type", "refresh_token"],
    ["refresh_token", refreshToken],
    ...listPairs({ scope, authorization_details: authorizationDetails }),
    ...resourcePairs(resources),
  ];
}

/** RFC 8707 §2: the parameter may be repeated. */
export function resourcePairs(resources: readonly string[] = []): readonly Pair[] {
  return resources.map((each) => ["resource", each]);
}

export function listPairs(members: Readonly<Record<string, string | undefined>>): readonly Pair[] {
  return Object.entries(members).flatMap(([name, value]): readonly Pair[] =>
    value === undefined ? [] : [[name, value]]
  );
}

/** The PKCE verifier (RFC 7636 §4.1). The callback page derives it again, so the server need not store it. */
export function deriveVerifier({ secret }: { readonly secret: string }, state: string): string {
  return hmacSha256(secret, state);
}

/** The parameters of a sample flow that differ at each start. */
export interface StartOptions {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
  /** The nonce of a request with the scope openid, which the ID token repeats. */
  readonly nonce?: string;
}

/** Creates the parameters of a flow whose callback page is on this server and can derive the verifier again. */
export function createStartOptions(
  redirectUri: string,
  browser: { readonly secret: string },
  random: RandomBytes,
): StartOptions {
  const state = randomText(random, 16);
  return {
    redirectUri,
    state,
    challenge: sha256(deriveVerifier(browser, state)),
    nonce: hmacSha256(browser.secret, `nonce ${state}`, 16),
  };
}

/** What an authorization response says (OAuth 2.1 §4.1.2). */
export type CallbackOutcome =
  | {
    readonly hasError: true;
    /** Absent if the address is no authorization response. */
    readonly error?: string;
    readonly errorDescription?: string;
    readonly state?: string;
  }
  | { readonly hasError: false; readonly code: string; readonly state?: string };

/** Without both, a person opened the page by hand, or the response uses another response mode. */
export function readOutcome(params: { get(name: string): string | undefined }): CallbackOutcome {
  const error = params.get("error");
  const code = params.get("code");
  const state = params.get("state");
  const returned = present({ state });
  if (error !== undefined) {
    const errorDescription = params.get("error_description");
    return { hasError: true, error, ...present({ errorDescription }), ...returned };
  }
  return code === undefined ? { hasError: true } : { hasError: false, code, ...returned };
}
