/**
 * `deno task test:alone [server] [kit]`: the server compiles and passes its tests without the kit and the tools, and the kit
 * without the tools. Copies the checkout into a temporary folder without what is above the building, and checks the types of
 * its sources and runs its tests there. `--seed N` and `--ci` are those of `deno task test`.
 */
import { parseArgs } from "node:util";
import { above, listTested, type Lower } from "./test/kept_files.ts";
import { copyFiles } from "./test/copy_files.ts";
import { asDeveloper } from "./runtimes.ts";

const { values: { seed, ci }, positionals } = parseArgs({
  args: Deno.args,
  options: { seed: { type: "string" }, ci: { type: "boolean", default: false } },
  allowPositionals: true,
});

const flags = [...seed === undefined ? [] : ["--seed", seed], ...ci ? ["--ci"] : []];

async function runDenoIn(folder: string, ...args: readonly string[]): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd: folder, stdin: "null" });
  return (await command.spawn().status).success;
}

/** Returns whether the types are right and all tests pass. */
async function testAlone(building: Lower): Promise<boolean> {
  const folder = await Deno.makeTempDir({ prefix: "postern_alone_" });
  try {
    await copyFiles(listTested(building), folder);
    console.log(`The ${building} without the ${above[building].join(" and the ")}, in ${folder}`);
    return await runDenoIn(folder, "check", "--quiet", ...asDeveloper, "src") &&
      await runDenoIn(folder, "run", "--allow-all", "scripts/test.ts", ...flags);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const name of positionals.length === 0 ? Object.keys(above) : positionals) {
  if (!Object.hasOwn(above, name)) throw new Error(`Choose ${Object.keys(above).join(" or ")}, not ${name}`);
  if (!await testAlone(name as Lower)) Deno.exit(1);
}
