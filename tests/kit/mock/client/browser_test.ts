/** The browser of a test: it follows redirects only. */

import { assertEquals, assertRejects } from "@std/assert";
import { createBrowser, formatCookies } from "../../../../src/kit/mock/client/browser.ts";
import { visit } from "../../../../src/kit/mock/client/visit.ts";
import type { Pair } from "../../../../src/ground/http/form.ts";
import type { Answer } from "../../../../src/ground/http/message.ts";
import { usualPaths } from "../../../../src/server/oauth/contracts/paths.ts";
import { test } from "../../../runner.ts";

/** Opens a URL of a server that gives these answers one after another, then pages. Returns what it got, too. */
async function visitAll(
  url: string,
  answers: readonly Pick<Answer, "status" | "headers">[],
  { basePath = "", ...options }: { readonly basePath?: string; readonly form?: readonly Pair[] } = {},
) {
  const [browser, rest, got, bound] = [createBrowser(), [...answers], [] as string[][], [] as unknown[]];
  const decision = { person: "alice" };
  const visited = await visit(browser, { url, decision, ...options }, {
    services: { settings: { baseUrl: `https://as.test${basePath}`, basePath, paths: usualPaths } },
    async answer({ method, address: { origin, path, query }, header, readBody }) {
      const body = await readBody(1000);
      const text = "text" in body ? body.text : "";
      got.push([method, `${origin}${path}?${query}`, header("cookie") ?? "", text]);
      return { body: "", ...rest.shift() ?? { status: 200, headers: {} } };
    },
    factsOf: () => undefined,
    bind: (_request, decided) => void bound.push(decided),
  });
  return { ...visited, got, isDecided: bound.length === got.length, cookies: formatCookies(browser) };
}

async function visitOnce(status: number, location?: string) {
  const headers = location === undefined ? {} : { location };
  return await visitAll("https://as.test/oauth2/authorize", [{ status, headers }]);
}

test("browser: follows the Location of a redirect only (RFC 9110 §10.2.2, §15.4)", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    assertEquals((await visitOnce(status, "https://app.test/cb")).leftFor?.href, "https://app.test/cb");
    assertEquals((await visitOnce(status)).leftFor, undefined);
  }
  for (const status of [200, 201, 300, 304, 400, 500]) {
    const { leftFor, answer } = await visitOnce(status, "https://app.test/cb");
    assertEquals([leftFor, answer.status], [undefined, status]);
  }
});

test("browser: after a form it goes on with GET, with each cookie and with the decision (RFC 6265 §5.4)", async () => {
  const cookies = ["a=1; Path=/", "b=x=y=; HttpOnly"];
  const { got, isDecided, ...visited } = await visitAll("https://as.test/device", [
    { status: 303, headers: { location: "/device?step=2", "set-cookie": cookies } },
    { status: 302, headers: { location: "https://app.test/cb", "set-cookie": "b=2" } },
  ], { form: [["user_code", "B C"]] });
  assertEquals(got, [
    ["POST", "https://as.test/device?", "", "user_code=B+C"],
    ["GET", "https://as.test/device?step=2", "a=1; b=x=y=", ""],
  ]);
  assertEquals([isDecided, visited.cookies, visited.leftFor?.href], [
    true,
    "a=1; b=2",
    "https://app.test/cb",
  ]);
});

test("browser: it stays at the pages of the server, at each of its hosts, and leaves for any other", async () => {
  const [own, other] = ["https://as.test/t/oauth2/authorize", "https://login.test/go"];
  const rows: readonly (readonly [url: string, location: string, leaves: boolean])[] = [
    [own, "/t/oauth2/authorize?again", false],
    [own, "/t/connect/logout", false],
    [own, "/oauth2/authorize", true],
    [own, "/t/callback", true],
    [other, "/go?again", false],
    [other, "https://login.test/t/oauth2/authorize", false],
    [other, own, false],
    [other, "https://app.test/t/oauth2/authorize", true],
  ];
  for (const [url, location, leaves] of rows) {
    const visited = await visitAll(url, [{ status: 302, headers: { location } }], { basePath: "/t" });
    assertEquals(visited.leftFor !== undefined, leaves, `${url} ${location}`);
  }
  const again = { status: 302, headers: { location: own } };
  assertEquals((await visitAll(own, Array(9).fill(again))).got.length, 10);
  await assertRejects(() => visitAll(own, Array(10).fill(again)), Error, "Too many redirects");
});
