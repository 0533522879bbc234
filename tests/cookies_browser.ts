/** Requests with cookies in a page. A browser lets no program write or read their headers, so they are kept beside them. */
import type { PlainServer, Server } from "../src/mod.ts";
import { fromRequest, type IncomingRequest, toResponse } from "../src/ground/http/message.ts";
import { formatCookies } from "./format_cookies.ts";

const sent = new WeakMap<Request, string>();
const set = new WeakMap<Response, readonly string[]>();

export function fetchOf({ answer }: PlainServer): Server["fetch"] {
  return async (request, connection) => {
    const incoming = fromRequest(request, connection?.peer);
    const answered = await answer(withCookie(incoming, sent.get(request)));
    const response = toResponse(answered);
    set.set(response, [answered.headers["set-cookie"] ?? []].flat());
    return response;
  };
}

function withCookie(request: IncomingRequest, cookie: string | undefined): IncomingRequest {
  if (cookie === undefined) return request;
  return {
    method: request.method,
    address: request.address,
    peer: request.peer,
    header: (name) => name === "cookie" ? cookie : request.header(name),
    headers: () => [...request.headers(), ["cookie", cookie]],
    readBody: (limit) => request.readBody(limit),
  };
}

export function addCookies(request: Request, cookies: ReadonlyMap<string, string>): void {
  if (cookies.size > 0) sent.set(request, formatCookies(cookies));
}

export function readSetCookies(response: Response): readonly string[] {
  return set.get(response) ?? [];
}
