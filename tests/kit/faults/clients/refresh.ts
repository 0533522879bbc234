/** Refreshes the tokens (RFC 6749 §6; OpenID Connect Core §12). */

import { sendToApi } from "./api.ts";
import type { ServerMetadata } from "./discovery.ts";
import { differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { type IdTokenClaims, verifyIdToken } from "./id_token.ts";
import { acrValues, type Login, logIn, resourceOf, scopeOf } from "./login.ts";
import { requestTokens, Unavailable } from "./token_request.ts";

// A client without checks never stops by itself, but this test ends at some time.
const mostAttempts = 8;

/** Refreshes the tokens for one use of the API. */
export async function refreshForUse(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const { checks } = run.habits;
  const refreshed = await (checks ? refreshPatiently : refreshAlways)(login, metadata, run);
  const response = await sendToApi(refreshed.tokens, run);
  refuseIf(run, !response.ok, `the API answers ${response.status}`);
}

/** Refreshes the tokens for two uses of the API at the same time. */
export async function refreshTogether(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  let running: Promise<Login> | undefined;
  const use = async () => {
    const refreshing = running ?? refresh(login, metadata, run);
    if (run.habits.checks) running = refreshing;
    await sendToApi((await refreshing).tokens, run);
  };
  await Promise.all([use(), use()]);
}

/** Refreshes the tokens, and later again. A client without checks keeps the first refresh token (RFC 6749 §6). */
export async function refreshTwice(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const refreshed = await refresh(login, metadata, run);
  await refresh(run.habits.checks ? refreshed : login, metadata, run);
}

/** Calls the API, and refreshes the tokens if the API refuses the access token (RFC 6750 §3.1). */
export async function callWithRefresh(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const most = run.habits.checks ? 1 : mostAttempts;
  let current = login;
  for (let attempt = 0;; attempt++) {
    const status = await callPatiently(current, run);
    if (status === 200) return;
    if (attempt === most || status !== 401) throw new Refusal(`the API answers ${status}`);
    current = await refresh(current, metadata, run);
  }
}

/** Calls the API. A client without checks repeats a refused call, because the token has not expired. */
async function callPatiently({ tokens }: Login, run: Run): Promise<number> {
  const most = run.habits.checks ? 1 : mostAttempts;
  for (let attempt = 1;; attempt++) {
    const { status } = await sendToApi(tokens, run);
    if (status !== 401 || attempt === most) return status;
  }
}

/** Refreshes as long as a token seems to be expired, repeats after each failure, and begins a new login at the end. */
async function refreshAlways(login: Login, metadata: ServerMetadata, run: Run): Promise<Login> {
  let current = login;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    try {
      current = await refresh(current, metadata, run);
      if (!isDue(current.tokens)) return current;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return await logIn(metadata, run);
}

/** Keeps the refresh token while the server is unavailable, and tries once more (RFC 9110 §15.6.4). */
async function refreshPatiently(login: Login, metadata: ServerMetadata, run: Run): Promise<Login> {
  try {
    return await refresh(login, metadata, run);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return await refresh(login, metadata, run);
  }
}

export async function refresh(
  { tokens, idToken }: Login,
  metadata: ServerMetadata,
  run: Run,
): Promise<Login> {
  const refreshed = await requestTokens(
    {
      grant_type: "refresh_token",
      refresh_token: `${tokens["refresh_token"]}`,
      client_id: run.scenario.clientId,
      ...resourceOf(run),
    },
    scopeOf(run),
    metadata,
    run,
  );
  startleIf(run, refreshed["id_token"] === undefined, "there is no new ID token");
  const isNew = run.habits.checks && refreshed["id_token"] !== undefined;
  const newIdToken = isNew ? await verifyRefreshed(refreshed, idToken, metadata, run) : idToken;
  // RFC 6749 §6: without a new refresh token, the old one stays valid.
  return { tokens: { refresh_token: tokens["refresh_token"], ...refreshed }, idToken: newIdToken };
}

/** OpenID Connect Core §12.2. */
async function verifyRefreshed(
  tokens: Login["tokens"],
  first: IdTokenClaims,
  metadata: ServerMetadata,
  run: Run,
): Promise<IdTokenClaims> {
  const claims = await verifyIdToken(
    tokens["id_token"],
    { accessToken: `${tokens["access_token"]}`, acrValues, nonce: `${first["nonce"]}`, nonceMayMiss: true },
    metadata,
    run,
  );
  const changed = ["sub", "auth_time"].find((name) =>
    claims[name] !== undefined && differs(run, claims[name], first[name])
  );
  refuseIf(run, changed !== undefined, `the ${changed} of the new ID token differs`);
  return claims;
}

/** Whether a timer for the next refresh fires immediately. Timers of JavaScript overflow after 2^31 milliseconds. */
function isDue({ expires_in: expiresIn }: Login["tokens"]): boolean {
  const milliseconds = Number(expiresIn) * 1000;
  return milliseconds <= 0 || milliseconds >= 2 ** 31;
}
