/**
 * Creates requests that the test kit sends itself. They consist of plain values, because a `Request` is slower: it needs
 * a parser and a stream.
 */

import { parseAddress, withoutQuery } from "../../http/address.ts";
import type { Header, IncomingRequest } from "../../http/message.ts";
import { formatParams, type Pair } from "../../oauth/params.ts";

export interface PlainRequest {
  readonly url: string;
  /** The headers. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a form. If present, the method is POST. */
  readonly form?: readonly Pair[];
}

export function createPlainRequest({ url, headers = {}, form }: PlainRequest): IncomingRequest {
  const address = parseAddress(url);
  if (address === undefined) {
    throw new TypeError(`Cannot request ${withoutQuery(url)}: expected an http or https URL`);
  }
  const all: Readonly<Record<string, string>> = form === undefined
    ? headers
    : { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return {
    method: form === undefined ? "GET" : "POST",
    address,
    peer: undefined,
    header: (name) => all[name],
    headers: () => Object.entries(all).map(([name, value]): Header => [name, value]),
    readBody: () => Promise.resolve({ text: formatParams(form ?? []) }),
  };
}
