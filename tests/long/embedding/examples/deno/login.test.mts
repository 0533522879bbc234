/** Deno: an API that accepts a person's token until it expires. */

import { assertEquals } from "@std/assert";
import { createMock } from "postern/mock";

Deno.test("bob's token is accepted, and an hour later it is refused", async () => {
  await using as = await createMock();
  const { access_token: token } = await as.login("bob");
  const protect = as.protect();
  const api = async (request: Request): Promise<Response> => {
    const claims = await protect(request);
    return claims instanceof Response ? claims : new Response(`Hello, ${claims.sub}`);
  };
  const ask = () => api(new Request("https://api.test/", { headers: { authorization: `Bearer ${token}` } }));

  assertEquals(await (await ask()).text(), "Hello, bob");
  as.clock.advance("1h");
  assertEquals((await ask()).status, 401);
});
