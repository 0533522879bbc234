/** The action that starts a server in a job: which version it takes, what its outputs are, and what its log leaves out. */

import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { type Running, start } from "../../tools/cli/command.ts";
import { inFolder } from "../../in_folder.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { build, root } from "../../package/project.ts";
import { startRegistry } from "./registry.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly { readonly env: Readonly<Record<string, string>> }[] };
}

type Path = (name: string) => string;

/** Runs the script of the action in a folder of its own, as a job does. */
function runAction(path: Path, given: Readonly<Record<string, string>>): Running {
  return start([`${root}packaging/action/start.sh`], {
    command: ["bash"],
    cwd: path("."),
    asGroup: true,
    env: {
      ...{ HOME: path("."), RUNNER_TEMP: path("."), GITHUB_OUTPUT: path("outputs") },
      ...{ FLAGS: "", PORT: "9000", ...given },
    },
  });
}

test("action: the version has no default, and each input reaches the script", async () => {
  const { inputs, runs } = parse(await readFile(`${root}packaging/action/action.yml`, "utf8")) as Action;
  assertEquals([inputs["version"]?.required, inputs["version"]?.default], [true, undefined]);
  assertEquals(runs.steps.map(({ env }) => env), [
    { VERSION: "${{ inputs.version }}", PORT: "${{ inputs.port }}", FLAGS: "${{ inputs.flags }}" },
  ]);
});

test("action: a version that is not exact is refused before anything is fetched", async () => {
  for (const version of ["latest", "", "next", "0.1", "^0.1.0", "0.1.x", "0.1.0 || 9", "npm:other@0.1.0"]) {
    await inFolder(async (path) => {
      const nowhere = { npm_config_registry: "http://127.0.0.1:9" };
      const { code, stdout, stderr } = await runAction(path, { ...nowhere, VERSION: version }).ended;
      const sentence = `The input "version" must be an exact version, such as 0.1.0, and is "${version}"`;
      assertEquals([code, stdout, stderr], [1, `::error::${sentence}\n`, ""]);
      assertEquals(existsSync(path("postern-9000.log")), false);
    });
  }
});

test("action: the server outlives the script, its issuer is an output, and its log has no key", async () => {
  await build();
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  await using registry = await startRegistry();
  await inFolder(async (path) => {
    const port = await findFreePort();
    const running = runAction(path, {
      ...{ npm_config_registry: registry.url, VERSION: version, PORT: `${port}` },
      FLAGS: "--alg ES256 --login auto --inspector-key a-key-that-a-person-chose",
    });
    try {
      const { code, stdout, stderr } = await running.ended;
      assertEquals(code, 0, stdout + stderr);
      const outputs = await readFile(path("outputs"), "utf8");
      const log = `${path(".")}/postern-${port}.log`;
      assertEquals(outputs, `issuer=http://localhost:${port}\nlog=${log}\n`);
      const response = await fetch(`http://localhost:${port}/health`);
      assertEquals((await response.json()).issuer, `http://localhost:${port}`);
      const text = await readFile(log, "utf8");
      assertMatch(text, new RegExp(`^ {2}Look {6}http://localhost:${port}/inspector$`, "m"));
      assertNotMatch(text + stdout + stderr, /key=|a-key-that/);
    } finally {
      running.signal("SIGINT");
    }
  });
});
