/** Redirect URIs: which ones may be registered, and which requested ones match (OAuth 2.1 §2.3, §4.1.1, §8.4). */

import { isPrivateHost } from "../../../../ground/http/address.ts";
import { checkSchema } from "../../../../ground/schema/check_schema.ts";
import type { Client } from "../../contracts/client.ts";
import { type Apps, isApplicationUri, unfitForApp } from "./application_scheme.ts";
import { uriText } from "./metadata_texts.ts";

// Matched as text, because a URL parser reads `127.1`, `0x7f.1` and `LOCALHOST` as the same host.
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/;

export function isLoopbackUri(uri: string): boolean {
  return loopback.test(uri);
}

// RFC 6761 §6.3: these names lead to this machine. They are compared with their port, unlike the three hosts.
const belowLocalhost =
  /^http:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+localhost(?::\d{1,5})?(?:[/?].*)?$/;

/** Whether a redirect URI has the scheme http and leads to this machine: to a loopback host or a name below .localhost. */
export function isLoopbackRedirectUri(uri: string): boolean {
  return isLoopbackUri(uri) || belowLocalhost.test(uri);
}

/** Whether an issuer is on loopback. Unlike a loopback redirect URI (RFC 8252 §7.3), an issuer may be https there. */
export function isServedFromLoopback(url: string): boolean {
  return /^https?:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?].*)?$/.test(url);
}

/** Whether a URI has a reserved host name, which cannot be registered in the DNS (RFC 2606, RFC 6761). */
export function isReservedForTests(uri: string): boolean {
  return /^https:\/\/[a-z0-9.-]+\.(test|example|localhost|invalid)(:\d{1,5})?([/?].*)?$/.test(uri);
}

/** Whether a redirect URI has the private scheme of an app: a reversed domain name, and then a path (RFC 8252 §7.1). */
export function isPrivateSchemeUri(uri: string): boolean {
  // The slash distinguishes it from a host and a port without a scheme, such as `app.example.com:8443/cb`.
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//i.test(uri);
}

/** Whether the scheme of a redirect URI belongs to an app: a private scheme, or one that is no reversed domain name. */
export function isAppUri(uri: string): boolean {
  return isPrivateSchemeUri(uri) || isApplicationUri(uri);
}

/** Whether only a program on the person's machine or a local test can receive answers at the URI. */
export function isLocalRedirectUri(
  uri: string,
  { reservedForTests }: { readonly reservedForTests: boolean },
): boolean {
  const leadsHere = isLoopbackRedirectUri(uri.replace(/^https:/, "http:"));
  return leadsHere || isPrivateSchemeUri(uri) || unfitForApp(uri, "known") === undefined ||
    reservedForTests && isReservedForTests(uri);
}

/** Whether a URI has the scheme http and a host that the public internet does not reach. */
function isPrivateHttpUri(uri: string): boolean {
  const host = /^http:\/\/(\[[^\]/?#]+\]|[^:/?#]+)(?::\d{1,5})?(?:[/?].*)?$/.exec(uri)?.[1];
  // Only a host as a URL parser writes it, because the parser reads `192.168.257` and `0xa.1` as addresses.
  return host !== undefined && new URL(uri).hostname === host && isPrivateHost(host);
}

interface RedirectUriOptions extends Pick<Client, "allowsPrivateHttp"> {
  /** The apps whose schemes may be other than a reversed domain name. Default: none. */
  readonly apps?: Apps;
}

/** Returns why a URI cannot be registered, or `undefined` if it can. */
export function unfitForRegistration(
  uri: string,
  { allowsPrivateHttp = false, apps }: RedirectUriOptions = {},
): string | undefined {
  const mismatch = checkSchema(uri, uriText);
  if (mismatch !== undefined) return mismatch.problem;
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) {
    return "must be printable ASCII: encode every other character";
  }
  if (!URL.canParse(uri)) return "must be an absolute URI";
  if (uri.includes("#")) return "must not have a fragment";
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "") {
    return "must not have a user name or a password before its host";
  }
  switch (url.protocol) {
    case "https:":
      // `https:evil.test` and `https:/evil.test` parse as well, but redirect URIs are compared as text.
      return /^https:\/\/[^/?@]+([/?]|$)/i.test(uri) && url.hostname !== "" ? undefined : "must name a host";
    case "http:":
      if (isLoopbackRedirectUri(uri) || allowsPrivateHttp && isPrivateHttpUri(uri)) return undefined;
      // RFC 9700 §2.6: on a public network, others could read the code on its way.
      return allowsPrivateHttp
        ? "must be https: http is for this machine, private addresses and local names only"
        : "must be https: http is for 127.0.0.1, [::1], localhost and *.localhost, and with allow_private_http: true " +
          "for private addresses and local names";
    default:
      // A digit after the first colon begins a port, so the text before the colon is a host and not a scheme.
      if (/^[^:]*:\d/.test(uri)) return "must begin with http:// or https://";
      // OAuth 2.1 §8.4.3: a private scheme is a reversed domain name. This also refuses `javascript:`.
      return url.protocol.includes(".") ? undefined : unfitForApp(uri, apps);
  }
}

