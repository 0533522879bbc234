/** Revokes the refresh token (RFC 7009). */

import type { ServerMetadata } from "./discovery.ts";
import { choosePatience, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject } from "./json.ts";
import type { Login } from "./login.ts";

export async function revokeTokens(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const revoke = () => sendRevocation(login, metadata, run);
  if (!run.habits.checks) {
    await revoke().catch(() => {});
    return;
  }
  const first = await revoke();
  // RFC 7009 §2.2.1: the token still exists.
  const response = first.status === 503 ? await revoke() : first;
  if (response.status !== 200) throw new Refusal(`the revocation is refused: ${response.status}`);
  // RFC 7009 §2.2: the body has no meaning.
  const text = await response.text();
  startleIf(run, !isJson(text), "the body is not JSON");
}

async function sendRevocation(
  { tokens }: Login,
  { all }: ServerMetadata,
  run: Run,
): Promise<Response> {
  const { as, scenario } = run;
  const { revocation_endpoint: endpoint = `${scenario.issuer}/oauth2/revoke` } = all;
  refuseIf(run, !/^https:/.test(`${all["revocation_endpoint"]}`), `the revocation endpoint is ${endpoint}`);
  return await as.fetch(`${endpoint}`, {
    method: "POST",
    body: new URLSearchParams({ token: `${tokens["refresh_token"]}`, client_id: scenario.clientId }),
    signal: AbortSignal.timeout(choosePatience(run)),
  });
}

function isJson(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
