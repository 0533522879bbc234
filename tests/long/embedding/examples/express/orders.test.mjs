/** An Express API with valid tokens, and with every forgery that it can recognise without asking the server. */

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

for (const name of forgeries) {
  test(`a forged token is refused: ${name}`, async () => {
    const { token, verdict } = await as.forge(name, terms);
    if (verdict.level !== "must") return; // for example revoked, which only the server knows
    assert.equal((await ask(token)).status, verdict.status, verdict.why);
  });
}
