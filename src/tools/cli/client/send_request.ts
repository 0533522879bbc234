/** Sends a request, and explains a failure to reach the server. */

import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { failed } from "../terminal/command_error.ts";
import { fetchTrusting, findOwnAuthority } from "./fetch_own_tls.ts";
import { nameProgram } from "../terminal/program.ts";

/** Returns the message for a request to `url` that got no answer. The runtimes have different `reasons` for one failure. */
export type ExplainFailure = (url: string, reasons: string) => string;

interface SendOptions {
  /** In seconds. */
  readonly timeout?: number;
  /** Default: for a request to the server. */
  readonly explain?: ExplainFailure;
}

export async function sendRequest(
  url: string,
  init: RequestInit,
  { timeout = 15, explain = explainUnreached }: SendOptions = {},
): Promise<Response> {
  const sent = { ...init, signal: AbortSignal.timeout(timeout * 1000) };
  const describe = (error: unknown) => {
    const reasons = listReasons(error, url);
    return { reasons, failure: failed(explain(url, reasons), error) };
  };
  try {
    return await fetch(url, sent);
  } catch (error) {
    const { reasons, failure } = describe(error);
    // The server shows its certificate before it gets anything, so the request can be sent again.
    const ca = isUntrusted(reasons) ? await findOwnAuthority(new URL(url)) : undefined;
    if (ca === undefined) throw failure;
    return await fetchTrusting(ca, url, sent).catch((cause) => {
      throw describe(cause).failure;
    });
  }
}

function listReasons(error: unknown, url: string): string {
  const { message, code, cause } = error as Error & { readonly code?: string };
  const reasons = [
    message,
    code,
    (cause as Error | undefined)?.message,
    (cause as { code?: string } | undefined)?.code,
  ].filter(Boolean).join(", ");
  // A message of Deno has the URL, whose query may have a code.
  return reasons.replaceAll(new URL(url).search, "");
}

export function explainUnreached(url: string, reasons: string): string {
  const { origin } = new URL(url);
  if (isRefused(reasons)) {
    const other = origin === defaultIssuer ? ", or name another server with --port or --issuer" : "";
    return `nothing answers at ${origin}: start a server with "${describeStart(new URL(origin))}"${other}`;
  }
  const ofCertificate = explainCertificate(origin, reasons);
  if (ofCertificate !== undefined) return ofCertificate;
  // The first is Deno's reason, the others are those of Node and Bun.
  if (/InvalidContentType|wrong.version.number|packet.length.too.long|TLS handshake failed/i.test(reasons)) {
    const plain = origin.replace("https:", "http:");
    return `${origin} does not speak TLS: it is probably an http server, so use ${plain}`;
  }
  // The first is Deno's reason. Node and Bun only see that the server closes the connection.
  const isCut = /invalid HTTP version|other side closed|connection was closed|ECONNRESET/i.test(reasons);
  if (isCut && origin.startsWith("http:")) {
    const secure = origin.replace("http:", "https:");
    return `something answers at ${origin}, but not http: if the server has --tls or --tls-cert, use --issuer ${secure}`;
  }
  return `${origin} cannot be reached: ${reasons}`;
}

export function isRefused(reasons: string): boolean {
  return /refused/i.test(reasons);
}

/** Returns `undefined` if the failure is not about the certificate. */
export function explainCertificate(origin: string, reasons: string): string | undefined {
  if (/CaUsedAsEndEntity/.test(reasons)) {
    return `the certificate of ${origin} is a CA certificate, which Deno does not accept from a server: ` +
      "make one with basicConstraints CA:FALSE, or one that a CA has signed";
  }
  if (isUntrusted(reasons)) {
    return `the certificate of ${origin} is not trusted: set the environment variable NODE_EXTRA_CA_CERTS to its file, ` +
      `or to the file of its CA, which "${nameProgram()} trust" names for a server with --tls`;
  }
  return undefined;
}

function isUntrusted(reasons: string): boolean {
  return /UnknownIssuer|self.signed certificate|unable to (verify|get)/i.test(reasons);
}

function describeStart({ protocol, port }: URL): string {
  const isSecure = protocol === "https:";
  const listensAt = port || (isSecure ? "443" : "80");
  return [
    `${nameProgram()} start`,
    ...(listensAt === "9000" ? [] : [`--port ${listensAt}`]),
    ...(isSecure ? ["--tls"] : []),
  ].join(" ");
}
