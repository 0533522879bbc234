/** Calls the protected API (RFC 6750, RFC 9728). */

import { sendToken } from "./dpop.ts";
import { Refusal, type Run } from "./habits.ts";
import type { Login } from "./login.ts";

export async function callApi(
  tokens: Login["tokens"],
  run: Run,
): Promise<void> {
  const response = await sendToApi(tokens, run);
  if (!response.ok) throw new Refusal(`the API answers ${response.status}`);
}

export async function sendToApi(
  tokens: Login["tokens"],
  run: Run,
): Promise<Response> {
  return await sendToken(run.scenario.api, tokens, run);
}
