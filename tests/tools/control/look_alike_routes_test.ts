/** Look-alikes over HTTP. */

import { assertEquals, assertMatch } from "@std/assert";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: the server looks like a provider until the look-alike is removed or reset", async ({ ask }) => {
  const typeOf = async (below = "") => (await ask("POST", `${below}/login`)).body.token_type;
  const made = await ask("POST", "/look_alikes", { body: { name: "slack" } });
  assertEquals([made.status, made.body], [201, { id: "look_alike-1", name: "slack", count: 0 }]);
  assertEquals(await typeOf(), "bot");
  const [listed] = (await ask("GET", "/look_alikes")).body.look_alikes;
  assertEquals([listed.name, listed.count > 0], ["slack", true]);
  assertEquals(await typeOf("/tenants/acme"), "Bearer");
  assertEquals((await ask("DELETE", "/look_alikes/look_alike-1")).status, 204);
  assertEquals(await typeOf(), "Bearer");

  const terms = { name: "auth0", host: "acme.eu.auth0.com", client: "app" };
  const { body } = await ask("POST", "/look_alikes", { body: terms });
  assertEquals(body, { id: "look_alike-2", ...terms, count: 0 });
  await ask("DELETE", "/look_alikes/look_alike-2");
  await ask("POST", "/look_alikes", { body: { name: "slack" } });
  assertEquals((await ask("POST", "/reset")).status, 204);
  assertEquals(await typeOf(), "Bearer");
  assertEquals((await ask("GET", "/look_alikes")).body.look_alikes, []);
});

it("control: a wrong look-alike is refused with what was expected", async ({ ask }) => {
  const refuse = async (body: object) => {
    const refused = await ask("POST", "/look_alikes", { body });
    assertEquals(refused.status, 400);
    return JSON.stringify(refused.body);
  };
  assertMatch(await refuse({ name: "gihub" }), /github/);
  assertMatch(await refuse({ name: "github", times: 1 }), /times/);
  await ask("POST", "/look_alikes", { body: { name: "github" } });
  assertMatch(await refuse({ name: "slack" }), /look_alike\.github is on, so switch it off first/);
  assertEquals((await ask("DELETE", "/look_alikes/look_alike-9")).status, 404);
});
