/** `allowPrivateHttp`: an http issuer in a network of containers, where every container uses its name. */

import { assertEquals } from "@std/assert";
import { assertCannotCreate } from "./oauth/refusals.ts";
import { test } from "../runner.ts";
import { createWorld, redirectUri } from "../world.ts";

const issuer = "http://postern:9000";
const options = { issuer, allowPrivateHttp: true, people: [{ username: "alice" }] };

test("private issuer: a login works, with plain cookies and the name as Host", async () => {
  const clients = [{ client_id: "public", redirect_uris: [redirectUri] }];
  await using world = createWorld({ ...options, clients });
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  assertEquals(metadata.token_endpoint, `${issuer}/oauth2/token`);
  assertEquals((await world.redeem(await world.code())).status, 200);
  const response = await world.authorize();
  assertEquals(response.headers.getSetCookie().filter((cookie) => /Secure|__Host/.test(cookie)), []);
  assertEquals((await world.fetch(new Request("http://other:9000/oauth2/jwks"))).status, 421);
});

test("private issuer: it needs clients of its own, because other machines reach the server", async () => {
  const sentence = `clients must be configured, because other machines may reach ${issuer}`;
  await assertCannotCreate(() => createWorld(options, {}), sentence);
  await using world = createWorld({ ...options, clients: [], login: "picker" }, {});
  const response = await world.authorize({ client_id: "new", redirect_uri: "http://localhost:3000/cb" });
  assertEquals([response.status, world.lastRefusal()?.reason], [400, "client_unknown"]);
});
