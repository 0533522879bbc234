/** Who may drive a mock over HTTP: programs on this machine, or whoever has the token, and never a web page. */

import { sameDigest, sha256 } from "../crypto/bytes.ts";
import { namesLoopback } from "../http/address.ts";
import type { IncomingRequest } from "../http/message.ts";
import { isLoopbackHost } from "../runtime/host.ts";
import { ControlRefused } from "./control_refused.ts";
import { controlTokenForm, isControlToken } from "./control_token.ts";

export interface GuardTerms {
  /** Decided anew when the mock begins to listen. */
  readonly issuer: () => string;
  /** Given: nobody goes without it. */
  readonly token: string | undefined;
  /** Other machines may come, too. */
  readonly open: boolean;
}

/** Throws a `ControlRefused` at whoever may not. */
export type Guard = (request: IncomingRequest) => void;

export function createGuard({ issuer, token, open }: GuardTerms): Guard {
  if (token !== undefined && !isControlToken(token)) {
    throw new TypeError(`Cannot open the control: its token must be ${controlTokenForm}`);
  }
  const expected = token === undefined ? undefined : sha256(token);
  return (request) => {
    requireHost(request, issuer());
    requireNoWebPage(request, issuer());
    if (!open) requireLoopback(request);
    if (expected !== undefined) requireToken(request, expected);
  };
}

/** A page whose name was made to point here sends that name (DNS rebinding). */
function requireHost({ address: { host } }: IncomingRequest, issuer: string): void {
  if (host === new URL(issuer).host || namesLoopback(host)) return;
  throw new ControlRefused("misdirected", "The control is not known under that name", {
    place: "Host",
    expected: `localhost, 127.0.0.1, [::1] or ${new URL(issuer).host}`,
  });
}

/** Other ports of this machine are other sites here: an application that is being developed is one. */
function requireNoWebPage(request: IncomingRequest, issuer: string): void {
  const origin = request.header("origin");
  if (origin !== undefined && origin !== request.address.origin && origin !== new URL(issuer).origin) {
    throw new ControlRefused("access_denied", "No page of another site drives this server", {
      place: "Origin",
      expected: `none, as programs do, or ${request.address.origin}`,
    });
  }
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new ControlRefused("access_denied", "No page of another site drives this server", {
      place: "Sec-Fetch-Site",
      expected: "none, as programs do, or same-origin",
    });
  }
}

const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|cf-connecting-ip|true-client-ip)$/i;

/** Whose address nobody knows is not on this machine: a socket that is gone already has none either. */
function requireLoopback(request: IncomingRequest): void {
  const peer = request.peer?.replace(/^::ffff:/i, "");
  // A proxy on this machine speaks for whoever call it.
  const isForwarded = request.headers().some(([name]) => proxyHeader.test(name));
  if (peer !== undefined && isLoopbackHost(peer) && !isForwarded) return;
  throw new ControlRefused("access_denied", "The control is for programs on this machine only", {
    expected: isForwarded ? "a request that no proxy passed on" : "a peer on loopback",
  });
}

function requireToken(request: IncomingRequest, expected: string): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.header("authorization") ?? "") ?? [];
  if (token !== undefined && sameDigest(sha256(token), expected)) return;
  const error = token === undefined ? "" : ', error="invalid_token"';
  throw new ControlRefused(
    "invalid_token",
    token === undefined ? "The control asks for its token" : "This is not the token of the control",
    {
      place: "Authorization",
      expected: "Bearer, and the token that the server was started with",
      headers: { "www-authenticate": `Bearer realm="postern control"${error}` },
    },
  );
}
