/** The browser of a test: it follows redirects only, also when a hook has changed an answer. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Answer } from "../../../src/http/message.ts";
import { createBrowser } from "../../../src/mock/client/browser.ts";
import { visit } from "../../../src/mock/client/visit.ts";
import { createMock, type MockOptions, Refused } from "../../../src/mock/mod.ts";
import { usualPaths } from "../../../src/oauth/paths.ts";
import { test } from "../../runner.ts";
import { authorizeUrl } from "../authorize_url.ts";

const quick: MockOptions = { alg: "ES256", scopes: { orders: "See orders" } };

async function visitOnce(status: number, location?: string) {
  const headers = location === undefined ? {} : { location };
  return await visit(createBrowser(), { url: "https://as.test/oauth2/authorize" }, {
    services: { settings: { basePath: "", paths: usualPaths } },
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

for (const headers of ["kept", "gone"] as const) {
  test(`login and authorize: report that a hook changed the status to 500, with its headers ${headers}`, async () => {
    await using as = await createMock(quick);
    const fail = (answer: Answer): Answer => ({
      ...answer,
      ...(headers === "kept" ? {} : { headers: {} }),
      status: 500,
      body: "oops",
    });
    as.on("response", fail, { once: true });
    const { message } = await assertRejects(() => as.login(), Error) as Error;
    assertEquals(
      message,
      "Cannot log in: expected the browser to be sent back to the client, with a code or an OAuth error, " +
        'but got something else (status 500): changed by "response"',
    );
    for (const ask of [as.authorize, as.authorizeForm]) {
      as.on("response", fail, { once: true });
      assertMatch(
        (await assertRejects(
          () => ask(authorizeUrl(as.issuer, { redirect_uri: "http://localhost:3000/callback" })),
          Error,
        ) as Error).message,
        /^Cannot authorize: expected .*, but got something else \(status 500\): changed by "response"$/,
      );
    }
    assert((await as.login()).access_token);
  });
}

test("login: still says why the server refused if a hook changed the status to 500", async () => {
  await using as = await createMock(quick);
  as.on("response", (answer) => ({ ...answer, status: 500, body: "oops" }), { once: true });
  const refused = await assertRejects(() => as.login("bob", { scope: "ordres" }), Refused) as Refused;
  assertEquals([refused.error, refused.reason], ["invalid_scope", "scope_unknown"]);
});
