/** What a service worker knows of a request: it sees neither the cookies nor the headers of Fetch Metadata. */

import { readBody } from "../../../ground/http/body.ts";
import { type Address, parseAddress } from "../../../ground/http/address.ts";
import type { Header, IncomingRequest } from "../../../ground/http/message.ts";

/** The site of the page that has sent a request. `undefined`: the page hides it. */
export type Site = "same-origin" | "same-site" | "cross-site" | "none" | undefined;

/** Only pages of this origin reach a worker with anything but a navigation. */
export function findSite({ mode, method, referrer, headers, url }: Request): Site {
  if (mode !== "navigate") return "same-origin";
  const origin = headers.get("origin");
  const from = referrer !== "" ? referrer : origin !== "null" ? origin ?? "" : "";
  // The address bar, or a page with the policy `no-referrer`. The pages of the server have it, too.
  if (!URL.canParse(from)) return method === "GET" ? "none" : undefined;
  const [sender, own] = [new URL(from), new URL(url)];
  if (sender.origin === own.origin) return "same-origin";
  return sender.hostname === own.hostname && sender.protocol === own.protocol ? "same-site" : "cross-site";
}

interface Added {
  readonly site: Site;
  readonly cookie: string | undefined;
  /** The path without that of the issuer. Absent: the path of the request. */
  readonly path?: string;
}

export function toIncoming(request: Request, { site, cookie, path }: Added): IncomingRequest {
  const added: Readonly<Record<string, string | undefined>> = {
    cookie,
    "sec-fetch-site": site,
    "sec-fetch-mode": request.mode,
    "sec-fetch-dest": request.destination || "empty",
  };
  const headers: readonly Header[] = [
    ...[...request.headers].filter(([name]) => !Object.hasOwn(added, name)),
    ...Object.entries(added).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const]),
  ];
  const address = parseAddress(request.url) as Address;
  return {
    method: request.method,
    address: path === undefined ? address : { ...address, path },
    peer: undefined,
    header: (name) => headers.find(([each]) => each === name)?.[1],
    headers: () => headers,
    readBody: (limit) => readBody(request, limit, false),
    hasLeft: () => request.signal.aborted,
  };
}
