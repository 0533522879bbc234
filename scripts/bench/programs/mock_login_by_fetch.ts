/** The code flow with PKCE as a test would write it: two requests by `fetch`, without following the redirect. */
import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { publicClient, redirectUri } from "../clients.ts";
import type { LoginTokens } from "./mock_login.ts";

export interface LoginEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly scope: string;
  readonly cookie?: string;
}

export async function loginByFetch(
  { authorize, token, scope, cookie }: LoginEndpoints,
): Promise<LoginTokens> {
  const { client_id: clientId } = publicClient;
  const verifier = randomText(32);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: randomText(16),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const redirect = await fetch(`${authorize}?${query}`, {
    redirect: "manual",
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  });
  const words = await redirect.text();
  const code = new URL(redirect.headers.get("location") ?? "", authorize).searchParams.get("code");
  if (code === null) throw new Error(`authorize: expected a code, received ${redirect.status} ${words}`);
  const answer = await fetch(token, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  if (answer.status !== 200) throw new Error(`token: received ${answer.status} ${await answer.text()}`);
  return await answer.json() as LoginTokens;
}

function randomText(length: number): string {
  return Buffer.from(randomBytes(length)).toString("base64url");
}
