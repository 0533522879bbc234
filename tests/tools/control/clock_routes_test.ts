/** The clock over HTTP. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { origin, withControl } from "./with_control.ts";

test("control: the clock shows how it was moved", async () => {
  await withControl(async ({ ask, as }) => {
    const read = async () => {
      const { body } = await ask("GET", "/clock");
      return [body.frozen, body.skew, Math.round((body.serverNow - body.now) * 1000) / 1000];
    };
    assertEquals(await read(), [false, 0, 0]);
    await ask("POST", "/clock", { body: { freeze: 1_893_456_000 } });
    const skewed = await ask("POST", "/clock", { body: { skew: "-90s" } });
    assertEquals(skewed.body, (await ask("GET", "/clock")).body);
    assertEquals(skewed.body, {
      now: 1_893_456_000,
      date: "2030-01-01T00:00:00.000Z",
      frozen: true,
      skew: -90,
      serverNow: 1_893_455_910,
    });
    await as.fetch(`${origin}/oauth2/jwks`);
    assertEquals((await ask("GET", "/requests")).body.requests[0].at, skewed.body.serverNow);
    await ask("POST", "/clock", { body: { resume: true } });
    assertEquals(await read(), [false, -90, -90]);
  });
});
