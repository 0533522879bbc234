/** The client of the page: one that checks what the rules demand, or one that believes everything. */
/// <reference lib="dom" />

import type { RecordedRequest, Refusal } from "../../../src/kit/mod.ts";
import { type Check, judgeResponse } from "../../../src/server/client/check.ts";
import { authorizationParams, codeParams, refreshParams } from "../../../src/server/client/flow.ts";
import { judgeIdToken, judgeSignature } from "../../../src/server/client/judge_token.ts";
import { createRandomBytes, randomText } from "../../../src/ground/crypto/bytes.ts";
import type { Jwk } from "../../../src/ground/crypto/jwk.ts";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { sha256 } from "../../../src/ground/crypto/platform.ts";
import { formatParams, type Pair } from "../../../src/ground/http/form.ts";
import { present } from "../../../src/ground/values/present.ts";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";

/** The shop, and the two shops of the last step. The inspector shows them by these names. */
export type ClientId = "shop" | "naive-shop" | "careful-shop";

/** The page itself is the client, at the address that the file server has given it. */
export function findRedirectUri(): string {
  return location.origin + location.pathname;
}

/** What the client keeps from its request until the response. */
export interface Started {
  readonly clientId: ClientId;
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
  /** The header that says why an API refuses a token. The answer has no members then. */
  readonly header?: string;
  /** Why the server refused the request. */
  readonly refusal?: Refusal;
}

export function startLogin({ issuer }: StartedWorker, clientId: ClientId): Started {
  const random = createRandomBytes();
  const [state, nonce, verifier] = [16, 16, 32].map((octets) => randomText(random, octets)) as [
    string,
    string,
    string,
  ];
  const params = authorizationParams({
    clientId,
    redirectUri: findRedirectUri(),
    scope: "openid email",
    state,
    challenge: sha256(verifier),
    resources: [],
    more: { nonce },
  });
  return { clientId, url: `${issuer}/oauth2/authorize?${formatParams(params)}`, state, nonce, verifier };
}

/** Signs alice in without the pages of the server. */
export async function signInAsAlice(
  server: StartedWorker,
  clientId: ClientId = "shop",
): Promise<SignedIn> {
  const started = startLogin(server, clientId);
  const { url } = await server.control("POST /authorize", { url: started.url, username: "alice" }) as {
    readonly url: string;
  };
  return { started, callback: url };
}

export async function exchangeCode(
  server: StartedWorker,
  { started: { clientId, verifier }, callback }: SignedIn,
): Promise<Answered> {
  const code = new URL(callback).searchParams.get("code") ?? "";
  return await sendForm(
    server,
    clientId,
    codeParams({ code, redirectUri: findRedirectUri(), codeVerifier: verifier }),
  );
}

export async function refresh(server: StartedWorker, refreshToken: string): Promise<Answered> {
  return await sendForm(server, "shop", refreshParams({ refreshToken }));
}

async function sendForm(
  server: StartedWorker,
  clientId: ClientId,
  params: readonly Pair[],
): Promise<Answered> {
  const response = await fetch(`${server.issuer}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: formatParams([...params, ["client_id", clientId]]),
  });
  return await describeAnswer(server, response, { members: await response.json() });
}

/** Asks the server who the person is, as an API that takes access tokens. */
export async function callApi(server: StartedWorker, accessToken: string): Promise<Answered> {
  const response = await fetch(`${server.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const challenge = response.headers.get("www-authenticate");
  return await describeAnswer(
    server,
    response,
    challenge === null
      ? { members: await response.json() }
      : { members: {}, header: `www-authenticate: ${challenge}` },
  );
}

async function describeAnswer(
  server: StartedWorker,
  { ok, status }: Response,
  content: Pick<Answered, "members" | "header">,
): Promise<Answered> {
  if (ok) return { status, ...content };
  const { requests } = await server.control("GET /requests") as {
    readonly requests: readonly RecordedRequest[];
  };
  return { status, ...content, ...present({ refusal: requests.at(-1)?.refusal }) };
}

export interface Outcome {
  /** The name with which the client greets the person. Absent: it has refused. */
  readonly greets?: string;
  readonly failed?: Check;
}

/** Runs a login. A careful client stops at the first check that fails, and a naive one makes none. */
export async function logIn(server: StartedWorker, isCareful: boolean): Promise<Outcome> {
  const { issuer } = server;
  const clientId = isCareful ? "careful-shop" : "naive-shop";
  const signedIn = await signInAsAlice(server, clientId);
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
