/** The published schema of the configuration file. */

import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createConfigurationSchema } from "../../src/server/configuration_schema.ts";
import { test } from "../runner.ts";

test("schema: the published file is up to date (deno task schema > static/configuration.schema.json)", async () => {
  const published = await readFile("static/configuration.schema.json", "utf8");
  assertEquals(published, `${JSON.stringify(createConfigurationSchema(), null, 2)}\n`);
});
