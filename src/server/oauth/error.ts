/** The error of the server, with a code for clients, a sentence for people, and a reason for the journal and tests. */

/** An error code of the core or of a feature. */
export type ErrorCode = CoreErrorCode | AddedErrorCode;

/** An error code that a feature adds. It is a constant in the feature's file, so a misspelt code does not compile. */
export interface AddedErrorCode {
  /** The value of `error` in the answer: "use_dpop_nonce". */
  readonly code: string;
  /** The default HTTP status. */
  readonly status: number;
}

/** The error codes that the core uses (RFC 6749 §4.1.2.1, §5.2 and extensions). `not_found` is our own. */
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
  | "not_found"
  | "registration_not_supported"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "server_error"
  | "temporarily_unavailable"
  | "unauthorized_client"
  | "unmet_authentication_requirements"
  | "unsupported_grant_type"
  | "unsupported_response_type";

export interface RefusalDetails {
  /** A stable name for the exact cause. Clients do not see it. */
  readonly reason: string;
  /** The rule that the request breaks: "RFC 7636 §4.6". */
  readonly spec?: string;
  readonly expected?: string;
  /** The value that the server received. It must not be a secret. */
  readonly received?: string;
  /** The one change with which the server would have accepted the request. */
  readonly change?: string;
  /** JSON to paste into the configuration, so that the server allows such a request. */
  readonly remedy?: string;
  /** Text in `received` and `remedy` that may be a secret. The journal hides it. A page repeats it to its sender. */
  readonly privateText?: string;
  /** The address of a link on the page, which starts the same authorization request again. */
  readonly startAgainUrl?: string;
  /** Programs call the address, and a page says so to the person who opened it. */
  readonly isForPrograms?: true;
  /**
   * The answer has no error code, because the specification forbids it here (RFC 6750 §3.1). `on_page`: only a page
   * leaves the code out.
   */
  readonly codeless?: true | "on_page";
  readonly status?: number;
  /** How the caller can authenticate. If there are several challenges, the first one also holds the error. */
  readonly challenge?: Challenge | readonly Challenge[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A challenge for the WWW-Authenticate header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme of the Authorization header: "Basic", "Bearer". */
  readonly scheme: string;
  /** Parameters besides the realm and the error: `scope` (RFC 6750 §3), `algs` (RFC 9449 §7.1). */
  readonly params?: Readonly<Record<string, string>>;
}

// An error of another library may have the same name.
const mark = Symbol.for("postern.OAuthError");

export class OAuthError extends Error {
  /** Also that of a second copy of this module: tsx loads one by `require` and one by `import()`. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && mark in thrown;
  }

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
    Object.defineProperty(this, mark, { value: true });
  }
}

const usualStatus: { readonly [error in CoreErrorCode]?: number } = {
  insufficient_scope: 403,
  invalid_client: 401,
  invalid_token: 401,
  not_found: 404,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** Whether the server itself failed, so that the same request may succeed later. */
export function isFault({ error }: OAuthError): boolean {
  return error === "server_error" || error === "temporarily_unavailable";
}

/** Throws a refusal, inside of an expression: `find(id) ?? fail(refusal("client_unknown"))`. */
export function fail(refusal: OAuthError): never {
  throw refusal;
}

/** Replaces the characters that an error description must not have: quotes, backslashes, non-ASCII (RFC 6749 §5.2). */
export function wireText(text: string): string {
  const inWords = text.replaceAll('"', "'").replaceAll("\\", "/").replace(/§(?=\d)/g, "section ");
  return inWords.replace(/[^\x20-\x7e]/g, "?");
}
