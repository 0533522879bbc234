/** Refreshes the tokens (RFC 6749 §6). */

import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";
import { askedScope, type Login, resourceOf } from "./login.ts";
import { requestTokens } from "./token_request.ts";

type Tokens = Login["tokens"];

// A client without checks refreshes for ever if each token seems to be expired, but this test ends at some time.
const mostRefreshes = 8;

export async function refresh({ tokens }: Login, metadata: ServerMetadata, run: Run): Promise<Tokens> {
  let current = await refreshOnce(tokens, metadata, run);
  for (let count = 1; !run.habits.checks && isDue(current) && count < mostRefreshes; count++) {
    current = await refreshOnce(current, metadata, run);
  }
  return current;
}

async function refreshOnce(tokens: Tokens, metadata: ServerMetadata, run: Run): Promise<Tokens> {
  return await requestTokens(
    {
      grant_type: "refresh_token",
      refresh_token: `${tokens["refresh_token"]}`,
      client_id: run.scenario.clientId,
      ...resourceOf(run),
    },
    askedScope,
    metadata,
    run,
  );
}

/** Whether a timer for the next refresh fires immediately. Timers of JavaScript overflow after 2^31 milliseconds. */
function isDue({ expires_in: expiresIn }: Tokens): boolean {
  const milliseconds = Number(expiresIn) * 1000;
  return milliseconds <= 0 || milliseconds >= 2 ** 31;
}
