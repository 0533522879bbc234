/** Creates requests that the test kit sends itself, of plain values, because a `Request` needs a parser and a stream. */

import type { ClientRequest } from "../../../server/client/client_request.ts";
import { parseAddress, withoutQuery } from "../../../ground/http/address.ts";
import { formatParams } from "../../../ground/http/form.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";

export function createPlainRequest(
  { url, method = "GET", headers = [], form, json = "" }: Partial<ClientRequest> & Pick<ClientRequest, "url">,
): IncomingRequest {
  const address = parseAddress(url);
  if (address === undefined) {
    throw new TypeError(`Cannot request ${withoutQuery(url)}: expected an http or https URL`);
  }
  const text = form === undefined ? json : formatParams(form);
  return {
    method,
    address,
    peer: undefined,
    header: (name) => headers.find(([each]) => each === name)?.[1],
    headers: () => headers,
    readBody: () => Promise.resolve({ text }),
  };
}
