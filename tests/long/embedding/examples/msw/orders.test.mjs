/** MSW beside intercept(): MSW answers for the API, the mock for the authorization server. Other requests fail. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { createMock } from "postern/mock";

const as = await createMock();
const protect = as.protect({ audience: "https://api.test" });
const server = setupServer(
  http.get("https://api.test/orders", async ({ request }) => {
    const claims = await protect(request);
    return claims instanceof Response ? claims : HttpResponse.json([`${claims.sub}'s order`]);
  }),
);
server.listen({ onUnhandledFrame: "error" });
as.intercept();
after(() => as.close().then(() => server.close()));

test("bob gets his orders, and both answer through the global fetch", async () => {
  assert.equal((await fetch("https://as.test/oauth2/jwks")).status, 200);
  const { access_token: token } = await as.login("bob", { resource: "https://api.test" });
  const orders = await fetch("https://api.test/orders", { headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual(await orders.json(), ["bob's order"]);
  assert.equal((await fetch("https://api.test/orders")).status, 401);
  await assert.rejects(fetch("https://elsewhere.test/"), ({ cause }) => /MSW/.test(cause));
});
