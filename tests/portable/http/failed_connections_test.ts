/** Failed TLS connections keep no memory, which they do in Deno's own `node:https`. */
import { runtime, test } from "../../runner.ts";
import { assertFlat, failures } from "./failing_ports.ts";

for (const [name, fail] of Object.entries(failures)) {
  const title = `guarded fetch: TLS connections to ${name} keep no memory`;
  if (runtime !== "deno") test.skip(title, "only Deno has the fault");
  else test(title, () => assertFlat(fail, { count: 500, growth: 1.4 }));
}
