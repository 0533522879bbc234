/** Reads the authorization response that arrives at a redirect URI (OAuth 2.1 §4.1.2). */

import type { Params } from "../params.ts";

export type CallbackOutcome =
  | { readonly hasError: true; readonly error: string; readonly errorDescription?: string }
  | { readonly hasError: false; readonly code: string; readonly state?: string };

/** The outcome without code and error. A person opened the page by hand, or the response uses another response mode. */
const noResponse: CallbackOutcome = {
  hasError: true,
  error: "no_response",
  errorDescription: "This address holds neither a code nor an error: nothing was authorized here.",
};

/** Returns the code or the error of the response. */
export function readOutcome(params: Params): CallbackOutcome {
  const error = params.get("error");
  const code = params.get("code");
  if (error !== undefined) {
    const errorDescription = params.get("error_description");
    return { hasError: true, error, ...(errorDescription === undefined ? {} : { errorDescription }) };
  }
  if (code === undefined) return noResponse;
  const state = params.get("state");
  return { hasError: false, code, ...(state === undefined ? {} : { state }) };
}
