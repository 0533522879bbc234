/** Guards the control plane: for programs on this machine, for others only if it is open, and never for web pages. */

import { sameDigest, sha256 } from "../crypto/bytes.ts";
import { namesLoopback } from "../http/address.ts";
import type { IncomingRequest } from "../http/message.ts";
import { isLoopbackHost } from "../runtime/host.ts";
import { ControlRefused } from "./control_refused.ts";
import { controlTokenForm, isControlToken } from "./control_token.ts";

export interface GuardTerms {
  /** Changes when the mock begins to listen. */
  readonly issuer: () => string;
  /** Given: every request must bring it. */
  readonly token: string | undefined;
  /** Also serves other machines. */
  readonly open: boolean;
}

/** Throws a `ControlRefused` for a request that is not allowed. */
export type Guard = (request: IncomingRequest) => void;

export function createGuard({ issuer, token, open }: GuardTerms): Guard {
  if (token !== undefined && !isControlToken(token)) {
    throw new TypeError(`Cannot create the control plane: its token must be ${controlTokenForm}`);
  }
  const expected = token === undefined ? undefined : sha256(token);
  return (request) => {
    requireHost(request, issuer());
    requireNoWebPage(request, issuer());
    if (!open) requireLoopback(request);
    if (expected !== undefined) requireToken(request, expected);
  };
}

/** Refuses DNS rebinding: a page whose name resolves to this server sends that name as Host. */
function requireHost({ address: { host } }: IncomingRequest, issuer: string): void {
  if (host === new URL(issuer).host || namesLoopback(host)) return;
  throw new ControlRefused("misdirected", "The control plane is not served under this Host", {
    place: "Host",
    expected: `localhost, 127.0.0.1, [::1] or ${new URL(issuer).host}`,
  });
}

/** Another port of this machine counts as another site: an application in development may run there. */
function requireNoWebPage(request: IncomingRequest, issuer: string): void {
  const origin = request.header("origin");
  if (origin !== undefined && origin !== request.address.origin && origin !== new URL(issuer).origin) {
    throw new ControlRefused("access_denied", "Pages of other sites must not use the control plane", {
      place: "Origin",
      expected: `none, as programs do, or ${request.address.origin}`,
    });
  }
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new ControlRefused("access_denied", "Pages of other sites must not use the control plane", {
      place: "Sec-Fetch-Site",
      expected: "none, as programs do, or same-origin",
    });
  }
}

const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|cf-connecting-ip|true-client-ip)$/i;

/** An unknown address counts as another machine. A socket that is already closed has none. */
function requireLoopback(request: IncomingRequest): void {
  const peer = request.peer?.replace(/^::ffff:/i, "");
  // A proxy on this machine may forward requests of other machines.
  const isForwarded = request.headers().some(([name]) => proxyHeader.test(name));
  if (peer !== undefined && isLoopbackHost(peer) && !isForwarded) return;
  throw new ControlRefused("access_denied", "The control plane is for programs on this machine only", {
    expected: isForwarded ? "a request that no proxy has forwarded" : "a peer on loopback",
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
      expected: "Bearer, and the token that the server was started with",
      headers: { "www-authenticate": `Bearer realm="postern control"${error}` },
    },
  );
}
