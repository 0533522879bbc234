/** Reads the authorization response that arrives at a redirect URI (OAuth 2.1 §4.1.2). */

import type { Params } from "../params.ts";
import { present } from "../../present.ts";

export type CallbackOutcome =
  | {
    readonly hasError: true;
    /** Absent if the address is no authorization response. */
    readonly error?: string;
    readonly errorDescription?: string;
    readonly state?: string;
  }
  | { readonly hasError: false; readonly code: string; readonly state?: string };

/**
 * Returns the code or the error of the response. Without both, a person opened the page by hand, or the response uses
 * another response mode.
 */
export function readOutcome(params: Params): CallbackOutcome {
  const error = params.get("error");
  const code = params.get("code");
  const state = params.get("state");
  const returned = present({ state });
  if (error !== undefined) {
    const errorDescription = params.get("error_description");
    return { hasError: true, error, ...present({ errorDescription }), ...returned };
  }
  return code === undefined ? { hasError: true } : { hasError: false, code, ...returned };
}
