/** Whether a page answers a request, or JSON. */

import type { IncomingRequest } from "../http/message.ts";

/** Programs do not usually ask for HTML. */
export function acceptsHtml(request: IncomingRequest): boolean {
  return request.header("accept")?.includes("text/html") === true;
}
