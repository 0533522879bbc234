/** Deno beside the checkout: the test kit, one of its pages, and a server. */

import { createServer } from "postern";
import { createMock } from "postern/mock";

Deno.test("alice signs in", async () => {
  await using as = await createMock();
  const { token_type } = await as.login("alice");
  const page: Response = await as.fetch(`${as.issuer}/oauth2/authorize?client_id=unknown`);
  const { issuer } = createServer();
  const said = [page.status, token_type, issuer].join(" ");
  if (said !== "400 Bearer http://localhost:9000") throw new Error(said);
});
