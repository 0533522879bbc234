/** What each call takes and answers, and what each tool of agents takes: `schemas.txt` has all of it but the sentences. */

import { assertEquals } from "@std/assert";
import { agentTools } from "../../../src/tools/control/agents/agent_tools.ts";
import type { OpenApiDocument } from "../../../src/tools/control/openapi.ts";
import { readKept } from "../../kept_lines.ts";
import { test } from "../../runner.ts";
import { withControl } from "./with_control.ts";

/** Long lists are those of the server and of the catalogue. */
const write = (schema: unknown) =>
  JSON.stringify(schema, (name, value) => {
    if (/^(?:summary|description)$/.test(name) && typeof value === "string" && value.length > 9) return "…";
    return typeof value === "object" && Object.keys(value ?? {}).length > 25 ? "…" : value;
  });

test("control: calls and tools have their members, with types, bounds and examples", async () => {
  await withControl(async ({ ask }) => {
    const { info: _, paths, components, ...others }: OpenApiDocument =
      (await ask("GET", "/openapi.json")).body;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => `${method} ${path} ${write(operation)}`)
    );
    const tools = agentTools.map(({ call: _, ...tool }) => write(tool));
    const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name} ${write(schema)}`);
    const parts = Object.entries({ ...others, ...components.responses }).map((each) => write(each));
    assertEquals([parts, operations, tools, schemas], readKept("tests/tools/control/schemas.txt"));
  });
});
