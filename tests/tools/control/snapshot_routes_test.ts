/** Snapshots over HTTP: a caller gets a handle, and never the content. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { withControl } from "./with_control.ts";

test("control: a snapshot is a handle, which is restored, removed and bounded", async () => {
  await withControl(async ({ ask, as }) => {
    const { status, body } = await ask("POST", "/snapshots");
    assertEquals([status, Object.keys(body), body.id], [201, ["id", "at"], "snapshot-1"]);
    assertEquals((await ask("GET", "/snapshots")).body, { snapshots: [body] });
    as.people.remove("alice");
    assertEquals((await ask("POST", "/snapshots/snapshot-1/restore")).status, 204);
    assertEquals(as.people.get("alice")?.username, "alice");
    for (let number = 2; number < 20; number++) await ask("POST", "/snapshots");
    const together = await Promise.all([1, 2, 3].map(() => ask("POST", "/snapshots")));
    assertEquals(together.map(({ status }) => status).sort(), [201, 422, 422]);
    // The refusal waits for no request.
    using gate = as.hold("jwks");
    const held = as.fetch(`${as.issuer}/oauth2/jwks`);
    await gate.arrived();
    const refused = await ask("POST", "/snapshots");
    gate.release();
    await (await held).body?.cancel();
    assertEquals([refused.status, refused.body.error_description], [
      422,
      "There are 20 snapshots already. Remove one first",
    ]);
    assertEquals((await ask("DELETE", "/snapshots/snapshot-1")).status, 204);
    assertEquals((await ask("POST", "/snapshots/snapshot-1/restore")).status, 404);
    assertEquals((await ask("POST", "/snapshots")).body.id, "snapshot-21");
    assertEquals((await ask("POST", "/tenants/shop/snapshots")).status, 404);
  });
});
