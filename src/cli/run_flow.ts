/** The whole code flow with PKCE against a server that runs, with a browser that has no screen (OAuth 2.1 §4.1). */

import { createHash, randomBytes } from "node:crypto";
import { CommandError } from "./command_error.ts";
import { formatBasic } from "../oauth/clients/format_basic.ts";
import { findFormAction, findSealedRequest, findText, unescapeHtml } from "../http/html.ts";
import { paths } from "../oauth/paths.ts";
import { publicClientMethod } from "../oauth/clients/client.ts";
import { visible } from "../pages/visible.ts";
import { nameProgram } from "./program.ts";

export interface FlowTerms {
  readonly issuer: string;
  readonly client: {
    readonly id: string;
    readonly secret?: string;
    /** As registered: `none` without a secret. */
    readonly method: string;
  };
  /** Left out: the only one of a client with oauth_version 2.1. */
  readonly redirectUri?: string;
  /** Left out: whoever the server offers first. */
  readonly person?: string;
  readonly password?: string;
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
  const response = await send(url, {});
  const metadata = await readMembers(response);
  const { authorization_endpoint: authorization, token_endpoint: token } = metadata;
  if (!response.ok || typeof authorization !== "string" || typeof token !== "string") {
    throw failed(`${issuer} is no authorization server: ${url} answers ${response.status}`);
  }
  // RFC 8414 §3.3: else the code would go wherever that document says.
  if (metadata["issuer"] !== issuer) {
    throw failed(`the server there calls itself ${quote(metadata["issuer"])}: say it with --issuer`);
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
  // RFC 9207 §2.4: an answer of another server is none.
  if (answer.get("iss") !== terms.issuer) throw failed(`the answer is from ${quote(answer.get("iss"))}`);
  const code = answer.get("code");
  if (code === null) throw refused(answer.get("error"), answer.get("error_description"));
  return code;
}

/** Follows redirects and answers forms until the server sends the browser to the client. */
async function browse(start: string, state: string, terms: FlowTerms): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let steps = 0; steps < 10; steps++) {
    const response = await send(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const html = await response.text();
    if (location !== null) {
      const next = new URL(location, url);
      if (next.searchParams.get("state") === state) return next.searchParams;
      if (next.origin !== new URL(terms.issuer).origin) {
        throw failed(`the server sends the browser to ${next.origin}`);
      }
      [url, form] = [next.href, undefined];
    } else {
      const action = findFormAction(html);
      const request = findSealedRequest(html);
      if (action === undefined || request === undefined) throw describePage(html, response.status);
      const next = new URL(action, url);
      form = new URLSearchParams({ request, ...answerForm(html, next.pathname, response.status, terms) });
      url = next.href;
    }
  }
  throw failed("the server asks again and again");
}

function answerForm(
  html: string,
  action: string,
  status: number,
  { person, password }: FlowTerms,
): Readonly<Record<string, string>> {
  if (action.endsWith(paths.consent)) return { decision: "approve" };
  if (!action.endsWith(paths.signIn)) {
    throw failed(`the server shows a form that is not known here: ${action}`);
  }
  if (status >= 400) throw failed(`${person} could not sign in with this password`);
  const offered = [...html.matchAll(/\sname="person"\svalue="([^"]*)"/g)].map(([, value = ""]) =>
    unescapeHtml(value)
  );
  const picked = person ?? offered[0];
  if (picked !== undefined && offered.includes(picked)) return { person: picked };
  if (picked !== undefined && password !== undefined) return { username: picked, password };
  throw failed(
    picked === undefined
      ? "everybody there has a password: name somebody, and say --password"
      : `${picked} is not among those who sign in without a password (${offered.join(", ") || "nobody"}): ` +
        "say --password, or name somebody else",
  );
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
  const members = await readMembers(await send(token, { method: "POST", headers, body: form }));
  const { access_token: accessToken } = members;
  if (typeof accessToken !== "string") throw refused(members["error"], members["error_description"]);
  return accessToken;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
  } catch (error) {
    const { origin } = new URL(url);
    const { message, code, cause } = error as Error & { readonly code?: string };
    const reasons = [
      message,
      code,
      (cause as Error | undefined)?.message,
      (cause as { code?: string } | undefined)?.code,
    ].filter(Boolean).join(", ");
    throw failed(explainUnreached(origin, reasons), error);
  }
}

/** The runtimes say the same in different words. */
export function explainUnreached(origin: string, reasons: string): string {
  if (/refused/i.test(reasons)) {
    return `nothing answers at ${origin}: start a server with "${describeStart(new URL(origin))}"`;
  }
  if (/CaUsedAsEndEntity/.test(reasons)) {
    return `the certificate of ${origin} is that of an authority, which Deno does not take for a server's: ` +
      "make one with basicConstraints CA:FALSE, or one that an authority has signed";
  }
  if (/UnknownIssuer|self.signed certificate|unable to (verify|get)/i.test(reasons)) {
    return `nothing here trusts the certificate of ${origin}: name its file, or that of its authority, in the ` +
      "environment variable DENO_CERT (Deno) or NODE_EXTRA_CA_CERTS (Node, Bun)";
  }
  return `${origin} cannot be reached: ${reasons}`;
}

function describeStart({ protocol, port }: URL): string {
  const isSecure = protocol === "https:";
  const listensAt = port || (isSecure ? "443" : "80");
  return [
    `${nameProgram()} start`,
    ...(listensAt === "9000" ? [] : [`--port ${listensAt}`]),
    ...(isSecure ? ["--tls-cert FILE --tls-key FILE"] : []),
  ].join(" ");
}

async function readMembers(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => undefined);
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

/** The server says there why it refuses: nobody is trusted to receive the answer. */
function describePage(html: string, status: number): CommandError {
  const text = findText(html, /<p[^>]*\sid="description"[^>]*>([^<]*)</) ?? `it answers ${status}`;
  return failed(`the server refused: ${visible(text)}`);
}

function refused(error: unknown, description: unknown): CommandError {
  const words = [error, description].filter((each) => typeof each === "string").map((each) =>
    visible(`${each}`)
  );
  return failed(`the server refused: ${words.join(": ") || "without a word"}`);
}

function failed(message: string, cause?: unknown): CommandError {
  return new CommandError(message, 1, { cause });
}

function quote(value: unknown): string {
  return visible(JSON.stringify(value) ?? "nobody");
}
