/** Calls an API of which the client knows only the URL, and finds out the rest (RFC 9728; RFC 6750 §3.1; RFC 9470). */

import { type ApiMetadata, loadApiMetadata } from "./api_metadata.ts";
import { type Challenge, readChallenge } from "./challenge.ts";
import { discover, type ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { type Login, logIn } from "./login.ts";
import { refresh } from "./refresh.ts";

/** What the client knows at one time. */
interface State {
  readonly metadata: ServerMetadata;
  readonly api: ApiMetadata;
  readonly scope: readonly string[];
  readonly login: Login;
  readonly isRefreshed: boolean;
  /** How often the API has refused this client. */
  readonly refusals: number;
}

// A client without checks begins again each time, but this test ends at some time.
const mostCalls = 10;

export async function callUnknownApi(run: Run): Promise<void> {
  const { api, signal } = run.scenario;
  const headers: HeadersInit = run.kind === "api_metadata" ? {} : { "mcp-protocol-version": version };
  const unauthorized = await run.as.fetch(api, { headers, signal });
  const type = unauthorized.headers.get("content-type");
  startleIf(run, type !== null, `the refusal of the API has the Content-Type ${type}`);
  let state = await begin(readChallenge(unauthorized, run), run);
  for (let call = 1;; call++) {
    const response = await callWith(state, run);
    if (response.ok) return;
    if (call === mostCalls) throw new Refusal(`the API answers ${response.status}`);
    state = await answerRefusal(response, { ...state, refusals: call }, run);
  }
}

async function begin(challenge: Challenge, run: Run): Promise<State> {
  const { api, issuer } = run.scenario;
  const found = await loadApiMetadata(challenge, run);
  refuseIf(run, found === undefined && run.kind === "api_metadata", "the API has no metadata");
  const described = found ??
    { resource: api, issuers: [issuer], scopes: [], tokenInQuery: false };
  const metadata = await discover(withIssuer(chooseIssuer(described, run), run));
  // MCP, "Authorization Code Protection".
  const isOfMcp = run.kind !== "api_metadata";
  refuseIf(
    run,
    isOfMcp && metadata.all["code_challenge_methods_supported"] === undefined,
    "there is no PKCE",
  );
  const scope = chooseScope(challenge, described, run);
  const login = await logIn(metadata, withScope(scope, described, run));
  return { metadata, api: described, scope, login, isRefreshed: false, refusals: 0 };
}

/** A client that checks has registered at one server only, and uses no other (RFC 9728 §7.6). */
function chooseIssuer({ issuers: [first, ...others] }: ApiMetadata, run: Run): string {
  const { issuer } = run.scenario;
  startleIf(run, others.length > 0, "several servers");
  if (first === undefined || others.includes(issuer) && run.habits.checks) return issuer;
  refuseIf(run, first !== issuer && !run.habits.follows, `the API trusts the server ${first}`);
  return first;
}

/** Of MCP. */
const version = "2026-07-28";

const usualScope = ["openid", "offline_access"];

/** The challenge counts, and not the list of all scopes (RFC 6750 §3). */
function chooseScope({ scope }: Challenge, { scopes }: ApiMetadata, { habits }: Run): readonly string[] {
  const challenged = scope?.split(" ") ?? ["orders"];
  return [...usualScope, ...!habits.checks && scopes.length > 0 ? scopes : challenged];
}

function withIssuer(issuer: string, run: Run): Run {
  return { ...run, scenario: { ...run.scenario, issuer } };
}

function withScope(scope: readonly string[], { resource }: ApiMetadata, run: Run): Run {
  return { ...run, scope, scenario: { ...run.scenario, api: resource } };
}

async function callWith({ login: { tokens }, api: { tokenInQuery } }: State, run: Run): Promise<Response> {
  const { as, habits, scenario: { api, signal } } = run;
  const token = `${tokens["access_token"]}`;
  const url = tokenInQuery ? `${api}?${new URLSearchParams({ access_token: token })}` : api;
  const headers: HeadersInit = tokenInQuery ? {} : { authorization: `Bearer ${token}` };
  const response = await as.fetch(url, { headers, redirect: "manual", signal });
  const location = response.headers.get("location");
  if (location === null) return response;
  // RFC 6750 §5.3: the token is for this API only.
  refuseIf(run, new URL(location).origin !== new URL(api).origin, `the API redirects to ${location}`);
  return habits.checks ? response : await as.fetch(location, { headers, signal });
}

/** Does what may help after a refusal of the API, or throws. */
async function answerRefusal(response: Response, state: State, run: Run): Promise<State> {
  const challenge = readChallenge(response, run);
  // A client without checks repeats the call first, and believes that a refresh helps against everything.
  if (!run.habits.checks && state.refusals <= 2) return state;
  if (!run.habits.checks && state.refusals <= 4) return await renew(challenge, state, run);
  if (challenge["error"] === "insufficient_scope") return await stepUp(challenge, state, run);
  const { error, max_age: maxAge } = challenge;
  refuseIf(run, state.isRefreshed, `the API refuses a new token: ${error}`);
  if (run.habits.checks && error === "insufficient_user_authentication" && maxAge !== undefined) {
    return await signInAgain(maxAge, state, run);
  }
  return await renew(challenge, state, run);
}

/** MCP, "Step-Up Authorization Flow": the union of the scopes, and only if it is more than before. */
async function stepUp(challenge: Challenge, state: State, run: Run): Promise<State> {
  const asked = challenge["scope"]?.split(" ") ?? [];
  const isUnion = run.habits.checks && run.kind !== "api_metadata";
  const scope = isUnion ? [...new Set([...state.scope, ...asked])] : [...usualScope, ...asked];
  refuseIf(
    run,
    scope.every((each) => state.scope.includes(each)),
    "the API refuses a token that has the scope",
  );
  const login = await logIn(state.metadata, withScope(scope, state.api, run));
  return { ...state, scope, login };
}

/** RFC 9470 §4. */
async function signInAgain(maxAge: string, state: State, run: Run): Promise<State> {
  const again = { ...withScope(state.scope, state.api, run), params: { max_age: maxAge } };
  return { ...state, login: await logIn(state.metadata, again), isRefreshed: true };
}

/** Loads the metadata of the API again (RFC 9728 §5.2), and refreshes the tokens. */
async function renew(challenge: Challenge, state: State, run: Run): Promise<State> {
  const api = await loadApiMetadata(challenge, run) ?? state.api;
  const issuer = chooseIssuer(api, run);
  const metadata = issuer === state.metadata.issuer
    ? state.metadata
    : await discover(withIssuer(issuer, run));
  const login = await refresh(state.login, metadata, withScope(state.scope, api, run));
  return { ...state, api, metadata, login, isRefreshed: true };
}