// The parameters that authorization responses add (OAuth 2.1 §4.1.2, RFC 9207 §2; JARM adds `response`).
const answerParams = ["code", "state", "iss", "error", "error_description", "response"] as const;

/** A client that no operator has configured has only the schemes of known apps. */
export function unfitForAnswers(uri: string, options?: RedirectUriOptions): string | undefined {
  return unfitForRegistration(uri, { apps: "known", ...options }) ?? findParamProblem(uri, answerParams);
}

/** Returns why a URI cannot be used after sign-out. The response there adds only `state` (RP-Initiated Logout §3). */
export function unfitAfterSignOut(uri: string, options?: RedirectUriOptions): string | undefined {
  return unfitForRegistration(uri, options) ?? findParamProblem(uri, ["state"]);
}

/** Returns why the server itself cannot call a URI. */
export function unfitForCalls(uri: string, options?: RedirectUriOptions): string | undefined {
  return unfitForRegistration(uri, options) ??
    (/^https?:/i.test(uri) ? undefined : "must be https, or http on loopback");
}

export function unfitForHttps(uri: string): string | undefined {
  return unfitForRegistration(uri) ?? (/^https:/i.test(uri) ? undefined : "must be https");
}

/** Refuses a URI that has a parameter which the response adds, because the client could read the wrong one. */
function findParamProblem(uri: string, names: readonly string[]): string | undefined {
  const { searchParams } = new URL(uri);
  const taken = names.find((name) => searchParams.has(name));
  return taken === undefined
    ? undefined
    : `must not have the parameter ${taken} in its query: the server's answer adds it`;
}

/** Whether the URIs are the same text. Only the port of a loopback URI may differ (OAuth 2.1 §4.1.1, §8.4.2). */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const registeredParts = loopback.exec(registered);
  const requestedParts = loopback.exec(requested);
  if (registeredParts === null || requestedParts === null) return false;
  const [, host, , rest] = registeredParts;
  const [, requestedHost, , requestedRest] = requestedParts;
  return host === requestedHost && rest === requestedRest && unfitForRegistration(requested) === undefined;
}

/** On loopback the port may differ, as for redirect URIs. A private scheme has no origin, so the scheme is compared. */
export function isAtOriginOf(registered: string, uri: string): boolean {
  if (unfitForRegistration(uri) !== undefined) return false;
  const [, host] = loopback.exec(registered) ?? [];
  if (host !== undefined) return loopback.exec(uri)?.[1] === host;
  const { protocol, origin } = new URL(uri);
  const expected = new URL(registered);
  return /^https?:$/.test(protocol) ? origin === expected.origin : protocol === expected.protocol;
}

/** Appends a query to the URI, after the query that the URI already has (OAuth 2.1 §2.3). */
export function withQuery(uri: string, query: string): string {
  if (!uri.includes("?")) return `${uri}?${query}`;
  return /^[^?]*\?$|&$/.test(uri) ? uri + query : `${uri}&${query}`;
}
