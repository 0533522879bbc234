/** Runs a complete code flow with PKCE against a running server, without a browser (OAuth 2.1 §4.1). */

import { createHash, randomBytes } from "node:crypto";
import { type SigningKey, signWithSecret } from "../crypto/jwt.ts";
import { formatAssertion } from "../oauth/clients/format_assertion.ts";
import { formatBasic } from "../oauth/clients/format_basic.ts";
import { metadataPaths } from "../oauth/metadata_addresses.ts";
import type { Members } from "../oauth/members.ts";
import { visible } from "../pages/visible.ts";
import { browse, type SignInTerms } from "./browse.ts";
import { CommandError } from "./command_error.ts";
import { createProof, createProofKey } from "./proof_key.ts";
import { sendRequest } from "./send_request.ts";
import { findApiScopes, personScopes } from "./usual_scope.ts";

/** The environment variable with the client's secret. */
export const secretVariable = "POSTERN_CLIENT_SECRET";

export interface FlowTerms extends SignInTerms {
  readonly client: {
    readonly id: string;
    readonly secret?: string;
    /** The registered authentication method; `none` for a public client. */
    readonly method: string;
    /** The client must push its authorization requests. */
    readonly mustPush?: boolean;
  };
  /** May be left out for a client with oauth_version 2.1 and only one redirect URI. */
  readonly redirectUri?: string;
  readonly scope?: string;
  /** The server's default scope, if the caller knows it. It is requested with openid, if there is no `scope`. */
  readonly defaultScope?: string;
  readonly resources: readonly string[];
  /** The token is bound to a new key (RFC 9449). */
  readonly usesDpop?: boolean;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** The key that the token is bound to. */
  readonly key?: SigningKey;
}

export async function runFlow(terms: FlowTerms): Promise<IssuedToken> {
  const server = await discover(terms);
  const verifier = randomBytes(32).toString("base64url");
  const code = await authorize(terms, server, verifier);
  const accessToken = await redeem(terms, server, { code, verifier });
  return { accessToken, ...(server.key === undefined ? {} : { key: server.key }) };
}

interface Server {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** The endpoint for pushed requests, if the client must push its request. */
  readonly parEndpoint?: string;
  /** The scope to request if the caller names none. Absent: the server decides. */
  readonly usualScope?: string;
  /** The key that the token will be bound to. */
  readonly key?: SigningKey;
}

async function discover({ issuer, defaultScope, client, usesDpop = false }: FlowTerms): Promise<Server> {
  const { authorizationEndpoint, tokenEndpoint, metadata } = await loadMetadata(issuer);
  // RFC 8414 §3.3: the metadata of another issuer could send the code to another server.
  if (metadata["issuer"] !== issuer) {
    throw failed(`the issuer of that server is ${quote(metadata["issuer"])}: use it with --issuer`);
  }
  const usualScope = chooseScope(metadata["scopes_supported"], defaultScope?.split(" "));
  const parEndpoint = metadata["pushed_authorization_request_endpoint"];
  const key = usesDpop ? await createProofKey(metadata["dpop_signing_alg_values_supported"]) : undefined;
  if (usesDpop && key === undefined) {
    throw failed(`${issuer} cannot bind tokens: its metadata has no known dpop_signing_alg_values_supported`);
  }
  const mustPush = client.mustPush === true || metadata["require_pushed_authorization_requests"] === true;
  return {
    authorizationEndpoint,
    tokenEndpoint,
    ...(mustPush && typeof parEndpoint === "string" ? { parEndpoint } : {}),
    ...(usualScope === undefined ? {} : { usualScope }),
    ...(key === undefined ? {} : { key }),
  };
}

interface Metadata extends Pick<Server, "authorizationEndpoint" | "tokenEndpoint"> {
  readonly metadata: Members;
}

/** Loads the first document that names both endpoints. */
async function loadMetadata(issuer: string): Promise<Metadata> {
  const answers: string[] = [];
  for (const url of listMetadataUrls(issuer)) {
    const response = await sendRequest(url, {});
    const metadata = await readMembers(response);
    const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = metadata;
    if (response.ok && typeof authorizationEndpoint === "string" && typeof tokenEndpoint === "string") {
      return { authorizationEndpoint, tokenEndpoint, metadata };
    }
    answers.push(`${url} answers ${response.status}`);
  }
  throw failed(`${issuer} is not an authorization server: ${answers.join(", ")}`);
}

/** Lists where the metadata of an issuer may be (RFC 8414 §3.1, §5, OpenID Connect Discovery §4). */
function listMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const { oauthAuthorizationServer, openidConfiguration } = metadataPaths;
  const paths = [oauthAuthorizationServer + path, openidConfiguration + path, path + openidConfiguration];
  return [...new Set(paths)].map((each) => origin + each);
}

/** Returns a scope whose token works at userinfo and at the server's APIs. */
function chooseScope(supported: unknown, defaultScope?: readonly string[]): string | undefined {
  if (!Array.isArray(supported) || !supported.includes("openid")) return undefined;
  const configured = findApiScopes(supported);
  // Without configured scopes, every scope exists, and `read` is the server's default.
  const forApis = defaultScope ?? (configured.length === 0 ? ["read"] : configured);
  return [...new Set([...personScopes.filter((name) => supported.includes(name)), ...forApis])].join(" ");
}

