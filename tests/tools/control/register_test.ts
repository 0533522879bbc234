/** A test in any language registers a client over HTTP. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { withControl } from "./with_control.ts";

test("control: a registered client logs in", async () => {
  await withControl(async ({ ask }) => {
    const { status, body } = await ask("POST", "/register", { body: { metadata: { client_name: "Notes" } } });
    assertEquals([status, body.client_name, typeof body.client_secret], [201, "Notes", "string"]);
    const login = await ask("POST", "/login", { body: { username: "alice", client: body.client_id } });
    assertEquals(login.status, 200);
    const refused = await ask("POST", "/register", { body: { metadata: { redirect_uris: ["/cb"] } } });
    assertEquals([refused.status, refused.body.refusal.reason], [422, "redirect_uri_invalid"]);
    assertEquals((await ask("POST", "/register", { body: { meta: {} } })).status, 400);
  });
});
