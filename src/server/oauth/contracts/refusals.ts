/** Refusals are rows of tables: what the server answers, the rule, and the change that it would have accepted. */

import { present } from "../../../ground/values/present.ts";
import type { Advice, Refusal } from "./journal.ts";
import type { RefusalProps } from "./pages.ts";

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
type CoreErrorCode =
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

/** What a refusal tells beside its code and its sentence. Clients do not see `reason`. */
export interface RefusalDetails extends Omit<Refusal, "error" | "description" | "looksLike"> {
  /** `instead` and `remedy` for a client that authenticates by this method, which the server could only guess. */
  readonly remedyFor?: (method: string) => Pick<RefusalDetails, "instead" | "remedy">;
  /** Text in `received` and `remedy` that may be a secret. The journal hides it. A page repeats it to its sender. */
  readonly privateText?: string;
  /** The address of a link on the page, which starts the same authorization request again. */
  readonly startAgainUrl?: string;
  /** Programs call the address, and a page tells the person who opened it what they send. */
  readonly programsSend?: NonNullable<RefusalProps["programsSend"]>;
  /** The answer has no error code (RFC 6750 §3.1). `on_page`: only a page leaves the code out. */
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

/** What the server says about a request. In its texts, `{name}` stands for a value of the moment. */
export interface Row {
  /** The reason, if it is another than the name of the row, because several rows have the same reason. */
  readonly reason?: string;
  /** The rule that the request breaks: "RFC 7636 §4.6". */
  readonly spec?: string;
  /** Clients get it, so it has no quotes, no backslashes and only ASCII characters (RFC 6749 §5.2). */
  readonly sentence: string;
  /** What was expected, in general if only the moment says it exactly. */
  readonly expected?: string;
  /** The one change with which the server would have accepted the request. */
  readonly change: string;
}

export interface RefusalRow extends Row {
  /** Of several codes, the moment says one. */
  readonly error: ErrorCode | readonly ErrorCode[];
  /** The HTTP status, if it is another than the usual one of the error. */
  readonly status?: number;
}

export type RefusalRows = Readonly<Record<string, RefusalRow>>;
export type AdviceRows = Readonly<Record<string, Row>>;

/** Rows that leave out what `Usual` says for each of them. */
type RowsBeside<Usual, Whole extends Row> = Readonly<
  Record<string, Omit<Whole, keyof Usual> & Partial<Whole>>
>;

/** The rows with what they leave out. */
type Completed<Usual, All> = { readonly [Name in keyof All]: Omit<Usual, keyof All[Name]> & All[Name] };

/** Makes an error or advice of a row and the values of the moment. */
export interface Table<All, Details, Made> {
  <Name extends keyof All & string>(
    name: Name,
    ...values: Argument<Details & Chosen<All[Name]> & Filled<All[Name]>>
  ): Made;
  readonly rows: All;
}

type Chosen<Of> = Of extends { readonly error: readonly (infer Code)[] } ? { readonly error: Code } : unknown;

/** The values of a row's placeholders. */
type Filled<Of> = { readonly [name in NamesIn<Of, "sentence"> | NamesIn<Of, "expected">]: string | number };

type NamesIn<Of, Member extends string> = Of extends Readonly<Record<Member, infer Text>> ? NameIn<Text>
  : never;

/** The placeholders of a text. A text that is put together with `+` hides its placeholders from the compiler. */
type NameIn<Text> = string extends Text ? "the text as one literal"
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest>
  : never;

/** One argument, which may be left out if the row has no placeholders. */
type Argument<Values> = Partial<Values> extends Values ? [values?: Values] : [values: Values];

type RefusalValues = Omit<RefusalDetails, "reason" | "change">;

/** Returns the function that creates the errors of a table: `throw refusal("verifier_missing", { received })`. */
export function refusals<const All extends RefusalRows>(rows: All): Table<All, RefusalValues, OAuthError>;
/** `usual`: what the rows say that leave it out. */
export function refusals<
  const Usual extends Partial<RefusalRow>,
  const All extends RowsBeside<Usual, RefusalRow>,
>(
  usual: Usual,
  rows: All,
): Table<Completed<Usual, All>, RefusalValues, OAuthError>;
export function refusals(first: object, second?: object): Table<RefusalRows, RefusalValues, OAuthError> {
  const rows = complete<RefusalRow>(first, second);
  const create = (name: string, values: RefusalValues & { readonly error?: ErrorCode } = none) => {
    const { reason = name, error, status, spec, sentence, expected, change } = rows[name]!;
    return new OAuthError(values.error ?? error as ErrorCode, fill(sentence, values), {
      reason,
      change,
      ...present({ status, spec, expected: expected && fill(expected, values) }),
      ...values,
    });
  };
  return Object.assign(create, { rows });
}

type AdviceValues = Pick<Advice, "expected" | "received" | "instead" | "remedy">;

export function advices<const All extends AdviceRows>(rows: All): Table<All, AdviceValues, Advice>;
export function advices<const Usual extends Partial<Row>, const All extends RowsBeside<Usual, Row>>(
  usual: Usual,
  rows: All,
): Table<Completed<Usual, All>, AdviceValues, Advice>;
export function advices(first: object, second?: object): Table<AdviceRows, AdviceValues, Advice> {
  const rows = complete<Row>(first, second);
  const create = (name: string, values: AdviceValues = none) => {
    const { reason = name, spec, sentence, expected, change } = rows[name]!;
    const { received, instead, remedy } = values;
    return {
      reason,
      description: fill(sentence, values),
      ...present({ spec, expected: values.expected ?? (expected && fill(expected, values)), received }),
      change,
      ...present({ instead, remedy }),
    };
  };
  return Object.assign(create, { rows });
}

/** Adds what the rows of the second table leave out. Without a second one, the first one has the rows. */
function complete<Of extends Row>(first: object, second?: object): Readonly<Record<string, Of>> {
  if (second === undefined) return first as Readonly<Record<string, Of>>;
  return Object.fromEntries(Object.entries(second).map(([name, row]) => [name, { ...first, ...row }]));
}

const none = {};

/** Without a regular expression, because clients can make the server refuse often. */
function fill(text: string, values: object): string {
  let filled = "";
  let from = 0;
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", from)) {
    const end = text.indexOf("}", start);
    filled += text.slice(from, start) + String(values[text.slice(start + 1, end) as keyof typeof values]);
    from = end + 1;
  }
  return filled + text.slice(from);
}
