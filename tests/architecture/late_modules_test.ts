/** What is loaded together: with the test kit at its start, and with the authorization endpoint. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { type Import, readImports } from "./rules.ts";
import { readSources } from "./sources.ts";

const kit = "src/kit/mod.ts";
const sources = readSources("src");
const allImports = sources.flatMap(readImports);

/** Returns the modules that are loaded together with `path`, or later: the targets of `import()` in these modules. */
function findModules(path: string, imports: readonly Import[] = allImports): {
  readonly together: ReadonlySet<string>;
  readonly late: ReadonlySet<string>;
} {
  const together = new Set<string>();
  const late = new Set<string>();
  const visit = (module: string) => {
    if (together.has(module)) return;
    together.add(module);
    for (const { target, typesOnly, isLate } of imports.filter(({ path }) => path === module)) {
      if (target === undefined || typesOnly) continue;
      if (isLate) late.add(target);
      else visit(target);
    }
  };
  visit(path);
  return { together, late };
}

test("late modules: no module that the test kit imports at run time is also loaded at its start", () => {
  const { together, late } = findModules(kit);
  assert(
    late.has("src/server/pages/mod.ts") &&
      late.has("src/server/features/registration/registration_requests.ts"),
  );
  assertEquals([...late].filter((path) => together.has(path)), []);
});

test("late modules: the words of pages are loaded with the first page", () => {
  for (const start of [kit, "src/tools/cli/start.ts", "src/tools/dashboard/dashboard.ts"]) {
    const words = [...findModules(start).together].filter((path) =>
      (path.startsWith("src/server/pages/words/") || path.endsWith("_english.ts")) &&
      path !== "src/server/pages/words/languages.ts"
    );
    assertEquals(words, [], start);
  }
});

test("late modules: a start with the inspector loads nothing that describes requests", () => {
  const late = findModules("src/tools/cli/start.ts").late;
  for (const path of ["src/tools/dashboard/dashboard.ts", "src/tools/dashboard/watched_server.ts"]) {
    const { together } = findModules(path);
    const describing = [...together].filter((each) =>
      /^src\/(server\/client\/judge_token|kit\/faults\/areas|kit\/mock\/journal\/(describe_exchange|list_remarks))/
        .test(
          each,
        )
    );
    assertEquals([late.has(path), describing], [true, []], path);
  }
});

test("late modules: a start without --open loads nothing that opens a browser", () => {
  const { together, late } = findModules("src/tools/cli/start.ts");
  const path = "src/tools/cli/open_browser.ts";
  assertEquals([together.has(path), late.has(path)], [false, true]);
});

test("late modules: no listener imports node:http, with which Node loads a client for WebSocket", () => {
  const importing = sources.filter(({ text }) => /^import (?!type )[^;]*"node:https?";/m.test(text));
  assertEquals(importing.map(({ path }) => path), ["src/kit/mock/network/dispatch.ts"]);
});

test("late modules: a start without --tls loads nothing that makes certificates", () => {
  const { together, late } = findModules("src/tools/cli/start.ts");
  const certificates = [...together].filter((path) =>
    /^src\/server\/crypto\/(certificate|der)\.ts$/.test(path)
  );
  assertEquals([certificates, late.has("src/tools/cli/tls/own_tls.ts")], [[], true]);
});

test("late modules: a start without --config, --people and --metrics loads nothing that reads files or counts", () => {
  const { together, late } = findModules("src/tools/cli/start.ts");
  const isUnused = (path: string) =>
    /^src\/tools\/cli\/((metrics|navikt)\/|(json_file|parse_jsonc|people_file)\.ts$)/.test(path);
  const wanted = ["read_configuration", "people_file", "metrics/plan_metrics"];
  const isLate = (name: string) => late.has(`src/tools/cli/${name}.ts`);
  assertEquals([[...together].filter(isUnused), wanted.filter(isLate)], [[], wanted]);
});

test("late modules: the imports of a module are followed, but not those of types", () => {
  const imports = [
    ["src/a.ts", `import { b } from "./b.ts";\nimport type { D } from "./d.ts";`],
    ["src/b.ts", `export * from "./c.ts";\nconst e = () => import("./e.ts");`],
    ["src/d.ts", `import { e } from "./e.ts";`],
  ].flatMap(([path = "", text = ""]) => readImports({ path, text }));
  const { together, late } = findModules("src/a.ts", imports);
  assertEquals([[...together], [...late]], [["src/a.ts", "src/b.ts", "src/c.ts"], ["src/e.ts"]]);
});
