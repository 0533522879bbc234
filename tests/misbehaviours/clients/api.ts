/** Calls the protected API (RFC 6750, RFC 9728). */

import { Refusal, type Run } from "./habits.ts";
import type { Login } from "./login.ts";

export async function callApi(
  tokens: Login["tokens"],
  { as, scenario: { api, signal } }: Run,
): Promise<void> {
  const response = await as.fetch(api, {
    headers: { authorization: `Bearer ${tokens["access_token"]}` },
    signal,
  });
  if (!response.ok) throw new Refusal(`the API answers ${response.status}`);
}
