/**
 * A refusal is a row of a table: what the server answers, the rule, and the change that it would have accepted. A file
 * that refuses has its table, and docs/reference/refusals.md prints all of them.
 */

import { type ErrorCode, OAuthError, type RefusalDetails } from "./error.ts";
import type { Advice } from "./journal.ts";

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

/** A row about a request that the server refuses. */
export interface RefusalRow extends Row {
  /** Of several codes, the moment says one. */
  readonly error: ErrorCode | readonly ErrorCode[];
  /** The HTTP status, if it is another than the usual one of the error. */
  readonly status?: number;
}

/** A table of refusals, by the names of its rows. */
export type RefusalRows = Readonly<Record<string, RefusalRow>>;

/** A table of advice: about requests that the server answers. */
export type AdviceRows = Readonly<Record<string, Row>>;

/** Makes an error or advice of a row and the values of the moment. */
export interface Table<All extends AdviceRows, Details, Made> {
  <Name extends keyof All & string>(
    name: Name,
    ...values: Argument<Details & Chosen<All[Name]> & Filled<All[Name]>>
  ): Made;
  readonly rows: All;
}

type Chosen<Of extends Row> = Of extends { readonly error: readonly (infer Code)[] }
  ? { readonly error: Code }
  : unknown;

/** The values of a row's placeholders. */
type Filled<Of extends Row> = {
  readonly [name in NameIn<Of["sentence"]> | ExpectedNames<Of>]: string | number;
};

type ExpectedNames<Of extends Row> = Of extends { readonly expected: infer Text } ? NameIn<Text> : never;

/** The placeholders of a text. A text that is put together with `+` hides its placeholders from the compiler. */
type NameIn<Text> = string extends Text ? "the text as one literal"
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest>
  : never;

/** One argument, which may be left out if the row has no placeholders. */
type Argument<Values> = Partial<Values> extends Values ? [values?: Values] : [values: Values];

type RefusalValues = Omit<RefusalDetails, "reason" | "change">;

/** Returns the function that creates the errors of a table: `throw refusal("verifier_missing", { received })`. */
export function refusals<const All extends RefusalRows>(rows: All): Table<All, RefusalValues, OAuthError> {
  const create = (name: string, values: RefusalValues & { readonly error?: ErrorCode } = none) => {
    const { reason = name, error, status, spec, sentence, expected, change } = rows[name]!;
    return new OAuthError(values.error ?? error as ErrorCode, fill(sentence, values), {
      reason,
      change,
      ...(status === undefined ? none : { status }),
      ...(spec === undefined ? none : { spec }),
      ...(expected === undefined ? none : { expected: fill(expected, values) }),
      ...values,
    });
  };
  return Object.assign(create, { rows });
}

type AdviceValues = Pick<Advice, "expected" | "received" | "remedy">;

/** Returns the function that describes the advice of a table, about requests that the server answers. */
export function advices<const All extends AdviceRows>(rows: All): Table<All, AdviceValues, Advice> {
  const create = (name: string, values: AdviceValues = none) => {
    const { reason = name, spec, sentence, expected, change } = rows[name]!;
    const { received, remedy } = values;
    const exact = values.expected ?? (expected && fill(expected, values));
    return {
      reason,
      description: fill(sentence, values),
      ...(spec === undefined ? none : { spec }),
      ...(exact === undefined ? none : { expected: exact }),
      ...(received === undefined ? none : { received }),
      change,
      ...(remedy === undefined ? none : { remedy }),
    };
  };
  return Object.assign(create, { rows });
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
