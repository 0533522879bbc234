/** Failed TLS connections keep no memory, which they do in Deno's own `node:https`. */
import { assertFlat, failures } from "../../portable/server/http/failing_ports.ts";
import { test } from "../../runner.ts";

test("guarded fetch: TLS connections that fail in each way keep no memory", async () => {
  await assertFlat(Object.values(failures), { count: 750, growth: 1.4 });
});
