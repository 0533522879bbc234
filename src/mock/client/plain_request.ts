/**
 * Creates requests that the test kit sends itself. They consist of plain values, because a `Request` is slower: it needs
 * a parser and a stream.
 */

import { parseAddress, withoutQuery } from "../../http/address.ts";
import type { Header, IncomingRequest } from "../../http/message.ts";
import { formatParams, type Pair } from "../../http/form.ts";

export interface PlainRequest {
  readonly url: string;
  /** The headers. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a form. If present, the method is POST. */
  readonly form?: readonly Pair[];
  /** The value of a JSON body. If present, the method is POST. */
  readonly json?: unknown;
}

export function createPlainRequest({ url, headers = {}, form, json }: PlainRequest): IncomingRequest {
  const address = parseAddress(url);
  if (address === undefined) {
    throw new TypeError(`Cannot request ${withoutQuery(url)}: expected an http or https URL`);
  }
  const body = form !== undefined
    ? { type: "application/x-www-form-urlencoded", text: formatParams(form) }
    : json !== undefined
    ? { type: "application/json", text: JSON.stringify(json) }
    : undefined;
  const all: Readonly<Record<string, string>> = body === undefined
    ? headers
    : { ...headers, "content-type": body.type };
  return {
    method: body === undefined ? "GET" : "POST",
    address,
    peer: undefined,
    header: (name) => all[name],
    headers: () => Object.entries(all).map(([name, value]): Header => [name, value]),
    readBody: () => Promise.resolve({ text: body?.text ?? "" }),
  };
}
