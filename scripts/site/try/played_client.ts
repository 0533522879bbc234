/** The client of the page: one that checks what the rules demand, or one that believes everything. */
/// <reference lib="dom" />

import type { RecordedRequest, Refusal } from "../../../src/kit/mod.ts";
import { type Check, judgeResponse } from "../../../src/server/client/check.ts";
import { authorizationParams, codeParams, refreshParams } from "../../../src/server/client/flow.ts";
import { judgeIdToken, judgeSignature } from "../../../src/server/client/judge_token.ts";
import { createRandomBytes, randomText } from "../../../src/server/crypto/bytes.ts";
import type { Jwk } from "../../../src/server/crypto/jwk.ts";
import { parseJwt } from "../../../src/server/crypto/jwt_parts.ts";
import { sha256 } from "../../../src/server/crypto/platform.ts";
import { formatParams, type Pair } from "../../../src/server/http/form.ts";
import { present } from "../../../src/server/values/present.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";

export const clientId = "shop";

/** The page itself is the client, at the address that the file server has given it. */
export function findRedirectUri(): string {
  return location.origin + location.pathname;
}

/** What the client keeps from its request until the response. */
export interface Started {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedIn {
  readonly started: Started;
  /** The address at which the browser came back. */
  readonly callback: string;
}

export interface Answered {
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  /** Why the server refused the request. */
  readonly refusal?: Refusal;
}

export function startLogin({ issuer }: StartedWorker): Started {
  const random = createRandomBytes();
  const [state, nonce, verifier] = [16, 16, 32].map((octets) => randomText(random, octets)) as [
    string,
    string,
    string,
  ];
  const params = authorizationParams({
    clientId,
    redirectUri: findRedirectUri(),
    scope: "openid email offline_access",
    state,
    challenge: sha256(verifier),
    resources: [],
    more: { nonce },
  });
  return { url: `${issuer}/oauth2/authorize?${formatParams(params)}`, state, nonce, verifier };
}

/** Signs alice in without the pages of the server. */
export async function signInAsAlice(server: StartedWorker): Promise<SignedIn> {
  const started = startLogin(server);
  const { url } = await server.control("POST /authorize", { url: started.url, username: "alice" }) as {
    readonly url: string;
  };
  return { started, callback: url };
}

export async function exchangeCode(
  server: StartedWorker,
  { started: { verifier }, callback }: SignedIn,
): Promise<Answered> {
  const code = new URL(callback).searchParams.get("code") ?? "";
  return await sendForm(
    server,
    codeParams({ code, redirectUri: findRedirectUri(), codeVerifier: verifier }),
  );
}

export async function refresh(server: StartedWorker, refreshToken: string): Promise<Answered> {
  return await sendForm(server, refreshParams({ refreshToken }));
}

async function sendForm(server: StartedWorker, params: readonly Pair[]): Promise<Answered> {
  const response = await fetch(`${server.issuer}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: formatParams([...params, ["client_id", clientId]]),
  });
  return await describeAnswer(server, response, await response.json());
}

/** Asks the server who the person is, as an API that takes access tokens. */
export async function callApi(server: StartedWorker, accessToken: string): Promise<Answered> {
  const response = await fetch(`${server.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const challenge = response.headers.get("www-authenticate");
  const members = challenge === null ? await response.json() : { "www-authenticate": challenge };
  return await describeAnswer(server, response, members);
}

async function describeAnswer(
  server: StartedWorker,
  { ok, status }: Response,
  members: Answered["members"],
): Promise<Answered> {
  if (ok) return { status, members };
  const { requests } = await server.control("GET /requests") as {
    readonly requests: readonly RecordedRequest[];
  };
  return { status, members, ...present({ refusal: requests.at(-1)?.refusal }) };
}

export interface Outcome {
  /** The name with which the client greets the person. Absent: it has refused. */
  readonly greets?: string;
  readonly failed?: Check;
}

/** Runs a login. A careful client stops at the first check that fails, and a naive one makes none. */
export async function logIn(server: StartedWorker, isCareful: boolean): Promise<Outcome> {
  const { issuer } = server;
  const signedIn = await signInAsAlice(server);
  const { searchParams } = new URL(signedIn.callback);
  const [state, iss] = ["state", "iss"].map((name) => searchParams.get(name) ?? undefined);
  const response = isCareful ? judgeResponse({ state, iss }, { sent: signedIn.started, issuer }) : [];
  const wrong = response.find(({ result }) => result === "failed");
  if (wrong !== undefined) return { failed: wrong };
  const { members } = await exchangeCode(server, signedIn);
  const text = `${members["id_token"]}`;
  const jwt = parseJwt(text)!;
  const checks = isCareful
    ? [
      await judgeSignature("id_token", text, jwt, await loadKeys(issuer)),
      ...judgeIdToken(jwt, {
        ...{ issuer, clientId, alg: "RS256", sent: signedIn.started, isRefresh: false },
        accessToken: `${members["access_token"]}`,
        now: await readTime(server),
      }),
    ]
    : [];
  const failed = checks.find(({ result }) => result === "failed");
  return failed === undefined ? { greets: `${jwt.claims["sub"]}` } : { failed };
}

async function loadKeys(issuer: string): Promise<readonly Jwk[]> {
  return (await (await fetch(`${issuer}/oauth2/jwks`)).json()).keys;
}

/** Returns the time of the server in seconds. */
export async function readTime(server: StartedWorker): Promise<number> {
  return (await server.control("GET /clock") as { readonly now: number }).now;
}
