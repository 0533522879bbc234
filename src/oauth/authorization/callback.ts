/** Reads the authorization response that arrives at a redirect URI (OAuth 2.1 §4.1.2). */

import type { Client } from "../clients/client.ts";
import type { Params } from "../params.ts";
import type { Services } from "../services.ts";
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

/**
 * Returns the values that the server accepts in the parameter that the error code is about. The response does not say
 * which value it refuses, so the page can only list the right ones.
 */
export function findAccepted(
  error: string | undefined,
  client: Client | undefined,
  { settings, slots }: Pick<Services, "settings" | "slots">,
): readonly string[] {
  switch (error) {
    case "invalid_scope":
      return client?.scope ?? [...settings.scopes.keys()];
    case "invalid_target":
      return [...settings.resources];
    case "unsupported_response_type":
      return [...slots.responseTypes.keys()];
    default:
      return [];
  }
}
