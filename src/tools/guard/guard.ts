/** Decides who may use the control plane: programs of this machine, other machines if it is open, and never web pages. */

import { sameDigest, sha256 } from "../../ground/crypto/platform.ts";
import type { IncomingRequest } from "../../ground/http/message.ts";
import { isForwarded, isFromThisMachine } from "../../ground/http/request_origin.ts";
import { isOwnHost } from "../../server/oauth/requests/server_urls.ts";
import { ControlRefused } from "./control_refused.ts";
import { controlTokenForm, isControlToken } from "./control_token.ts";

interface GuardOptions {
  /** Returns the current issuer, which changes when the mock starts to listen. */
  readonly issuer: () => string;
  /** The other names of the server. Absent: none, because browsers do not use them. */
  readonly also?: readonly string[];
  /** `undefined`: requests need no token. */
  readonly token: string | undefined;
  readonly open: boolean;
  /** Whether the request needs no token, because a browser has shown the token before. */
  readonly hasSession?: (request: IncomingRequest) => boolean;
}

type Guard = (request: IncomingRequest) => void;

export function createGuard({ issuer, also, token, open, hasSession }: GuardOptions): Guard {
  if (token !== undefined && !isControlToken(token)) {
    throw new TypeError(`Cannot create the control plane: its token must be ${controlTokenForm}`);
  }
  const expected = token === undefined ? undefined : sha256(token);
  return (request) => {
    requireHost(request, issuer(), also);
    requireNoWebPage(request, issuer());
    if (!open) requireLoopback(request);
    if (expected !== undefined && hasSession?.(request) !== true) requireToken(request, expected);
  };
}

/** Prevents DNS rebinding. A web page whose host name resolves to this machine would send that name as Host. */
export function requireHost(
  { address }: IncomingRequest,
  issuer: string,
  also: readonly string[] = [],
): void {
  const issuerHost = new URL(issuer).host;
  if (isOwnHost(address, { issuerHost, also })) return;
  throw new ControlRefused("misdirected", "The control plane is not served under this Host", {
    place: "Host",
    expected: `localhost, 127.0.0.1, [::1] or ${issuerHost}`,
  });
}

/** Refuses web pages, also those of another port of this machine, because any application may run there. */
export function requireNoWebPage(request: IncomingRequest, issuer: string): void {
  const origin = request.header("origin");
  const isForeign = origin !== undefined && origin !== request.address.origin &&
    origin !== new URL(issuer).origin;
  if (!isForeign && !isFromOtherSite(request)) return;
  const [place, allowed] = isForeign ? ["Origin", request.address.origin] : ["Sec-Fetch-Site", "same-origin"];
  throw new ControlRefused("access_denied", "Pages of other sites must not use the control plane", {
    place,
    expected: `no ${place}, as programs send none, or ${allowed}`,
  });
}

/** Whether a script of any page has sent the request, or a page of another site. */
export function isFromWebPage(request: IncomingRequest): boolean {
  return request.header("origin") !== undefined || isFromOtherSite(request);
}

/** Whether a page of another site has sent the request, or a page of another port of this machine. */
export function isFromOtherSite(request: IncomingRequest): boolean {
  const site = request.header("sec-fetch-site");
  return site !== undefined && site !== "same-origin" && site !== "none";
}

export function requireLoopback(request: IncomingRequest): void {
  if (isFromThisMachine(request)) return;
  throw new ControlRefused("access_denied", "The control plane is for programs on this machine only", {
    expected: isForwarded(request) ? "a request that no proxy has forwarded" : "a peer on loopback",
  });
}

function requireToken(request: IncomingRequest, expected: string): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.header("authorization") ?? "") ?? [];
  if (token !== undefined && sameDigest(sha256(token), expected)) return;
  const error = token === undefined ? "" : ', error="invalid_token"';
  throw new ControlRefused(
    "invalid_token",
    token === undefined ? "The control plane needs its token" : "This is not the token of the control plane",
    {
      place: "Authorization",
      expected: "Bearer, followed by the token that the server was started with",
      headers: { "www-authenticate": `Bearer realm="postern control"${error}` },
    },
  );
}

export function requireMethod({ method }: Pick<IncomingRequest, "method">, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(", ");
  throw new ControlRefused("method_not_allowed", `This address takes ${allow}`, {
    expected: allow,
    headers: { allow },
  });
}
