/** Runs a complete code flow with PKCE against a running server, without a browser (OAuth 2.1 §4.1). */

import { randomBytes } from "node:crypto";
import type { ClientReply, DpopKey } from "../client/dpop_key.ts";
import { authorizationParams, carriedParams, codeParams, pushedParams } from "../client/flow.ts";
import { type ClientForm, sendAsClient } from "../client/send_as_client.ts";
import { formatParams, type Pair } from "../http/form.ts";
import { metadataPaths } from "../oauth/metadata_addresses.ts";
import type { Members } from "../oauth/members.ts";
import { visible } from "../pages/visible.ts";
import { type JsonObject, parseJsonObject } from "../schema/json_object.ts";
import { browse, type SignInTerms } from "./browse.ts";
import { type CommandError, failed } from "./command_error.ts";
import { sendRequest } from "./send_request.ts";
import { findApiScopes, personScopes } from "./usual_scope.ts";
import { present } from "../present.ts";
import { generateSigningJwk } from "../crypto/jwk.ts";
import { sha256, signingAlgorithms } from "../crypto/platform.ts";
import { importSigningKey } from "../crypto/jwt.ts";

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
  readonly dpop?: DpopKey;
}

export async function runFlow(terms: FlowTerms): Promise<IssuedToken> {
  const server = await discover(terms);
  const verifier = randomBytes(32).toString("base64url");
  const code = await authorize(terms, server, verifier);
  const accessToken = await redeem(terms, server, { code, verifier });
  return { accessToken, ...present({ dpop: server.dpop }) };
}

interface Server {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** The endpoint for pushed requests, if the client must push its request. */
  readonly parEndpoint?: string;
  /** The scope to request if the caller names none. Absent: the server decides. */
  readonly usualScope?: string;
  /** The key that the token will be bound to. */
  readonly dpop?: DpopKey;
}

async function discover({ issuer, defaultScope, client, usesDpop = false }: FlowTerms): Promise<Server> {
  const { authorizationEndpoint, tokenEndpoint, metadata } = await loadMetadata(issuer);
  // RFC 8414 §3.3: the metadata of another issuer could send the code to another server.
  if (metadata["issuer"] !== issuer) {
    throw failed(`the issuer of that server is ${quote(metadata["issuer"])}: use it with --issuer`);
  }
  const usualScope = chooseScope(metadata["scopes_supported"], defaultScope?.split(" "));
  const parEndpoint = metadata["pushed_authorization_request_endpoint"];
  const dpop = usesDpop ? await createProofKey(metadata["dpop_signing_alg_values_supported"]) : undefined;
  if (usesDpop && dpop === undefined) {
    throw failed(`${issuer} cannot bind tokens: its metadata has no known dpop_signing_alg_values_supported`);
  }
  const mustPush = client.mustPush === true || metadata["require_pushed_authorization_requests"] === true;
  return {
    authorizationEndpoint,
    tokenEndpoint,
    ...(mustPush && typeof parEndpoint === "string" ? { parEndpoint } : {}),
    ...present({ usualScope, dpop }),
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
  const state = createId();
  const params = authorizationParams({
    clientId: terms.client.id,
    redirectUri: terms.redirectUri,
    state,
    challenge: sha256(verifier),
    scope: terms.scope ?? server.usualScope,
    thumbprint: server.dpop?.key.kid,
    resources: terms.resources,
    more: { login_hint: terms.person },
  });
  const { parEndpoint } = server;
  const carried = parEndpoint === undefined ? params : await push(terms, parEndpoint, params);
  const start = `${server.authorizationEndpoint}?${formatParams(carried)}`;
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
async function push(terms: FlowTerms, url: string, params: readonly Pair[]): Promise<readonly Pair[]> {
  const { request_uri: requestUri, ...members } = await send(terms, { url, params: pushedParams(params) });
  if (typeof requestUri !== "string") throw refused(members["error"], members["error_description"]);
  return carriedParams(terms.client.id, "request_uri", requestUri);
}

async function redeem(
  terms: FlowTerms,
  { tokenEndpoint: url, dpop }: Server,
  { code, verifier: codeVerifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const { redirectUri, resources } = terms;
  const params = codeParams({ code, redirectUri, codeVerifier, resources });
  const { access_token: accessToken, ...members } = await send(terms, { url, params, dpop });
  if (typeof accessToken !== "string") throw refused(members["error"], members["error_description"]);
  // RFC 6750 §2.1. A line break would begin another header for the caller's curl.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) throw failed("the access token is not printable ASCII");
  if (dpop !== undefined && members["token_type"] !== "DPoP") {
    throw failed(`the server issued a token of type ${quote(members["token_type"])}, and not DPoP`);
  }
  return accessToken;
}

/** Returns a value that the client uses once. */
export function createId(): string {
  return randomBytes(16).toString("base64url");
}

interface Reply extends ClientReply {
  readonly members: JsonObject;
}

/** Sends the form with the credentials of the client, and with a proof of the key. */
async function send(
  { client: { id: clientId, method, secret }, issuer }: FlowTerms,
  form: Omit<ClientForm, "identity">,
): Promise<JsonObject> {
  const terms = { issuer, now: Date.now() / 1000, createId };
  const { members } = await sendAsClient(
    { ...form, identity: { clientId, method, secret } },
    terms,
    async ({ url, method, headers, form = [] }): Promise<Reply> => {
      const response = await sendRequest(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: formatParams(form),
      });
      const body = await response.text().catch(() => "");
      return {
        status: response.status,
        body,
        members: parseJsonObject(body) ?? {},
        nonce: response.headers.get("dpop-nonce") ?? undefined,
      };
    },
  );
  return members;
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

function quote(value: unknown): string {
  return visible(JSON.stringify(value) ?? "none");
}

/** Creates a key for the first of these algorithms that the command can use. `undefined`: it can use none. */
export async function createProofKey(supported: unknown): Promise<DpopKey | undefined> {
  if (!Array.isArray(supported)) return undefined;
  // A key of ES256 is small, and quick to create.
  const alg = ["ES256" as const, ...signingAlgorithms].find((each) => supported.includes(each));
  if (alg === undefined) return undefined;
  return { key: await importSigningKey(await generateSigningJwk(alg), alg), nonces: new Map() };
}
