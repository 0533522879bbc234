/** The browser of a test: it follows redirects only. */

import { assertEquals } from "@std/assert";
import { createBrowser } from "../../../../src/kit/mock/client/browser.ts";
import { visit } from "../../../../src/kit/mock/client/visit.ts";
import { usualPaths } from "../../../../src/server/oauth/contracts/paths.ts";
import { test } from "../../../runner.ts";

async function visitOnce(status: number, location?: string) {
  const headers = location === undefined ? {} : { location };
  return await visit(createBrowser(), { url: "https://as.test/oauth2/authorize" }, {
    services: { settings: { baseUrl: "https://as.test", basePath: "", paths: usualPaths } },
    answer: () => Promise.resolve({ status, headers, body: "" }),
    factsOf: () => undefined,
    bind: () => {},
  });
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
