/** Lets the requests that the server sends belong to the trace of the request that it answers. */

import { formatTraceparent, readTraceparent } from "../../../ground/http/trace.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";

/** Returns the term of the guarded fetch, or nothing if the request belongs to no trace. */
export function continueTrace(
  { request }: Exchange,
  { random }: Pick<Services, "random">,
): { readonly traceparent?: string } {
  const trace = readTraceparent(request.header("traceparent"));
  return trace === undefined ? {} : { traceparent: formatTraceparent(trace, random(8)) };
}
