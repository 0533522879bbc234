/** Converts what was thrown to an error that a client may see. */

import { StoreUnavailable } from "../store/store.ts";
import { OAuthError } from "./error.ts";
import { type RefusalRows, refusals } from "./refusals.ts";

const refusal = refusals({
  store_unavailable: {
    error: "temporarily_unavailable",
    sentence: "The server is busy; try again in a few seconds",
    change: "Send the same request again in a few seconds.",
  },
  unexpected_error: {
    error: "server_error",
    sentence: "The server failed. Its journal has the cause under {exchangeId}",
    change:
      "The request may be right: find the cause in the output of the server, or in the hook that threw it.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the error. An unexpected one gets a fixed text. */
export function asOAuthError(thrown: unknown, exchangeId: string): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  return thrown instanceof StoreUnavailable
    ? refusal("store_unavailable", { headers: { "retry-after": "2" }, cause: thrown })
    : refusal("unexpected_error", { exchangeId, cause: thrown });
}
