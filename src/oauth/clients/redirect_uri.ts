/** Redirect URIs: which may be registered, and when a requested one is a registered one (OAuth 2.1 §2.3, §4.1.1, §8.4). */

// Written out and matched as text: a parser would accept `127.1`, `0x7f.1` or `LOCALHOST` for the same host.
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/;

/** `http` on this machine, the host written in one of three ways. */
export function isLoopbackUri(uri: string): boolean {
  return loopback.test(uri);
}

/** A server at an address of this machine. Not for redirect URIs: those of RFC 8252 §7.3 are `http`. */
export function isServedFromLoopback(url: string): boolean {
  return /^https?:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?].*)?$/.test(url);
}

/** RFC 2606, RFC 6761: names that nobody can own. */
export function isReservedForTests(uri: string): boolean {
  return /^https:\/\/[a-z0-9.-]+\.(test|example|localhost|invalid)(:\d{1,5})?([/?].*)?$/.test(uri);
}

/** What a URI lacks to be registered, or `undefined` when it may be. */
export function unfitForRegistration(uri: string): string | undefined {
  if (uri.length > 2000) return "must not be longer than 2000 characters";
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) {
    return "must be printable ASCII: encode every other character";
  }
  if (!URL.canParse(uri)) return "must be an absolute URI";
  if (uri.includes("#")) return "must not have a fragment";
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "") return "must not have a name or a password before its host";
  switch (url.protocol) {
    case "https:":
      // `https:evil.test` and `https:/evil.test` parse too: what is compared as text must also read as one.
      return /^https:\/\/[^/?@]+([/?]|$)/i.test(uri) && url.hostname !== "" ? undefined : "must name a host";
    case "http:":
      return isLoopbackUri(uri)
        ? undefined
        : "must be https: http is for http://127.0.0.1, http://[::1] and http://localhost only";
    default:
      // OAuth 2.1 §8.4.3: a scheme of one's own is a reversed domain name. This also keeps `javascript:` out.
      return url.protocol.includes(".")
        ? undefined
        : "must be https, http on loopback, or a scheme that is a reversed domain name (com.example.app:)";
  }
}

// OAuth 2.1 §4.1.2, RFC 9207 §2; `response` is that of JARM.
const answerParams = ["code", "state", "iss", "error", "error_description", "response"] as const;

/** What a URI lacks to receive authorization responses, or `undefined` when it may. */
export function unfitForAnswers(uri: string): string | undefined {
  return unfitForRegistration(uri) ?? refuseParams(uri, answerParams);
}

/** The same for the answer to a sign-out, which holds `state` alone (OpenID Connect RP-Initiated Logout §3). */
export function unfitAfterSignOut(uri: string): string | undefined {
  return unfitForRegistration(uri) ?? refuseParams(uri, ["state"]);
}

/** The client would read the name twice, and could take the wrong one. */
function refuseParams(uri: string, names: readonly string[]): string | undefined {
  const { searchParams } = new URL(uri);
  const taken = names.find((name) => searchParams.has(name));
  return taken === undefined
    ? undefined
    : `must not have the parameter ${taken} in its query: the server's answer adds it`;
}

/** Exact text; only the port of a loopback URI may differ (OAuth 2.1 §4.1.1, §8.4.2). */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const ours = loopback.exec(registered);
  const theirs = loopback.exec(requested);
  if (ours === null || theirs === null) return false;
  const [, host, , rest] = ours;
  const [, requestedHost, port, requestedRest] = theirs;
  return host === requestedHost && rest === requestedRest && Number(port ?? 80) <= 65535 &&
    unfitForRegistration(requested) === undefined;
}

/** Whether a URI stands at the origin of a registered one: on loopback with any port, as a redirect URI may have. */
export function isAtOriginOf(registered: string, uri: string): boolean {
  if (unfitForRegistration(uri) !== undefined) return false;
  const [, host] = loopback.exec(registered) ?? [];
  if (host !== undefined) return loopback.exec(uri)?.[1] === host;
  return uri.startsWith("https:") && new URL(uri).origin === new URL(registered).origin;
}

/** Keeps a query that is there already (OAuth 2.1 §2.3). */
export function withQuery(uri: string, query: string): string {
  if (!uri.includes("?")) return `${uri}?${query}`;
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`;
}
