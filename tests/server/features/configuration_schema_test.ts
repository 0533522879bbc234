/** The published schema of the configuration file. */

import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { parseDuration } from "../../../src/ground/schema/duration.ts";
import { createConfigurationSchema } from "../../../src/server/configuration_schema.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { readSettings } from "../../../src/server/setup/read_settings.ts";
import { test } from "../../runner.ts";
import { createServer, type ServerOptions } from "../../../src/mod.ts";
import { createPlainSchema } from "../../../src/server/plain_schema.ts";

const { properties = {} } = createConfigurationSchema();

test("schema: the published file has the options of the code (deno task docs)", async () => {
  const published = await readFile("static/configuration.schema.json", "utf8");
  assertEquals(published, `${JSON.stringify(createConfigurationSchema(), null, 2)}\n`);
});

test("schema: every option has a description", () => {
  const { lifetimes, dpop, registration } = properties;
  const inside = [lifetimes, dpop?.anyOf?.[1], registration?.anyOf?.[1]].map((each) => each?.properties);
  for (const [name, { description }] of [properties, ...inside].flatMap((each) => Object.entries(each!))) {
    assertEquals(typeof description, "string", name);
  }
});

test("schema: the description of a lifetime has its default", () => {
  const slots = gatherSlots(defaultFeatures(everyFeature));
  const { lifetimes, ofFeatures } = readSettings({}, slots);
  const read: Readonly<Record<string, unknown>> = { ...lifetimes, ...ofFeatures };
  for (const [name, { description = "" }] of Object.entries(properties["lifetimes"]!.properties!)) {
    const [, usual] = / Default: (.+)\.$/.exec(description) ?? [];
    const expected = usual === undefined ? undefined : parseDuration(usual);
    assertEquals(read[name] ?? read[`lifetimes.${name}`], expected, name);
  }
});

/** What an example needs beside it. */
const beside: Readonly<Record<string, ServerOptions>> = {
  also: { allowPrivateHttp: true, exposeDemo: true },
  mtls: { issuer: "https://as.test" },
};

test("schema: a server starts with each example of an option", async () => {
  for (const [name, { examples = [] }] of Object.entries(createPlainSchema().properties ?? {})) {
    for (const example of examples) await createServer({ ...beside[name], [name]: example }).close();
  }
});
