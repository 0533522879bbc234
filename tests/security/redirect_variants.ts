/** Redirect URIs that look like a registered or a valid one, and must be refused. */

export type Variant = readonly [what: string, uri: string];

/** Variants of the registered `https://app.example/cb`. */
export const nearMisses: readonly Variant[] = [
  ["another host", "https://evil.example/cb"],
  ["the host as a prefix", "https://app.example.evil.com/cb"],
  ["a subdomain", "https://www.app.example/cb"],
  ["a trailing dot on the host", "https://app.example./cb"],
  ["a sub-path", "https://app.example/cb/deeper"],
  ["the path as a prefix", "https://app.example/cbx"],
  ["no path", "https://app.example"],
  ["an extra query", "https://app.example/cb?next=1"],
  ["an empty query", "https://app.example/cb?"],
  ["a trailing slash", "https://app.example/cb/"],
  ["an upper-case scheme", "HTTPS://app.example/cb"],
  ["an upper-case host", "https://APP.example/cb"],
  ["an upper-case path", "https://app.example/CB"],
  ["the default port", "https://app.example:443/cb"],
  ["another port", "https://app.example:8443/cb"],
  ["http", "http://app.example/cb"],
  ["an encoded letter", "https://app.example/%63b"],
  ["an encoded twin", "https%3A%2F%2Fapp.example%2Fcb"],
  ["a path that goes up", "https://app.example/x/../cb"],
  ["no scheme", "//evil.com"],
  ["backslashes for slashes", "https:\\\\app.example\\cb"],
  ["a space in front", " https://app.example/cb"],
  ["a newline behind", "https://app.example/cb\n"],
  ["a tab inside", "https://app.exam\tple/cb"],
  ["a NUL behind", "https://app.example/cb\0"],
  ["a byte order mark in front", "\ufeffhttps://app.example/cb"],
  ["a header behind", "https://app.example/cb\r\nX-Injected: 1"],
  ["a second URI behind", "https://app.example/cb https://evil.example/cb"],
  ["a wildcard", "https://*.example/cb"],
];

/** URIs whose host a person and a parser read differently. */
export const confusedAuthorities: readonly Variant[] = [
  ["the client's host as user name", "https://app.example@evil.com/cb"],
  ["the client's host as user name, and a backslash", "https://app.example\\@evil.com/cb"],
  ["two at signs", "https://a@b@evil.com/cb"],
  ["a user name and a password", "https://name:password@app.example/cb"],
  ["an empty user name", "https://@app.example/cb"],
  ["a loopback host and port as user name and password", "http://127.0.0.1:80@evil.com/cb"],
  ["an empty user name at a loopback address", "http://@127.0.0.1/cb"],
  ["a user name in an app's own scheme", "com.example.app://name@host/cb"],
  ["a tab inside the host", "https://app\t.example/cb"],
  ["a letter of another script", "https://\u0430pp.example/cb"],
  ["a full-width dot", "https://app\uff0eexample/cb"],
  ["a soft hyphen", "https://app\u00ad.example/cb"],
];

/** Schemes that a browser runs, shows or opens. */
export const otherSchemes: readonly Variant[] = [
  ["javascript", "javascript:alert(1)"],
  ["javascript in mixed case", "JaVaScRiPt:alert(1)"],
  ["javascript with a host", "javascript://app.example/%0aalert(1)"],
  ["javascript with a dot behind", "javascript:document.cookie"],
  ["javascript behind a space", " javascript:alert(1)"],
  ["javascript with a tab inside", "java\tscript:alert(1)"],
  ["data", "data:text/html,<script>alert(1)</script>"],
  ["data with plain characters only", "data:text/html;base64,PHA+"],
  ["vbscript", "vbscript:msgbox(1)"],
  ["blob", "blob:https://app.example/0b8b"],
  ["file", "file:///etc/passwd"],
  ["mailto", "mailto:somebody@example.com"],
  ["ftp", "ftp://app.example/cb"],
  ["intent", "intent://app.example/#Intent;end"],
  ["an app's scheme without a dot", "myapp://cb"],
  ["http", "http://app.example/cb"],
];

/** Variants of the registered `http://127.0.0.1/cb`, of which only the port may differ. */
export const notThatLoopback: readonly Variant[] = [
  ["another path", "http://127.0.0.1:8080/other"],
  ["a sub-path", "http://127.0.0.1:8080/cb/x"],
  ["a trailing slash", "http://127.0.0.1:8080/cb/"],
  ["an extra query", "http://127.0.0.1:8080/cb?bar=foo"],
  ["a bare fragment", "http://127.0.0.1:8080/cb#"],
  ["https with a port", "https://127.0.0.1:8080/cb"],
  ["localhost instead of the address", "http://localhost:8080/cb"],
  ["IPv6 instead of IPv4", "http://[::1]:8080/cb"],
  ["IPv4 within IPv6", "http://[::ffff:127.0.0.1]:8080/cb"],
  ["zeros in front", "http://127.000.000.001:8080/cb"],
  ["one decimal number", "http://2130706433:8080/cb"],
  ["short", "http://127.1:8080/cb"],
  ["a neighbour", "http://127.0.0.2:8080/cb"],
  ["a host with the address as prefix", "http://127.0.0.1.evil.com:8080/cb"],
  ["the registered host as user name", "http://127.0.0.1:8080@evil.com/cb"],
  ["an upper-case scheme", "HTTP://127.0.0.1:8080/cb"],
  ["a port out of range", "http://127.0.0.1:65536/cb"],
  ["a long port", "http://127.0.0.1:000080/cb"],
  ["an empty port", "http://127.0.0.1:/cb"],
  ["a port with a letter", "http://127.0.0.1:80a/cb"],
  ["any address", "http://0.0.0.0:8080/cb"],
  ["a trailing dot", "http://127.0.0.1.:8080/cb"],
];
