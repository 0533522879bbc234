/** The files that `deno task docs` makes are committed as it makes them: each table, schema and limit that they print. */

import { assertEquals } from "@std/assert";
import { runDeno } from "../../scripts/run_program.ts";
import { asDeveloper } from "../../scripts/runtimes.ts";
import { test } from "../runner.ts";

test("reference: what the code makes is what is committed", async () => {
  const { success, output } = await runDeno(
    "run",
    ...asDeveloper,
    "--allow-all",
    "scripts/docs.ts",
    "--check",
  );
  assertEquals([success, output], [true, ""]);
});
