/** The client of the page: one that checks what the rules demand, or one that believes everything. */
import type { Mock, Refusal } from "../../../src/kit/mod.ts";
import { type Check, judgeResponse } from "../../../src/server/client/check.ts";
import { authorizationParams, codeParams, refreshParams } from "../../../src/server/client/flow.ts";
import { judgeIdToken, judgeSignature } from "../../../src/server/client/judge_token.ts";
import { createRandomBytes, randomText } from "../../../src/server/crypto/bytes.ts";
import type { Jwk } from "../../../src/server/crypto/jwk.ts";
import { parseJwt } from "../../../src/server/crypto/jwt_parts.ts";
import { sha256 } from "../../../src/server/crypto/platform.ts";
import { formatParams, type Pair } from "../../../src/server/http/form.ts";

export const shop = { client_id: "shop", redirect_uris: ["https://shop.example/callback"] } as const;

const [redirectUri] = shop.redirect_uris;

/** What the client keeps from its request until the response. */
export interface Started {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedIn {
  readonly started: Started;
  readonly callback: URL;
}

export interface Answered {
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  /** Why the server refused the request. */
  readonly refusal: Refusal | undefined;
}

export function startLogin({ issuer }: Pick<Mock, "issuer">): Started {
  const random = createRandomBytes();
  const [state, nonce, verifier] = [16, 16, 32].map((octets) => randomText(random, octets)) as [
    string,
    string,
    string,
  ];
  const params = authorizationParams({
    clientId: shop.client_id,
    redirectUri,
    scope: "openid email offline_access",
    state,
    challenge: sha256(verifier),
    resources: [],
    more: { nonce },
  });
  return { url: `${issuer}/oauth2/authorize?${formatParams(params)}`, state, nonce, verifier };
}

/** Signs alice in without the pages of the server. */
export async function signInAsAlice(as: Mock): Promise<SignedIn> {
  const started = startLogin(as);
  return { started, callback: await as.authorize(started.url, { as: "alice" }) };
}

export async function exchangeCode(as: Mock, callback: URL, { verifier }: Started): Promise<Answered> {
  const code = callback.searchParams.get("code") ?? "";
  return await sendForm(as, codeParams({ code, redirectUri, codeVerifier: verifier }));
}

export async function refresh(as: Mock, refreshToken: string): Promise<Answered> {
  return await sendForm(as, refreshParams({ refreshToken }));
}

async function sendForm(as: Mock, params: readonly Pair[]): Promise<Answered> {
  const response = await as.fetch(`${as.issuer}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: formatParams([...params, ["client_id", shop.client_id]]),
  });
  return { status: response.status, members: await response.json(), refusal: as.requests.last?.refusal };
}

/** Asks the server who the person is, as an API that takes access tokens. */
export async function callApi(as: Mock, accessToken: string): Promise<Answered> {
  const response = await as.fetch(`${as.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const challenge = response.headers.get("www-authenticate");
  return {
    status: response.status,
    members: challenge === null ? await response.json() : { "www-authenticate": challenge },
    refusal: as.requests.last?.refusal,
  };
}

export interface Outcome {
  /** The name with which the client greets the person. Absent: it has refused. */
  readonly greets?: string;
  readonly failed?: Check;
}

/** Runs a login. A careful client stops at the first check that fails, and a naive one makes none. */
export async function logIn(as: Mock, isCareful: boolean): Promise<Outcome> {
  const { started, callback } = await signInAsAlice(as);
  const { searchParams } = callback;
  const [state, iss] = ["state", "iss"].map((name) => searchParams.get(name) ?? undefined);
  const response = isCareful ? judgeResponse({ state, iss }, { sent: started, issuer: as.issuer }) : [];
  const wrong = response.find(({ result }) => result === "failed");
  if (wrong !== undefined) return { failed: wrong };
  const { members } = await exchangeCode(as, callback, started);
  const text = `${members["id_token"]}`;
  const jwt = parseJwt(text)!;
  const checks = isCareful
    ? [
      await judgeSignature("id_token", text, jwt, await loadKeys(as)),
      ...judgeIdToken(jwt, {
        ...{ issuer: as.issuer, clientId: shop.client_id, alg: "RS256", sent: started, isRefresh: false },
        accessToken: `${members["access_token"]}`,
        now: as.clock.now,
      }),
    ]
    : [];
  const failed = checks.find(({ result }) => result === "failed");
  return failed === undefined ? { greets: `${jwt.claims["sub"]}` } : { failed };
}

async function loadKeys(as: Mock): Promise<readonly Jwk[]> {
  return (await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json()).keys;
}
