/** The whole gate for developers: format, lint, types, documentation, built scripts, and the tests on every runtime. */
import { asDeveloper } from "./runtimes.ts";

interface Outcome {
  readonly success: boolean;
  readonly output: string;
}

const steps: Readonly<Record<string, () => Promise<Outcome>>> = {
  format: () => deno("fmt", "--check"),
  lint: () => deno("lint"),
  types: () => deno("check", "--quiet", ...asDeveloper),
  documentation: checkDocumentation,
  "page scripts are built": () =>
    deno("run", ...asDeveloper, "--allow-all", "scripts/browser_scripts.ts", "--check"),
};

let failed = false;
for (const [name, step] of Object.entries(steps)) {
  const started = performance.now();
  const { success, output } = await step();
  if (!success) console.error(output.trim());
  console.log(
    `${success ? "ok" : "not ok"}: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  failed ||= !success;
}
// these take longest, and speak for themselves
if (!failed) {
  const tests = new Deno.Command(Deno.execPath(), {
    args: ["run", ...asDeveloper, "--allow-all", "scripts/test.ts"],
    stdin: "null",
  });
  failed = !(await tests.spawn().status).success;
}
Deno.exit(failed ? 1 : 0);

/** Every public type is exported and every export says what it is; members may speak for themselves. */
async function checkDocumentation(): Promise<Outcome> {
  const { success, output } = await deno(
    "doc",
    "--lint",
    "src/mod.ts",
    "src/mock/mod.ts",
    "src/store/contract.ts",
  );
  if (success) return { success, output };
  const complaints = output.split(/^(?=error)/m).filter((text) => text.startsWith("error["));
  const serious = complaints.filter((text) =>
    !text.startsWith("error[missing-jsdoc]") || /^\s*\d+ \| export /m.test(text)
  );
  return { success: complaints.length > 0 && serious.length === 0, output: serious.join("\n") || output };
}

async function deno(...args: readonly string[]): Promise<Outcome> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}
