/** Whether a request asks for a page. */

import type { IncomingRequest } from "./message.ts";

/** Browsers ask for HTML, and programs usually do not. */
export function acceptsHtml(request: IncomingRequest): boolean {
  return request.header("accept")?.includes("text/html") === true;
}
