/** Loads the claims of the person (OpenID Connect Core §5.3). */

import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";
import type { Json } from "./json.ts";
import type { Login } from "./login.ts";

export async function loadUserinfo(
  { tokens }: Login,
  { all }: ServerMetadata,
  { as, scenario: { signal } }: Run,
): Promise<Json> {
  const response = await as.fetch(`${all["userinfo_endpoint"]}`, {
    headers: { authorization: `Bearer ${tokens["access_token"]}` },
    signal,
  });
  return await response.json();
}
