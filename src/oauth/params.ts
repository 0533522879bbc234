/** The parameters of a query or a form: form-urlencoded UTF-8, read strictly (OAuth 2.1 §3.1, §3.2, appendix B). */

import { fail } from "./error.ts";
import type { Exchange } from "./exchange.ts";

export interface Params {
  /** The value. `undefined`: it is absent or empty, which means the same (OAuth 2.1 §3.1). */
  get(name: string): string | undefined;
  /** Every value of a parameter that may repeat. */
  all(name: string): readonly string[];
  isRepeated(name: string): boolean;
  /** The names that occur more than once. */
  readonly repeated: readonly string[];
  /** Every pair in order, to pass the whole request on. */
  readonly pairs: readonly Pair[];
}

/** One parameter. */
export type Pair = readonly [name: string, value: string];

export type ParamsReason =
  | "not_a_form"
  | "malformed_encoding"
  | "too_many_parameters"
  | "repeated_parameter"
  | "missing_parameter";

// More than any request needs, and few enough to read quickly.
const mostParameters = 100;

export function createParams(pairs: readonly Pair[]): Params {
  const first = new Map<string, string>();
  const repeated: string[] = [];
  for (const [name, value] of pairs) {
    if (first.has(name)) repeated.push(name);
    else first.set(name, value);
  }
  return {
    pairs,
    repeated,
    get: (name) => first.get(name) || undefined,
    all: (name) => pairs.flatMap(([each, value]) => each === name && value !== "" ? [value] : []),
    isRepeated: (name) => repeated.includes(name),
  };
}

export function readQuery(exchange: Exchange): Params {
  return parseForm(exchange.request.address.query);
}

export async function readForm(exchange: Exchange): Promise<Params> {
  const type = exchange.request.header("content-type");
  if (
    type === undefined || !/^application\/x-www-form-urlencoded(\s*;\s*charset="?utf-8"?)?\s*$/i.test(type)
  ) {
    fail<ParamsReason>("invalid_request", "The body must be a form: application/x-www-form-urlencoded", {
      reason: "not_a_form",
      spec: "OAuth 2.1 §3.2.2",
      expected: "Content-Type: application/x-www-form-urlencoded",
      received: type ?? "no Content-Type",
    });
  }
  return parseForm(await exchange.body());
}

function parseForm(form: string): Params {
  if (form === "") return createParams([]);
  const pieces = form.split("&", mostParameters + 1);
  if (pieces.length > mostParameters) {
    fail<ParamsReason>("invalid_request", `More than ${mostParameters} parameters`, {
      reason: "too_many_parameters",
    });
  }
  return createParams(pieces.filter((piece) => piece !== "").map(parsePair));
}

function parsePair(piece: string): Pair {
  const equals = piece.indexOf("=");
  return equals === -1
    ? [decode(piece), ""]
    : [decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))];
}

/** Strict: URLSearchParams would repair malformed text, so that two different requests become one. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return fail<ParamsReason>("invalid_request", "A parameter is not percent-encoded UTF-8", {
      reason: "malformed_encoding",
      spec: "OAuth 2.1 appendix B",
    });
  }
}

export function requireParam(params: Params, name: string): string {
  return params.get(name) ??
    fail<ParamsReason>("invalid_request", `The parameter ${name} is missing`, {
      reason: "missing_parameter",
      expected: name,
    });
}

/** RFC 8707 §2: this parameter may occur more than once. */
const repeatable: ReadonlySet<string> = new Set(["resource"]);

/** OAuth 2.1 §3.2: at the token endpoint this holds for unknown parameters as well. */
export function requireUnrepeatedForm(form: Params): void {
  requireUnrepeated(form, (name) => !repeatable.has(name));
}

/** OAuth 2.1 §3.1: a parameter must not be repeated, even with the same value. */
export function requireUnrepeated({ repeated }: Params, isSingle: (name: string) => boolean): void {
  const name = repeated.find(isSingle);
  if (name === undefined) return;
  fail<ParamsReason>("invalid_request", `The parameter ${name} must come once`, {
    reason: "repeated_parameter",
    spec: "OAuth 2.1 §3.1",
    received: `${name}, more than once`,
  });
}

/** Form-urlencoded, for a query or a body (OAuth 2.1 appendix B). */
export function formatParams(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

/** Text from a hook or from JSON may hold a lone surrogate, which cannot be encoded: it is replaced. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%20", "+");
}
