/** The one error: a wire code for clients, a sentence for people, a reason for the journal and the tests. */

import { StoreUnavailable } from "../store/store.ts";

/** A code that the core knows, or one that a feature adds. */
export type ErrorCode = CoreErrorCode | AddedErrorCode;

/** A feature's own error code: a constant in its file, so that a misspelt one does not compile. */
export interface AddedErrorCode {
  /** On the wire: "use_dpop_nonce". */
  readonly code: string;
  /** The HTTP status, unless the refusal names another. */
  readonly status: number;
}

/** RFC 6749 §4.1.2.1, §5.2 and their extensions. */
export type CoreErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_scope"
  | "account_selection_required"
  | "consent_required"
  | "insufficient_scope"
  | "interaction_required"
  | "invalid_target"
  | "invalid_token"
  | "login_required"
  | "registration_not_supported"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "server_error"
  | "temporarily_unavailable"
  | "unauthorized_client"
  | "unmet_authentication_requirements"
  | "unsupported_grant_type"
  | "unsupported_response_type";

export interface RefusalDetails<Reason extends string = string> {
  /** A stable name for the exact cause. Never sent to the client. */
  readonly reason: Reason;
  /** The rule: "RFC 7636 §4.6". */
  readonly spec?: string;
  readonly expected?: string;
  /** Never a secret. */
  readonly received?: string;
  /** Configuration that would allow it, ready to paste. */
  readonly remedy?: string;
  /** A link on the page that starts the same authorization request again. */
  readonly startAgainUrl?: string;
  /** The specification wants no error code here. */
  readonly codeless?: true;
  readonly status?: number;
  /** What the caller is asked to authenticate with. The first of several says what went wrong. */
  readonly challenge?: Challenge | readonly Challenge[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** RFC 9110 §11.6.1. */
export interface Challenge {
  /** Of the Authorization header: "Basic", "Bearer". */
  readonly scheme: string;
  /** Beside the realm and the error: `scope` (RFC 6750 §3), `algs` (RFC 9449 §7.1). */
  readonly params?: Readonly<Record<string, string>>;
}

export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: string;
  readonly status: number;
  readonly details: RefusalDetails;

  constructor(error: ErrorCode, description: string, details: RefusalDetails) {
    super(description, { cause: details.cause });
    const { code, status } = typeof error === "string"
      ? { code: error, status: usualStatus[error] ?? 400 }
      : error;
    this.error = code;
    this.status = details.status ?? status;
    this.details = details;
  }
}

const usualStatus: { readonly [error in CoreErrorCode]?: number } = {
  insufficient_scope: 403,
  invalid_client: 401,
  invalid_token: 401,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** The server failed, not the request: the same request may succeed later. */
export function isFault({ error }: OAuthError): boolean {
  return error === "server_error" || error === "temporarily_unavailable";
}

/** Ends the step. The type argument is the file's own list of reasons: `fail<PkceReason>(…)`. */
export function fail<Reason extends string>(
  error: ErrorCode,
  description: string,
  details: RefusalDetails<NoInfer<Reason>>,
): never {
  throw new OAuthError(error, description, details);
}

export type FaultReason = "store_unavailable" | "unexpected_error";

/** From anything thrown to an error that a client may see. An unexpected one gets a fixed text. */
export function asOAuthError(thrown: unknown, exchangeId: string): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof StoreUnavailable) {
    return new OAuthError("temporarily_unavailable", "The server is busy; try again in a few seconds", {
      reason: "store_unavailable" satisfies FaultReason,
      headers: { "retry-after": "2" },
      cause: thrown,
    });
  }
  return new OAuthError("server_error", `The server failed. Its journal has the cause under ${exchangeId}`, {
    reason: "unexpected_error" satisfies FaultReason,
    cause: thrown,
  });
}

/** RFC 6749 §5.2: only printable ASCII, without quotes and backslashes. */
export function wireText(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}
