/** The package from a registry, as each package manager gets and runs it in one line. */

import { assertEquals, assertMatch } from "@std/assert";
import { type Program, start, withServer } from "../../tools/cli/command.ts";
import { createFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { build, runtimes, succeed } from "../../package/project.ts";
import { startRegistry } from "./registry.ts";

const { bun, deno, obtainRuntime } = runtimes;

/** The commands that get and run a package, as a person types them. */
const ways: Readonly<Record<string, () => Promise<Program["command"]>>> = {
  "npx postern": () => Promise.resolve(["npx", "--yes", "postern"]),
  "bunx postern": async () => [(await obtainRuntime(bun)).path, "x", "--bun", "postern"],
  "pnpm dlx postern": () => Promise.resolve(["npx", "--yes", "pnpm@10", "dlx", "postern"]),
  "deno run npm:postern": () =>
    Promise.resolve([deno.path, "run", "--no-config", "--allow-all", "npm:postern"]),
};

for (const [name, find] of Object.entries(ways)) {
  test(`registry: ${name} installs the package and starts a server`, async () => {
    await build();
    await using registry = await startRegistry();
    await using path = await createFolder();
    const program: Program = {
      command: await find(),
      cwd: path("."),
      asGroup: true,
      // Each package manager has an empty cache.
      env: {
        HOME: path("."),
        npm_config_registry: registry.url,
        NPM_CONFIG_REGISTRY: registry.url,
        npm_config_cache: path("npm"),
        DENO_DIR: path("deno"),
        BUN_INSTALL: path("bun"),
      },
    };
    await withServer([], async ({ issuer }) => {
      const page = await fetch(`${issuer}/start?client_id=demo`);
      assertEquals([page.status, /<h1[^>]*>Sign in/.test(await page.text())], [200, true]);
    }, program);
    const packages = [...registry.installed].filter((each) => !/^@?pnpm\b/.test(each)).sort();
    assertEquals(packages, ["jose", "lean-qr", "postern", "preact", "preact-render-to-string"]);
    const { stdout } = await succeed(start(["--version"], program));
    assertMatch(stdout, /^\d+\.\d+\.\d+/m);
  });
}
