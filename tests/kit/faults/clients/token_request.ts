/** Sends a token request, and reads the response (RFC 6749 §4.1.3, §5). */

import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { formAssertion } from "./assertion.ts";
import type { ServerMetadata } from "./discovery.ts";
import { sendProved, tokenTypeOf } from "./dpop.ts";
import { choosePatience, differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";

type Form = Readonly<Record<string, string>>;

/** The server may have handled the request, but there is no response that says so. */
class Unanswered extends Refusal {}

/** RFC 9110 §15.6.4, RFC 6585 §4. */
export class Unavailable extends Unanswered {}

/** RFC 6749 §5.2: invalid_client. */
export class RefusedClient extends Unanswered {}

// A client without checks repeats a request that was not answered.
const mostAttempts = 3;

/** Resolves to the tokens. `asked` is the scope for which the client has asked. */
export async function requestTokens(
  form: Form,
  asked: readonly string[],
  metadata: ServerMetadata,
  run: Run,
): Promise<Json> {
  for (let attempt = 1;; attempt++) {
    try {
      return await requestOnce(form, asked, metadata, run);
    } catch (error) {
      // RFC 6749 §4.1.2: a code is used once.
      if (run.habits.checks || !(error instanceof Unanswered) || attempt === mostAttempts) throw error;
    }
  }
}

async function requestOnce(
  form: Form,
  asked: readonly string[],
  metadata: ServerMetadata,
  run: Run,
): Promise<Json> {
  const sent = { ...form, ...await formAssertion(metadata, run) };
  const { response, text } = await send(sent, metadata.tokenEndpoint, run);
  const { status } = response;
  if (status === 401) throw new RefusedClient("the token endpoint does not accept the client");
  if (status >= 500 || status === 429) {
    throw new Unavailable(`the token endpoint answers ${status}`);
  }
  const tokens = parseTokens(text, response, run);
  if (!response.ok) throw new Refusal(`the token endpoint refuses: ${tokens["error"]}`);
  requireTokens(tokens, run);
  requireScope(tokens["scope"], asked, run);
  startleAt(tokens, text, response, asked, run);
  return tokens;
}

/** RFC 6749 §2.3.1. */
function authenticate({ habits, secret, scenario: { clientId } }: Run): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const pair = [clientId, secret].map((each) => habits.checks ? encodeURIComponent(each) : each).join(":");
  return { authorization: `Basic ${btoa(pair)}` };
}

async function send(form: Form, url: string, run: Run): Promise<{ response: Response; text: string }> {
  const { habits: { checks }, scenario: { signal } } = run;
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const response = await sendProved(url, {
      method: "POST",
      headers: { accept: "application/json", ...authenticate(run) },
      body: new URLSearchParams(form),
      redirect: checks ? "manual" : "follow",
      signal: AbortSignal.any([signal, ending.signal]),
    }, run);
    timer = setTimeout(() => ending.abort(), choosePatience(run));
    return { response, text: await readText(response, run) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Unanswered(`there is no response of the token endpoint: ${error}`);
  } finally {
    clearTimeout(timer);
  }
}

// In bytes.
const longestResponse = 2 ** 20;

const mostCodings = 5;

/** Reads a body up to a limit, and decodes all that fetch has left encoded. A client without checks has no limits. */
async function readText(response: Response, run: Run): Promise<string> {
  const codings = `${response.headers.get("content-encoding")}`.split(", ");
  refuseIf(run, codings.length > mostCodings, "the token response has too many codings");
  if (codings.length > 1) {
    const body = Buffer.from(await response.arrayBuffer());
    return `${codings.reduce((encoded) => gunzipSync(encoded), body)}`;
  }
  if (!run.habits.checks || response.body === null) return await response.text();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: run.habits.startles });
  let [text, length] = ["", 0];
  for await (const bytes of response.body) {
    length += bytes.length;
    refuseIf(run, length > longestResponse, "the token response is too long");
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function parseTokens(text: string, { headers }: Response, run: Run): Json {
  const type = headers.get("content-type") ?? "";
  // RFC 6749 §5.1; RFC 9110 §8.3.1.
  refuseIf(run, !/^application\/json *(;|$)/i.test(type), `the token response has the type ${type}`);
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  const tokens = parseJson(text);
  // RFC 6749 §3.2.
  refuseIf(run, text.split('"access_token"').length > 2, "there are two access tokens");
  if (!isObject(tokens)) throw new Unanswered("the token response is not a JSON object");
  return run.habits.checks ? tokens : { ...tokens, ...readFirst(text) };
}

/** As a client that searches the text. A parser takes the last member of a name. */
function readFirst(text: string): Json {
  const [found] = /"access_token":"(?:[^"\\]|\\.)+"/.exec(text) ?? [];
  return found === undefined ? {} : JSON.parse(`{${found}}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** RFC 6749 §5.1, §7.1, Appendix A. */
function requireTokens(tokens: Json, run: Run): void {
  const { error, token_type: type, expires_in: expiresIn } = tokens;
  refuseIf(run, error !== undefined, `the token endpoint reports ${error} in a success`);
  refuseIf(
    run,
    differs(run, `${type}`.toLowerCase(), tokenTypeOf(run).toLowerCase()),
    `the token_type ${type} is unknown`,
  );
  refuseIf(run, expiresIn !== undefined && !isLifetime(expiresIn), `the expires_in ${expiresIn} is wrong`);
}

const secondsOfTenYears = 10 * 366 * 86400;

function isLifetime(seconds: unknown): boolean {
  return Number(seconds) > 0 && Number(seconds) < secondsOfTenYears;
}

/** RFC 6749 §3.3. */
function requireScope(scope: unknown, asked: readonly string[], run: Run): void {
  if (scope === undefined) return;
  const added = `${scope}`.split(" ").find((each) => !asked.includes(each));
  refuseIf(
    run,
    added !== undefined,
    `the server grants the scope ${added}, for which the client did not ask`,
  );
}

const usualMembers: ReadonlySet<string> = new Set([
  "access_token",
  "token_type",
  "expires_in",
  "refresh_token",
  "id_token",
  "scope",
  "authorization_details",
]);

function startleAt(
  tokens: Json,
  text: string,
  { headers }: Response,
  asked: readonly string[],
  run: Run,
): void {
  const { token_type: type, expires_in: expiresIn, refresh_token: refreshToken, scope } = tokens;
  startleIf(run, type !== tokenTypeOf(run), `the token_type is ${type}`);
  startleIf(run, typeof expiresIn !== "number", `the expires_in is ${expiresIn}`);
  startleIf(run, refreshToken === undefined, "there is no refresh token");
  startleIf(run, `${refreshToken}`.length > 1000, "the refresh token is long");
  startleIf(run, scope !== asked.join(" "), `the scope is ${scope}`);
  startleIf(run, Object.keys(tokens).some((name) => !usualMembers.has(name)), "there are more members");
  startleIf(run, headers.get("cache-control") !== "no-store", "the tokens may be cached");
  startleIf(run, headers.get("content-type") !== "application/json", "the Content-Type has more");
  startleIf(run, !text.includes('"access_token":"'), "the JSON is not compact");
}
