/** Runs a complete code flow with PKCE against a running server, without a browser (OAuth 2.1 §4.1). */

import { createHash, randomBytes } from "node:crypto";
import { publicClientMethod } from "../oauth/clients/client.ts";
import { formatBasic } from "../oauth/clients/format_basic.ts";
import { visible } from "../pages/visible.ts";
import { browse, type SignInTerms } from "./browse.ts";
import { CommandError } from "./command_error.ts";
import { sendRequest } from "./send_request.ts";

export interface FlowTerms extends SignInTerms {
  readonly client: {
    readonly id: string;
    readonly secret?: string;
    /** The registered authentication method; `none` for a public client. */
    readonly method: string;
  };
  /** May be left out for a client with oauth_version 2.1 and only one redirect URI. */
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly resources: readonly string[];
}

export async function runFlow(terms: FlowTerms): Promise<string> {
  const endpoints = await discover(terms.issuer);
  const verifier = randomBytes(32).toString("base64url");
  const code = await authorize(terms, endpoints, verifier);
  return await redeem(terms, endpoints, { code, verifier });
}

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
}

async function discover(issuer: string): Promise<Endpoints> {
  const { origin, pathname } = new URL(issuer);
  const url = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, "")}`;
  const response = await sendRequest(url, {});
  const metadata = await readMembers(response);
  const { authorization_endpoint: authorization, token_endpoint: token } = metadata;
  if (!response.ok || typeof authorization !== "string" || typeof token !== "string") {
    throw failed(`${issuer} is not an authorization server: ${url} answers ${response.status}`);
  }
  // RFC 8414 §3.3: the metadata of another issuer could send the code to another server.
  if (metadata["issuer"] !== issuer) {
    throw failed(`the issuer of that server is ${quote(metadata["issuer"])}: use it with --issuer`);
  }
  return { authorization, token };
}

async function authorize(terms: FlowTerms, endpoints: Endpoints, verifier: string): Promise<string> {
  const state = randomBytes(16).toString("base64url");
  const url = new URL(endpoints.authorization);
  const params = {
    response_type: "code",
    client_id: terms.client.id,
    redirect_uri: terms.redirectUri,
    scope: terms.scope,
    login_hint: terms.person,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  for (const resource of terms.resources) url.searchParams.append("resource", resource);
  const answer = await browse(url.href, state, terms);
  // RFC 9207 §2.4: an authorization response of another issuer is refused.
  if (answer.get("iss") !== terms.issuer) {
    throw failed(`the response names another issuer: ${quote(answer.get("iss"))}`);
  }
  const code = answer.get("code");
  if (code === null) throw refused(answer.get("error"), answer.get("error_description"));
  return code;
}

async function redeem(
  { client, redirectUri, resources }: FlowTerms,
  { token }: Endpoints,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const { id, secret = "", method } = client;
  const form = new URLSearchParams({ grant_type: "authorization_code", code, code_verifier: verifier });
  if (redirectUri !== undefined) form.set("redirect_uri", redirectUri);
  for (const resource of resources) form.append("resource", resource);
  const headers = new Headers({ accept: "application/json" });
  if (method === "client_secret_basic") headers.set("authorization", formatBasic(id, secret));
  else form.set("client_id", id);
  if (method !== "client_secret_basic" && method !== publicClientMethod) form.set("client_secret", secret);
  const members = await readMembers(await sendRequest(token, { method: "POST", headers, body: form }));
  const { access_token: accessToken } = members;
  if (typeof accessToken !== "string") throw refused(members["error"], members["error_description"]);
  return accessToken;
}

async function readMembers(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => undefined);
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function refused(error: unknown, description: unknown): CommandError {
  const parts = [error, description].filter((each) => typeof each === "string").map((each) =>
    visible(`${each}`)
  );
  return failed(`the server refused: ${parts.join(": ") || "it gave no reason"}`);
}

function failed(message: string): CommandError {
  return new CommandError(message, 1);
}

function quote(value: unknown): string {
  return visible(JSON.stringify(value) ?? "none");
}
