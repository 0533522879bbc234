/** What a client finds at its redirect URI: the outcome of the authorization request (OAuth 2.1 §4.1.2). */

import type { Params } from "../params.ts";

export type CallbackOutcome =
  | { readonly hasError: true; readonly error: string; readonly errorDescription?: string }
  | { readonly hasError: false; readonly code: string; readonly state?: string };

/** A response with neither is no response: somebody opened the page by hand, or the client chose another mode. */
const nothing: CallbackOutcome = {
  hasError: true,
  error: "no_response",
  errorDescription: "This address holds neither a code nor an error: nothing was authorized here.",
};

export function readOutcome(params: Params): CallbackOutcome {
  const error = params.get("error");
  const code = params.get("code");
  if (error !== undefined) {
    const errorDescription = params.get("error_description");
    return { hasError: true, error, ...(errorDescription === undefined ? {} : { errorDescription }) };
  }
  if (code === undefined) return nothing;
  const state = params.get("state");
  return { hasError: false, code, ...(state === undefined ? {} : { state }) };
}
