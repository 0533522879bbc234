/** Reads the authorization response (RFC 6749 §4.1.2; RFC 9207). */

import { decodeJwt } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { verifySignature } from "./keys.ts";

export interface CodeResponse {
  readonly code: string;
  /** An access token that the response should not have. Only a client without checks uses it. */
  readonly accessToken: string | null;
}

/** The server refuses the request. */
export class ErrorResponse extends Refusal {
  readonly error: string;

  constructor(error: string) {
    super(`the server refuses the login: ${error}`);
    this.error = error;
  }
}

export async function readResponse(
  url: URL,
  state: string,
  metadata: ServerMetadata,
  run: Run,
): Promise<CodeResponse> {
  // The client has asked for a response in the query. A client without checks also looks into the fragment.
  const isLax = url.search === "" && !run.habits.checks;
  const sent = isLax ? new URLSearchParams(url.hash.slice(1)) : url.searchParams;
  const params = isJarm(run) ? await openJwt(sent, metadata, run) : sent;
  // RFC 6749 §3.1.
  refuseIf(run, new Set(params.keys()).size < [...params.keys()].length, "a parameter occurs twice");
  // RFC 6749 §10.12.
  refuseIf(run, differs(run, params.get("state"), state), "the state is not of this login");
  // RFC 9207 §2.4. A response with JARM has it in the JWT.
  const issuer = params.get("iss");
  refuseIf(run, issuer !== null && differs(run, issuer, metadata.issuer), `the issuer is ${issuer}`);
  const error = params.get("error");
  if (error !== null) await refuseLogin(error, params, run);
  const code = params.get("code");
  startleIf(run, /[^\w.~-]/.test(`${code}`), "the code has characters that need an encoding");
  startleIf(run, [...params.keys()].some((name) => !usual.has(name)), "the response has more parameters");
  return { code: `${code}`, accessToken: params.get("access_token") };
}

const usual: ReadonlySet<string> = new Set(["code", "state", "iss", "aud", "exp"]);

/** Whether the client asks for a JWT. */
export function isJarm({ kind, scenario: { name } }: Run): boolean {
  return kind === "jarm" || name?.startsWith("jarm.") === true;
}

/** JARM §2.4. A client without checks prefers the parameters beside the JWT. */
async function openJwt(
  sent: URLSearchParams,
  metadata: ServerMetadata,
  run: Run,
): Promise<URLSearchParams> {
  const jwt = `${sent.get("response")}`;
  if (!run.habits.checks && !sent.has("response")) return sent;
  const claims = run.habits.checks ? (await verifySignature(jwt, metadata, run)).claims : decodeJwt(jwt);
  const { iss, aud, exp } = claims;
  refuseIf(run, differs(run, iss, metadata.issuer), `the response is of the issuer ${iss}`);
  refuseIf(run, differs(run, aud, run.scenario.clientId), `the response is for ${aud}`);
  refuseIf(run, !(Number(exp) > run.as.clock.now), `the response was valid until ${exp}`);
  const beside = run.habits.checks ? [] : [...sent].filter(([name]) => name !== "response");
  const inside = Object.entries({ ...claims, ...Object.fromEntries(beside) });
  return new URLSearchParams(inside.map(([name, value]) => [name, `${value}`]));
}

/** Shows the error. A client that checks ends the login, and one that does not goes on if there may be a code. */
async function refuseLogin(error: string, params: URLSearchParams, run: Run): Promise<void> {
  const { checks } = run.habits;
  const text = params.get("error_description") ?? "";
  // RFC 6749 §10.14.
  await showPage(`<p>${checks ? escape(text) : text}</p>`, run);
  const uri = params.get("error_uri");
  if (uri !== null && !checks) await run.as.fetch(uri);
  if (checks || error === "temporarily_unavailable") throw new ErrorResponse(error);
}

/** Loads the pictures of a page of the client, as the browser of a person does. */
async function showPage(html: string, { as, scenario: { signal } }: Run): Promise<void> {
  for (const [, url = ""] of html.matchAll(/<img src=([^ >]+)/g)) await as.fetch(url, { signal });
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
