/** What a service worker takes a request for: from which site it comes, and which cookies belong to it (RFC 6265bis §5.2). */

import { assertEquals } from "@std/assert";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { findCookies, keepCookies } from "../../../src/tools/browser/worker/cookies.ts";
import { findSite, type Site, toIncoming } from "../../../src/tools/browser/worker/incoming.ts";
import { test } from "../../runner.ts";

const url = "https://app.test/idp/oauth2/authorize?a=b";

/** A request as a browser makes it: no program can set its mode, its referrer and its origin. */
function requestOf(own: object, headers: Readonly<Record<string, string>> = {}): Request {
  const usual = { url, method: "GET", mode: "navigate", destination: "document", referrer: "" };
  return { ...usual, headers: new Headers(headers), ...own } as Request;
}

test("worker: a navigation comes from the site of its referrer or its origin, and without both a form from an unknown one", () => {
  const sites: readonly (readonly [own: object, origin: string | undefined, site: Site])[] = [
    [{ mode: "cors", referrer: "https://evil.test/" }, "https://evil.test", "same-origin"],
    [{}, undefined, "none"],
    [{}, "null", "none"],
    [{ method: "POST" }, undefined, undefined],
    [{ method: "POST" }, "null", undefined],
    [{ method: "POST" }, "https://app.test", "same-origin"],
    [{ method: "POST" }, "https://evil.test", "cross-site"],
    [{ method: "POST", referrer: "https://evil.test/" }, "https://app.test", "cross-site"],
    [{ referrer: "https://app.test/x" }, "https://evil.test", "same-origin"],
    [{ referrer: "https://app.test:8443/" }, undefined, "same-site"],
    [{ referrer: "http://app.test/" }, undefined, "cross-site"],
    [{ referrer: "https://x.app.test/" }, undefined, "cross-site"],
    [{ referrer: "about:client" }, undefined, "cross-site"],
  ];
  for (const [own, origin, site] of sites) {
    const found = findSite(requestOf(own, origin === undefined ? {} : { origin }));
    assertEquals([own, origin, found], [own, origin, site]);
  }
});

test("worker: a request of another site has the cookies of a link only, and never those with SameSite=Strict", async () => {
  const store = memoryStore();
  const lines = ["lax=1; Path=/; SameSite=Lax", "strict=2; HttpOnly;samesite=strict", "none=3"];
  await keepCookies({ status: 200, headers: { "set-cookie": lines }, body: "" }, store);
  await keepCookies({ status: 200, headers: { "set-cookie": "none=4" }, body: "" }, store);
  const cookiesOf = async (site: Site, own: object = {}) =>
    (await findCookies(requestOf(own), site, store))?.split("; ").sort();
  const all = ["lax=1", "none=4", "strict=2"];
  for (const site of ["same-origin", "same-site", "none", undefined] as const) {
    assertEquals(await cookiesOf(site, { method: "POST", mode: "cors", destination: "" }), all);
    assertEquals(await cookiesOf(site, { credentials: "omit" }), undefined);
  }
  assertEquals(await cookiesOf("cross-site"), ["lax=1", "none=4"]);
  for (const own of [{ method: "POST" }, { mode: "no-cors" }, { destination: "iframe" }]) {
    assertEquals(await cookiesOf("cross-site", own), undefined);
  }
});

test("worker: a request has the headers that a page cannot set, and those of the browser in their place (Fetch Metadata)", () => {
  const sent = { "sec-fetch-site": "same-origin", cookie: "x=1", accept: "text/html" };
  const terms = { site: "cross-site", cookie: undefined } as const;
  const { address, peer, header, headers } = toIncoming(requestOf({ destination: "" }, sent), terms);
  const added = "sec-fetch-site,cross-site sec-fetch-mode,navigate sec-fetch-dest,empty";
  assertEquals(headers().join(" "), `accept,text/html ${added}`);
  assertEquals([header("cookie"), header("sec-fetch-site"), peer], [undefined, "cross-site", undefined]);
  assertEquals(`${address.path}?${address.query}`, "/idp/oauth2/authorize?a=b");
  const inner = toIncoming(requestOf({}), { site: undefined, cookie: "a=b", path: "/clock" });
  const shown = [inner.address.path, inner.header("cookie"), inner.header("sec-fetch-dest")];
  assertEquals(shown, ["/clock", "a=b", "document"]);
});

test("worker: a request has left as soon as its page has ended it", () => {
  for (const signal of [AbortSignal.abort(), new AbortController().signal]) {
    const { hasLeft } = toIncoming(requestOf({ signal }), { site: "none", cookie: undefined });
    assertEquals(hasLeft!(), signal.aborted);
  }
});
