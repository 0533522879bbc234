/** A client in few lines, written from the standards and not from the catalogue. It makes every check that they demand. */
import { base64url, createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";
import type { ExamineTerms, Mock, Scenario } from "../../../src/mock/mod.ts";

type Members = Readonly<Record<string, unknown>>;

interface Session {
  readonly as: Mock;
  readonly scenario: Scenario;
  readonly metadata: Members;
}

interface Tokens extends Members {
  readonly access_token: string;
}

export const careful: ExamineTerms["client"] = async (as, scenario) => {
  const session = { as, scenario, metadata: await discover(as, scenario) };
  if (scenario.phase === "logout") scenario.serve((request) => receiveLogout(request, session));
  const { tokens, claims } = await logIn(session);
  // An access token for the API is not for userinfo.
  if (!usesApi(scenario)) await readUserinfo(tokens, claims, session);
  if (scenario.phase === "refresh") await callApi(await refresh(tokens, claims, session), session);
  if (scenario.phase === "call_api") await callApi(tokens, session);
  if (scenario.phase === "logout") await logOut(tokens, session);
};

function usesApi({ phase }: Scenario): boolean {
  return phase === "refresh" || phase === "call_api";
}

function refuse(reason: string): never {
  throw new Error(reason);
}

function textOf(value: unknown, name: string): string {
  return typeof value === "string" && value !== "" ? value : refuse(`${name} is no text`);
}

const longestAnswer = 1_000_000;

async function readJson(response: Response, wanted = 200): Promise<Members> {
  if (response.status !== wanted) refuse(`the status is ${response.status}`);
  if (!/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) refuse("it is no JSON");
  const text = await response.text();
  if (text.length > longestAnswer) refuse("it is too long");
  const value: unknown = JSON.parse(text);
  return Object(value) === value && !Array.isArray(value) ? value as Members : refuse("it is no object");
}

async function discover({ fetch }: Mock, { issuer, signal }: Scenario): Promise<Members> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const metadata = await readJson(await fetch(url, { redirect: "error", signal }));
  if (metadata["issuer"] !== issuer) refuse("the metadata is of another issuer");
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    requireSecure(metadata[name], name);
  }
  const methods = metadata["code_challenge_methods_supported"];
  if (!Array.isArray(methods) || !methods.includes("S256")) refuse("the server does not support PKCE");
  return metadata;
}

function requireSecure(value: unknown, name: string): string {
  const { protocol, hostname, href } = new URL(textOf(value, name));
  return protocol === "https:" || hostname === "localhost" ? href : refuse(`${name} is not https`);
}

function random(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (each) => each.toString(16).padStart(2, "0"))
    .join("");
}

async function logIn(session: Session): Promise<{ tokens: Tokens; claims: JWTPayload }> {
  const { scenario: { clientId, redirectUri, browse, api }, metadata } = session;
  const isForApi = usesApi(session.scenario);
  const [state, nonce, verifier] = [random(), random(), random()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const challenge = base64url.encode(new Uint8Array(digest));
  const url = new URL(textOf(metadata["authorization_endpoint"], "authorization_endpoint"));
  const request = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state, nonce },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
    ...(isForApi ? { scope: "openid orders offline_access", resource: api } : { scope: "openid" }),
  };
  for (const [name, value] of Object.entries(request)) url.searchParams.append(name, value);
  const answer = (await browse(url)).searchParams;
  const one = (name: string) =>
    answer.getAll(name).length > 1 ? refuse(`two ${name}`) : answer.get(name) ?? undefined;
  if (one("state") !== state) refuse("the state is another one");
  const knowsIss = metadata["authorization_response_iss_parameter_supported"] === true;
  if (one("iss") !== (knowsIss ? session.scenario.issuer : undefined)) refuse("the iss is another one");
  if (one("error") !== undefined) refuse(`the server answers ${one("error")}`);
  const tokens = await requestTokens({
    ...{ grant_type: "authorization_code", code: textOf(one("code"), "code") },
    ...{ redirect_uri: redirectUri, code_verifier: verifier, ...(isForApi ? { resource: api } : {}) },
  }, session);
  const claims = await verify(tokens["id_token"], session);
  if (claims["nonce"] !== nonce) refuse("the nonce is another one");
  const { at_hash: hash = await leftHalf(tokens.access_token) } = claims;
  if (hash !== await leftHalf(tokens.access_token)) refuse("the access token is another one");
  return { tokens, claims };
}

/** OpenID Connect Core §3.1.3.6. */
async function leftHalf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return base64url.encode(new Uint8Array(digest).subarray(0, 16));
}

