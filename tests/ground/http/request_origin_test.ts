/** Fetch metadata: every combination of site, mode and destination. */

import { assertEquals } from "@std/assert";
import {
  type FetchSite,
  isForwarded,
  isNavigation,
  readFetchSite,
} from "../../../src/ground/http/request_origin.ts";
import { fromRequest, type IncomingRequest } from "../../../src/ground/http/message.ts";
import { test } from "../../runner.ts";
import { foreignOrigins, localOrigins } from "./origins_of_pages.ts";

/** Fetch Metadata §2.2; a value that no browser sends, and none. */
const sites = [
  ...["same-origin", "same-site", "none", "cross-site", "CROSS-SITE", "same-site, cross-site"],
  undefined,
];
const modes = ["navigate", "no-cors", "websocket", undefined];
/** Some of the Fetch standard's destinations, and values that no browser sends. */
const destinations = [
  ...["document", "iframe", "frame", "fencedframe", "embed", "object", "image", "script", "worker", "empty"],
  ...["DOCUMENT", "document, iframe"],
  undefined,
];

type Headers = Readonly<Record<string, string | undefined>>;

function siteOf(headers: Headers): FetchSite {
  return readFetchSite(requestWith(headers));
}

function requestWith(headers: Headers): IncomingRequest {
  const sent = Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]);
  return fromRequest(new Request("https://as.test/", { headers: sent as [string, string][] }), undefined);
}

for (const site of sites) {
  const isCrossSite = site !== undefined && !["same-origin", "same-site", "none"].includes(site);
  test(`fetch site: ${site ?? "no Sec-Fetch-Site"} with every mode and destination`, () => {
    for (const mode of modes) {
      for (const dest of destinations) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest };
        const expected = !isCrossSite
          ? "not cross-site"
          : dest === "document" || dest === "iframe"
          ? `cross-site ${dest}` as const
          : "cross-site other";
        assertEquals(siteOf(headers), expected, JSON.stringify(headers));
      }
    }
  });
}

test("navigation: the mode decides or, in a browser that does not say it, the wish for https (Upgrade Insecure Requests §3.2.1)", () => {
  for (const accept of ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8", "*/*", undefined]) {
    for (const mode of [...modes, "cors", "same-origin", "NAVIGATE"]) {
      for (const upgrade of ["1", "0", "", undefined]) {
        const headers = { accept, "sec-fetch-mode": mode, "upgrade-insecure-requests": upgrade };
        const isOpened = mode === "navigate" || mode === undefined && upgrade === "1";
        const expected = isOpened && accept?.startsWith("text/html") === true;
        assertEquals(isNavigation(requestWith(headers)), expected, JSON.stringify(headers));
      }
    }
  }
});

test("fetch site: a page that another site prefetches or prerenders is not opened by a person", () => {
  const headers = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  for (const purpose of ["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"]) {
    assertEquals(siteOf({ ...headers, "sec-purpose": purpose }), "cross-site other", purpose);
  }
});

test("fetch site: without Sec-Fetch-Site, as for a WebSocket, the Origin decides", () => {
  for (const origin of ["https://as.test", "http://as.test:3000", ...localOrigins]) {
    assertEquals(siteOf({ origin, "sec-fetch-dest": "document" }), "not cross-site", origin);
    // If the browser names the site, the Origin does not count.
    assertEquals(siteOf({ origin, "sec-fetch-site": "cross-site" }), "cross-site other", origin);
  }
  const foreign = ["https://as.test.evil.example", "https://x.as.test", "https://xas.test"];
  for (const origin of [...foreign, ...foreignOrigins]) {
    assertEquals(siteOf({ origin, "sec-fetch-dest": "document" }), "cross-site other", origin);
    assertEquals(siteOf({ origin, "sec-fetch-site": "same-origin" }), "not cross-site", origin);
  }
});

test("forwarded: the header of a proxy in any spelling says so, and no similar one (RFC 7239 §4, RFC 9110 §7.6.3)", () => {
  const proxies = ["Forwarded", "Via", "X-Real-IP", "X-Forwarded", "X-Forwarded-For", "X-Forwarded-Proto"];
  const headers = [...proxies, "CF-Connecting-IP", "True-Client-IP", "X-FORWARDED-HOST"];
  // The platform writes the names of headers in lower case, and a server of Node may not.
  const isProxied = (name: string) =>
    isForwarded({ ...requestWith({}), headers: () => [[name, "x"]] } as IncomingRequest);
  for (const name of headers) {
    assertEquals([isProxied(name), isProxied(name.toLowerCase())], [true, true], name);
    assertEquals(isProxied(`an-${name}`), false, name);
  }
  assertEquals(isForwarded(requestWith({ accept: "*/*" })), false);
});
