/** Refreshes the tokens (RFC 6749 §6). */

import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";
import type { Login } from "./login.ts";
import { requestTokens } from "./token_request.ts";

export async function refresh(
  { tokens }: Login,
  metadata: ServerMetadata,
  run: Run,
): Promise<Login["tokens"]> {
  const { clientId, api } = run.scenario;
  return await requestTokens(
    {
      grant_type: "refresh_token",
      refresh_token: `${tokens["refresh_token"]}`,
      client_id: clientId,
      resource: api,
    },
    metadata,
    run,
  );
}
