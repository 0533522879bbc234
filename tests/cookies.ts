/** Requests with cookies and answers that set some, which programs can read and write where no browser keeps them away. */
import type { PlainServer, Server } from "../src/mod.ts";
import { formatCookies } from "./format_cookies.ts";

/** The `fetch` of a server, for requests with cookies. */
export function fetchOf(server: PlainServer): Server["fetch"] {
  return server.fetch;
}

export function addCookies(request: Request, cookies: ReadonlyMap<string, string>): void {
  if (cookies.size > 0) request.headers.set("cookie", formatCookies(cookies));
}

/** Returns the lines of Set-Cookie. */
export function readSetCookies(response: Response): readonly string[] {
  return response.headers.getSetCookie();
}
