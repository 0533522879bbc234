/** Reads the parameters of a query or a form: form-urlencoded UTF-8 (OAuth 2.1 §3.1, appendix B). */

import { isFormType } from "../../../ground/http/body.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import { decodePercent } from "../../../ground/http/address.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { nearest } from "../../../ground/schema/nearest.ts";
import { fail, type RefusalRows, refusals } from "./refusals.ts";
import type { Exchange } from "./exchange.ts";

export interface Params {
  /** Returns the value, or `undefined` if the parameter is absent or empty (OAuth 2.1 §3.1). */
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  isRepeated(name: string): boolean;
  readonly repeated: readonly string[];
  readonly pairs: readonly Pair[];
}

// More than any request needs, and few enough to read quickly.
const mostParameters = 100;

const refusal = refusals({ error: "invalid_request" }, {
  not_a_form: {
    spec: "OAuth 2.1 §3.2.2",
    sentence: "The body must be a form: application/x-www-form-urlencoded",
    expected: "Content-Type: application/x-www-form-urlencoded",
    change: "Send the parameters as a form, with Content-Type: application/x-www-form-urlencoded.",
  },
  too_many_parameters: {
    sentence: `The request has more than ${mostParameters} parameters`,
    change: "Send at most 100 parameters.",
  },
  malformed_encoding: {
    spec: "OAuth 2.1 appendix B",
    sentence: "A parameter is not percent-encoded UTF-8",
    change: "Percent-encode each value as UTF-8, for example with URLSearchParams.",
  },
  missing_parameter: {
    sentence: "The parameter {name} is missing",
    change: "Add the missing parameter, with a value.",
  },
  repeated_parameter: {
    spec: "OAuth 2.1 §3.1",
    sentence: "The parameter {name} must not be repeated",
    change: "Send the parameter once.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function createParams(pairs: readonly Pair[]): Params {
  const first = new Map<string, string>();
  const repeated: string[] = [];
  // By index: a pattern would make two iterators for each pair.
  for (const pair of pairs) {
    if (first.has(pair[0])) repeated.push(pair[0]);
    else first.set(pair[0], pair[1]);
  }
  return {
    pairs,
    repeated,
    get: (name) => first.get(name) || undefined,
    all: (name) =>
      first.has(name) ? pairs.flatMap(([each, value]) => each === name && value !== "" ? [value] : []) : [],
    isRepeated: (name) => repeated.includes(name),
  };
}

export function readQuery(exchange: Exchange): Params {
  return parseForm(exchange.request.address.query, exchange);
}

/** Reads the form of a POST. The form of a GET is its query. */
export async function readForm(exchange: Exchange): Promise<Params> {
  if (exchange.request.method === "GET") return readQuery(exchange);
  const given = await exchange.readOtherForm?.();
  if (given !== undefined) return parseForm(given, exchange);
  const type = exchange.request.header("content-type") ?? "no Content-Type";
  if (!isFormType(type)) throw refusal("not_a_form", { received: type });
  const form = await exchange.body();
  if (!isUtf8(form, type)) {
    throw refusal("not_a_form", { expected: "UTF-8, and no other charset in Content-Type", received: type });
  }
  return parseForm(form, exchange);
}

/** In ASCII and the charsets that extend it, as clients in Java name them, a form without other characters is UTF-8, too. */
function isUtf8(form: string, type: string): boolean {
  const charset = /;\s*charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  return /^utf-?8$/i.test(charset) ||
    /^(?:(?:us-)?ascii|iso-8859-\d+|windows-125\d)$/i.test(charset) && !/%[89a-f]|[^\0-\x7f]/i.test(form);
}

export function isJsonType(contentType = ""): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}

/** Returns the members of a JSON object as a form. `undefined`: the text is none, or a member is not a simple value. */
export function formOfJson(text: string): string | undefined {
  const members = Object.entries(parseJsonObject(text) ?? { none: [] }).filter(([, value]) => value !== null);
  if (members.some(([, value]) => typeof value === "object")) return undefined;
  return formatParams(members.map(([name, value]) => [name, String(value)]));
}

/** Returns the parameters in a form, or in a JSON object. Another body has none. */
export function readParams(contentType: string | undefined, body = ""): URLSearchParams {
  const form = isJsonType(contentType) ? formOfJson(body) : isFormType(contentType) ? body : "";
  return new URLSearchParams(form);
}

function parseForm(form: string, { readPairs = (pairs) => pairs }: Pick<Exchange, "readPairs">): Params {
  if (form === "") return createParams(readPairs([]));
  const pieces = form.split("&", mostParameters + 1);
  if (pieces.length > mostParameters) throw refusal("too_many_parameters");
  const pairs: Pair[] = [];
  for (const piece of pieces) {
    if (piece !== "") pairs.push(parsePair(piece));
  }
  return createParams(readPairs(pairs));
}

function parsePair(piece: string): Pair {
  const equals = piece.indexOf("=");
  return equals === -1
    ? [decode(piece), ""]
    : [decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))];
}

/** Decodes a name or a value. URLSearchParams would repair malformed text, so that different requests become equal. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return decodePercent(text.replaceAll("+", " ")) ?? fail(refusal("malformed_encoding"));
}

export function requireParam(params: Params, name: string): string {
  return params.get(name) ??
    fail(refusal("missing_parameter", { name, expected: name, received: describeMissing(name, params) }));
}

/** Returns `no redirect_uri`, or `no redirect_uri, but redirect_url` if the request has a similar parameter. */
export function describeMissing(name: string, { pairs }: Params): string {
  const others = pairs.map(([each]) => each).filter((each) => each !== name && /^\w{1,40}$/.test(each));
  const similar = nearest(name, others);
  return similar === undefined ? `no ${name}` : `no ${name}, but ${similar}`;
}

/** Lists the names of parameters for the journal. Leaves out a name that may be any other text, even a secret. */
export function listNames(pairs: readonly Pair[]): string {
  const names = pairs.map(([name]) => name).filter((name) => /^\w{1,40}$/.test(name));
  return [...new Set(names)].join(", ");
}

/** Refuses also unknown parameters that are repeated (OAuth 2.1 §3.2). `resource` may be repeated (RFC 8707 §2). */
export function requireUnrepeatedForm(form: Params, repeatable: readonly string[] = []): void {
  requireUnrepeated(form, (name) => name !== "resource" && !repeatable.includes(name));
}

/** Refuses a repeated parameter, even if its values are equal (OAuth 2.1 §3.1). */
export function requireUnrepeated({ repeated }: Params, isSingle: (name: string) => boolean): void {
  const name = repeated.find(isSingle);
  if (name === undefined) return;
  throw refusal("repeated_parameter", { name, received: `${name}, more than once` });
}