async function requestTokens(
  form: Record<string, string>,
  { as, scenario, metadata }: Session,
): Promise<Tokens> {
  const response = await as.fetch(textOf(metadata["token_endpoint"], "token_endpoint"), {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ ...form, client_id: scenario.clientId }),
    redirect: "error",
    signal: scenario.signal,
  });
  const tokens = await readJson(response);
  const asked = usesApi(scenario) ? "openid orders offline_access" : "openid";
  const granted = tokens["scope"] === undefined ? [] : textOf(tokens["scope"], "scope").split(" ");
  if (granted.some((each) => !asked.split(" ").includes(each))) refuse("the scope is wider");
  if (tokens["error"] !== undefined) refuse("it has tokens and an error");
  if (textOf(tokens["token_type"], "token_type").toLowerCase() !== "bearer") {
    refuse("the token type is unknown");
  }
  return { ...tokens, access_token: textOf(tokens["access_token"], "access_token") };
}

async function verify(idToken: unknown, { as, scenario, metadata }: Session): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(textOf(metadata["jwks_uri"], "jwks_uri")), {
    [customFetch]: (url, init) => as.fetch(url, init as RequestInit),
  });
  const { payload, protectedHeader: { typ = "JWT" } } = await jwtVerify(textOf(idToken, "id_token"), keys, {
    ...{ issuer: scenario.issuer, audience: scenario.clientId, algorithms: ["RS256"] },
    ...{ requiredClaims: ["sub", "iat", "exp"], clockTolerance: 10, maxTokenAge: 3600 },
  });
  if (typ !== "JWT") refuse("it is no ID token");
  const { aud, azp, sub } = payload;
  if (textOf(sub, "sub").length > 255) refuse("the sub is too long");
  if (Array.isArray(aud) && aud.length > 1 || azp !== undefined && azp !== scenario.clientId) {
    refuse("the ID token is for others, too");
  }
  return payload;
}

async function readUserinfo({ access_token }: Tokens, { sub }: JWTPayload, session: Session): Promise<void> {
  const { as, metadata, scenario: { signal } } = session;
  const url = textOf(metadata["userinfo_endpoint"], "userinfo_endpoint");
  const headers = { authorization: `Bearer ${access_token}` };
  const claims = await readJson(await as.fetch(url, { headers, redirect: "error", signal }));
  if (claims["sub"] !== sub) refuse("userinfo is about another person");
}

async function refresh(tokens: Tokens, first: JWTPayload, session: Session): Promise<Tokens> {
  const token = textOf(tokens["refresh_token"], "refresh_token");
  const next = await requestTokens({ grant_type: "refresh_token", refresh_token: token }, session);
  if (next["id_token"] === undefined) return next;
  const claims = await verify(next["id_token"], session);
  const changed = ["sub", "nonce", "auth_time"].find((name) =>
    claims[name] !== undefined && claims[name] !== first[name]
  );
  return changed === undefined ? next : refuse(`the ${changed} has changed`);
}

async function callApi({ access_token }: Tokens, { as, scenario: { api, signal } }: Session): Promise<void> {
  const headers = { authorization: `Bearer ${access_token}` };
  const { status } = await as.fetch(api, { headers, redirect: "error", signal });
  if (status !== 200) refuse(`the API answers ${status}`);
}

async function logOut(tokens: Tokens, { scenario, metadata }: Session): Promise<void> {
  const state = random();
  const url = new URL(textOf(metadata["end_session_endpoint"], "end_session_endpoint"));
  url.searchParams.set("id_token_hint", textOf(tokens["id_token"], "id_token"));
  url.searchParams.set("post_logout_redirect_uri", scenario.postLogoutRedirectUri);
  url.searchParams.set("state", state);
  if ((await scenario.browse(url)).searchParams.get("state") !== state) refuse("the state is another one");
}

async function receiveLogout(request: Request, session: Session): Promise<Response> {
  try {
    const token = new URLSearchParams(await request.text()).get("logout_token");
    const { events, nonce, sub, sid } = await verifyLogout(token, session);
    const event = Object(events)["http://schemas.openid.net/event/backchannel-logout"];
    const isRight = Object(event) === event && nonce === undefined &&
      (sub !== undefined || sid !== undefined);
    return new Response(null, { status: isRight ? 200 : 400 });
  } catch {
    return new Response(null, { status: 400 });
  }
}

async function verifyLogout(token: unknown, { as, scenario, metadata }: Session): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(textOf(metadata["jwks_uri"], "jwks_uri")), {
    [customFetch]: (url, init) => as.fetch(url, init as RequestInit),
  });
  const { payload, protectedHeader: { typ = "logout+jwt" } } = await jwtVerify(
    textOf(token, "logout_token"),
    keys,
    {
      ...{ issuer: scenario.issuer, audience: scenario.clientId, algorithms: ["RS256"] },
      ...{ requiredClaims: ["iat", "exp", "jti"] },
    },
  );
  return typ === "logout+jwt" ? payload : refuse("it is no logout token");
}
