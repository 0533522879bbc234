/** Streams of the kit's fetch: a signal ends them, and a lost answer cancels them. */

import { assertEquals, assertRejects } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { createSource } from "../../server/http/source.ts";

test("streams: the kit's fetch ends a stream with its signal, and as.drop() cancels it", async () => {
  await using as = await createMock();
  for (const lost of [false, true]) {
    const source = createSource();
    using _hook = as.on("response", (answer) => ({ ...answer, body: source.stream }), { once: true });
    using _drop = lost ? as.drop("jwks") : undefined;
    const leaving = new AbortController();
    const asking = as.fetch(`${as.issuer}/oauth2/jwks`, { signal: leaving.signal });
    if (lost) {
      await assertRejects(() => asking);
    } else {
      const response = await asking;
      leaving.abort();
      await assertRejects(() => response.text());
    }
    await source.cancelled;
  }
  assertEquals(as.requests.jwks.length, 2);
});
