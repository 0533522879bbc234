/** An Express API against good tokens, and against every forged one that it can tell by looking at it. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createMock, forgeries } from "postern/mock";
import { application } from "./application.mjs";

const as = await createMock();
as.intercept();
const server = application.listen(0);
after(() => as.close().then(() => server.close()));

const terms = { person: "bob", scope: "orders", resource: "https://api.test" };
const ask = (token) =>
  fetch(`http://localhost:${server.address().port}/orders`, {
    headers: { authorization: `Bearer ${token}` },
  });

test("bob sees his orders", async () => {
  assert.deepEqual(await (await ask(await as.mint(terms))).json(), ["bob's order"]);
});

// Of a revoked one only the server knows.
for (const name of forgeries.filter((each) => each !== "revoked")) {
  test(`a token is refused that is ${name}`, async () => {
    const { token, verdict } = await as.forge(name, terms);
    assert.equal((await ask(token)).status, verdict.status, verdict.why);
  });
}
