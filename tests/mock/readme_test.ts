/** The documentation of the kit: its programs run, and its table names existing methods. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMock, hookTable } from "../../src/mock/mod.ts";
import { runtime, test } from "../runner.ts";

const names = ["test_a_login", "test_refresh_races", "test_an_api", "reference/test_kit", "over_http"];
const pages = await Promise.all(names.map((name) => readFile(`docs/${name}.md`, "utf8")));
const text = pages.join("\n");
const kit = pages[3]!;

test("readme, kit: a mock has every method of the table", async () => {
  await using as = await createMock();
  const named = [...kit.matchAll(/`as\.([a-z]+)/gi)].map(([, name = ""]) => name);
  assert(named.length > 20, `${named.length}`);
  for (const name of named) assert(name in as, name);
  const methods = Object.keys(as).filter((name) =>
    !["issuer", "fetch", "answer", "close", "browser", "authorizeForm"].includes(name)
  );
  assertEquals(methods.filter((name) => !named.includes(name) && !text.includes(`as.${name}`)), []);
});

test("readme: every hook is named where the control plane explains hooks", () => {
  const [, sentence = ""] = /(A hook is a merge patch [^]*?)\. In/.exec(text) ?? [];
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assertEquals(named, Object.keys(hookTable));
});

// The programs use `await using` and types: only Deno runs both unchanged.
const programs = [...text.matchAll(/^```typescript\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
const said = [
  /^refresh_token 3600\n$/,
  /^\{\s+issuer: "https:\/\/id\.shop\.test",/,
  /^rejected fulfilled [^]*\nrefresh_reused\n$/,
  /^(?:[a-z0-9-]+ (?:401 401|403 403)\n){18}$/,
];

for (const [index, program] of programs.entries()) {
  const name = `readme, kit: program ${index + 1} runs, and says what it promises`;
  if (runtime !== "deno") test.skip(name, "only Deno runs TypeScript with `await using`");
  else {
    test(name, async () => {
      const folder = await mkdtemp(join(tmpdir(), "postern-readme-"));
      try {
        const file = join(folder, "program.ts");
        await writeFile(file, program);
        const config = fileURLToPath(new URL("../../dev.json", import.meta.url));
        const run = promisify(execFile)(process.execPath, ["run", "--allow-all", "--config", config, file]);
        const { stdout } = await run;
        assertMatch(stdout, said[index]!);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
}
