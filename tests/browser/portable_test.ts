/** Which portable tests run in Chromium. `tests/in_chromium.ts` runs them. */
import { assertEquals, assertThrows } from "@std/assert";
import { readdirSync } from "node:fs";
import { findReason, pageLacks } from "../../scripts/test/page_lacks.ts";
import { test } from "../runner.ts";

const file = "tests/portable/new_test.ts";

test("portable: a file that reaches what a page lacks does not run there, and the reason is said", () => {
  const reasonFor = (...reached: readonly string[]) => {
    const path = [file, ...reached];
    return findReason(file, new Map(path.map((each, at) => [each, path.slice(at + 1, at + 2)])));
  };
  assertEquals(reasonFor("tests/world.ts", "src/mod.ts"), undefined);
  assertEquals(reasonFor("tests/free_port.ts", "net"), "a page has no sockets");
  assertEquals(reasonFor("node_modules/.deno/a@1/node_modules/@a/b/index.js", "crypto"), "@a/b is for Node");
  const { message } = assertThrows(() => reasonFor("tests/help.ts", "buffer"), Error);
  assertEquals(
    message.split(":").slice(0, 2).join(":"),
    `${file} cannot run in a page, because tests/help.ts imports node:buffer`,
  );
});

test("portable: each thing that a page lacks keeps a file out, and libraries of pages run there", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = readdirSync("tests/portable", { recursive: true, encoding: "utf8" })
      .filter((each) => each.endsWith("_test.ts")).map((each) => `tests/portable/${each}`);
    const program = ["run", "--config", "dev.json", "--allow-all", "scripts/test/bundle_for_chromium.ts"];
    const child = new Deno.Command(Deno.execPath(), { args: [...program, folder, ...files] });
    const { code, stderr } = await child.output();
    assertEquals([code, code === 0 ? "" : new TextDecoder().decode(stderr)], [0, ""]);
    const reasons: Record<string, string> = JSON.parse(await Deno.readTextFile(`${folder}/chromium.json`));
    const said = new Set(Object.values(reasons));
    assertEquals(pageLacks.filter(([, reason]) => !said.has(reason)), []);
    const running = files.filter((each) => reasons[each] === undefined).map((each) =>
      Deno.readTextFileSync(each)
    );
    const libraries = ["jose", "oauth4webapi", "openid-client", "oidc-client-ts"];
    const runs = (library: string) => running.some((text) => text.includes(`from "${library}"`));
    assertEquals(libraries.filter((each) => !runs(each)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
