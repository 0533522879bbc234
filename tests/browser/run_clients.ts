/** Clients that use a server with a control plane: one login that works, and one refusal of each common kind. */

import { encodeForm, type Params } from "../world.ts";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

export async function runClients(issuer: string): Promise<void> {
  await send(`${issuer}/.well-known/openid-configuration`);
  await send(`${issuer}/oauth2/jwks`);
  const tokens = await logIn(issuer);
  await send(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  await refresh(issuer, tokens.refresh_token);
  // The same refresh token again, a code that was never issued, a wrong secret, a wrong token.
  await refresh(issuer, tokens.refresh_token);
  await post(`${issuer}/oauth2/token`, {
    ...{ grant_type: "authorization_code", code: "grant.unknown", client_id: "demo" },
    ...{ redirect_uri: `${issuer}/authorized`, code_verifier: "v".repeat(43) },
  });
  await post(`${issuer}/oauth2/token`, {
    ...{ grant_type: "client_credentials", client_id: "demo-confidential", client_secret: "not-the-secret" },
  });
  await send(`${issuer}/userinfo`, { headers: { authorization: "Bearer not-a-token" } });
}

/** Gets tokens of alice. */
export async function logIn(
  issuer: string,
  scope = "openid profile email offline_access",
): Promise<Tokens> {
  const body = JSON.stringify({ username: "alice", client: "demo", scope });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${issuer}/_postern/login`, { method: "POST", headers, body });
  return await response.json() as Tokens;
}

async function refresh(issuer: string, token: string): Promise<void> {
  await post(`${issuer}/oauth2/token`, {
    grant_type: "refresh_token",
    refresh_token: token,
    client_id: "demo",
  });
}

async function post(url: string, form: Params): Promise<void> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await send(url, { method: "POST", headers, body: encodeForm(form) });
}

async function send(url: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(url, init);
  await response.body?.cancel();
}