async function authorize(terms: FlowTerms, server: Server, verifier: string): Promise<string> {
  const state = randomBytes(16).toString("base64url");
  const params = {
    response_type: "code",
    client_id: terms.client.id,
    redirect_uri: terms.redirectUri,
    scope: terms.scope ?? server.usualScope,
    login_hint: terms.person,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    // RFC 9449 §10: binds the code to the key.
    dpop_jkt: server.key?.kid,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) query.set(name, value);
  }
  for (const resource of terms.resources) query.append("resource", resource);
  const { parEndpoint } = server;
  const carried = parEndpoint === undefined ? query : await push(terms, parEndpoint, query);
  const start = `${server.authorizationEndpoint}?${carried}`;
  const departure = await browse(start, (next) => next.searchParams.get("state") === state, terms);
  const answer = departure.url.searchParams;
  // RFC 9207 §2.4: an authorization response of another issuer is refused.
  if (answer.get("iss") !== terms.issuer) {
    throw failed(`the response names another issuer: ${quote(answer.get("iss"))}`);
  }
  const code = answer.get("code");
  if (code === null) throw refused(answer.get("error"), answer.get("error_description"));
  return code;
}

/** Pushes the request, and resolves to the parameters that refer to it (RFC 9126 §4). */
async function push(terms: FlowTerms, endpoint: string, query: URLSearchParams): Promise<URLSearchParams> {
  const { request_uri: requestUri, ...members } = await sendAsClient(terms, endpoint, query);
  if (typeof requestUri !== "string") throw refused(members["error"], members["error_description"]);
  return new URLSearchParams({ client_id: terms.client.id, request_uri: requestUri });
}

async function redeem(
  terms: FlowTerms,
  { tokenEndpoint, key }: Server,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const { redirectUri, resources } = terms;
  const form = new URLSearchParams({ grant_type: "authorization_code", code, code_verifier: verifier });
  if (redirectUri !== undefined) form.set("redirect_uri", redirectUri);
  for (const resource of resources) form.append("resource", resource);
  const { access_token: accessToken, ...members } = await sendAsClient(terms, tokenEndpoint, form, { key });
  if (typeof accessToken !== "string") throw refused(members["error"], members["error_description"]);
  // RFC 6750 §2.1. A line break would begin another header for the caller's curl.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) throw failed("the access token is not printable ASCII");
  if (key !== undefined && members["token_type"] !== "DPoP") {
    throw failed(`the server issued a token of type ${quote(members["token_type"])}, and not DPoP`);
  }
  return accessToken;
}

interface Proving {
  readonly key: SigningKey | undefined;
  readonly nonce?: string;
}

/** Sends the form with the credentials of the client, and with a proof of the key. */
async function sendAsClient(
  terms: FlowTerms,
  url: string,
  form: URLSearchParams,
  { key, nonce }: Proving = { key: undefined },
): Promise<Readonly<Record<string, unknown>>> {
  const { client: { id, secret = "", method }, issuer } = terms;
  const headers = new Headers({ accept: "application/json" });
  if (method === "client_secret_basic") headers.set("authorization", formatBasic(id, secret));
  else form.set("client_id", id);
  if (method === "client_secret_post") form.set("client_secret", secret);
  if (method === "client_secret_jwt") {
    const jti = randomBytes(16).toString("base64url");
    const sign = (claims: Members) => signWithSecret(secret, claims);
    const assertion = { clientId: id, issuer, jti, now: Date.now() / 1000, sign };
    for (const [name, value] of await formatAssertion(assertion)) form.set(name, value);
  }
  if (key !== undefined) {
    const proof = { method: "POST", url, ...(nonce === undefined ? {} : { nonce }) };
    headers.set("dpop", await createProof(key, proof));
  }
  const response = await sendRequest(url, { method: "POST", headers, body: form });
  const members = await readMembers(response);
  const demanded = response.headers.get("dpop-nonce");
  // RFC 9449 §8: the client sends the request again, once, with the nonce of the response.
  return key !== undefined && nonce === undefined && demanded !== null &&
      members["error"] === "use_dpop_nonce"
    ? await sendAsClient(terms, url, form, { key, nonce: demanded })
    : members;
}

async function readMembers(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => undefined);
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function refused(error: unknown, description: unknown): CommandError {
  const parts = [error, description].filter((each) => typeof each === "string").map((each) =>
    visible(`${each}`)
  );
  const advice = adviceOf.get(error);
  return failed(
    `the server refused: ${parts.join(": ") || "it gave no reason"}${
      advice === undefined ? "" : ` (${advice})`
    }`,
  );
}

const adviceOf: ReadonlyMap<unknown, string> = new Map([
  ["invalid_scope", "choose the scope with --scope, or give the server's configuration with --config FILE"],
  ["invalid_target", "choose the API with --resource"],
  ["invalid_dpop_proof", "this client needs a bound token: give the address of the API with --dpop"],
  [
    "invalid_client",
    `set the environment variable ${secretVariable} to the client's secret, or give the server's configuration ` +
    "with --config FILE",
  ],
]);

function failed(message: string): CommandError {
  return new CommandError(message, 1);
}

function quote(value: unknown): string {
  return visible(JSON.stringify(value) ?? "none");
}
