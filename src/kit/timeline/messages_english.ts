/** The English words for what only recorded messages have: HTTP headers, and members of responses. */

import { type ByName, byName } from "../../ground/values/fill.ts";

/** Members of responses that mean something else than the parameter with the same name. */
export const responses: ByName = byName({
  scope: "What the token allows: the granted scope.",
  state_returned: "The state of the request, unchanged.",
  state_changed: "Not the state of the request.",
  state_unasked: "The request had no state.",
  state_uncompared: "The state of the response. The journal has no request to compare it with.",
  username: "The name with which the person of the token signs in.",
});

/** HTTP headers, in lower case. */
export const headers: ByName = byName({
  authorization: "The credentials: of the client at the token endpoint, or the access token at an API.",
  dpop: "A proof that the sender has the key to which the token is bound (RFC 9449).",
  "dpop-nonce": "The nonce for the next proof.",
  "www-authenticate": "How to authenticate, and what was wrong.",
  "content-type": "The format of the body.",
  "cache-control": "Whether the response may be kept: no-store forbids it.",
  pragma: "The old form of Cache-Control.",
  location: "Where the browser goes next.",
  origin: "The site of the page that sent the request.",
  host: "The server that the request is for.",
  cookie: "The cookies of the browser. Their values are never shown here.",
  "set-cookie": "A cookie that the browser keeps. Its value is never shown here.",
  "referrer-policy": "Keeps codes in addresses from other sites.",
  "content-security-policy": "What the page may load.",
  "x-frame-options": "Whether another site may show the page in a frame.",
  "access-control-allow-origin": "Which pages may read the response.",
  "retry-after": "After how many seconds to try again.",
  "sec-fetch-site": "Whether the page that sent the request is of the same site. The browser says so.",
  "sec-fetch-mode": "How the browser made the request: navigate is a link or a redirect.",
  "sec-fetch-dest": "What the browser wants to do with the response.",
  "user-agent": "The program that sent the request.",
  accept: "The formats that the sender reads.",
  "accept-language": "The languages that the person prefers.",
  allow: "The methods that the address takes.",
  vary: "The request headers on which the response depends.",
  "x-content-type-options": "Keeps browsers from guessing the format.",
  etag: "The version of the response.",
});
