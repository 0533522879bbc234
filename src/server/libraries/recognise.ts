/**
 * Guesses from an authorization request which library has sent it. The guess is right for each recorded request of
 * `tests/server/libraries/recordings.json`, and no proof: people may send the same parameters by hand.
 */

import { libraries } from "./mod.ts";
import type { Library, RequestShape, ValueShape } from "./library.ts";

/** The parameters that each library sends by itself. An application may add others. */
const usual: ReadonlySet<string> = new Set([
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "response_mode",
]);

/** Returns the library whose requests without PKCE look like this one. Two fitting libraries are none. */
export function recogniseLibrary(query: string): Library | undefined {
  const params = new URLSearchParams(query);
  const order = [...params.keys()].filter((name) => usual.has(name)).join(" ");
  const byCallback = libraries.filter(({ callback }) =>
    callback !== undefined && returnsTo(params, callback)
  );
  const fitting = byCallback.length > 0
    ? byCallback
    : libraries.filter(({ requests = [] }) =>
      requests.some((shape) => shape.order === order && fits(params, shape))
    );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function fits(params: URLSearchParams, { state, nonce, callback }: RequestShape): boolean {
  return hasShape(params.get("state"), state) && hasShape(params.get("nonce"), nonce) &&
    (callback === undefined || returnsTo(params, callback));
}

const alphabets: Readonly<Record<ValueShape[0], string>> = {
  hex: "0123456789abcdef",
  uuid: "0123456789abcdef-",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  base64url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=",
};

function hasShape(value: string | null, shape: ValueShape | undefined): boolean {
  if (shape === undefined || value === null) return shape === undefined;
  const [alphabet, length] = shape;
  return value.length === length && [...value].every((letter) => alphabets[alphabet].includes(letter));
}

/** Returns the segment for `*` of the callback if it is a plain name, such as the id that Spring gives to a client. */
export function findSegment({ callback = "" }: Library, query: string): string | undefined {
  const segment = readPath(new URLSearchParams(query))[callback.split("/").indexOf("*")];
  return segment !== undefined && /^[\w-]{1,40}$/.test(segment) ? segment : undefined;
}

function readPath(params: URLSearchParams): readonly string[] {
  const uri = params.get("redirect_uri");
  return (uri === null || !URL.canParse(uri) ? "" : new URL(uri).pathname).split("/");
}

/** Compares the paths by segments. `*` is any one of them. */
function returnsTo(params: URLSearchParams, callback: string): boolean {
  const wanted = callback.split("/");
  const segments = readPath(params);
  return segments.length === wanted.length &&
    wanted.every((each, at) => each === "*" || each === segments[at]);
}
