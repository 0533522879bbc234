/** Ten thousand failed TLS connections of one process. */
import { assertFlat, failures } from "../portable/server/http/failing_ports.ts";
import { test } from "../runner.ts";

for (const [name, fail] of Object.entries(failures)) {
  test(`guarded fetch: 10,000 TLS connections to ${name} keep no memory`, async () => {
    await assertFlat([fail], { count: 10_000, growth: 1.2 });
  });
}
