/** What is loaded before the first answer, and what is loaded late. `deno task bench --scenario loading` has the times. */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path/posix";
import { test } from "../runner.ts";
import { type Import, readImports, type Source } from "./rules.ts";
import { readSources } from "./sources.ts";

const kit = "src/kit/mod.ts";

const mostLatePlaces = 38;

/** What a program waits for: a start with the dashboard, an import of the server, the first login of a test. */
const beginnings = [
  { name: "start", paths: ["src/tools/cli/start/start.ts", "src/tools/dashboard/served.ts"], most: 490 },
  { name: "createServer()", paths: ["src/mod.ts"], most: 440 },
  { name: "the first login of the test kit", paths: [kit], most: 510 },
] as const;

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

// What only the bundle for web pages has is loaded over a network.
const inPages = /^src\/tools\/browser\/|_browser\.ts$/;

const lateImports = allImports.filter(({ path, isLate }) => isLate && !inPages.test(path));

/** Finds the rows of a table that load what they are about: `people: () => import("./people.ts")`. */
const rowsOf = ({ text }: Source) =>
  text.match(/\w: (?:async )?\(\) => \(?(?:await )?import\(/g)?.length ?? 0;

test("late modules: src imports at run time in few places, because a reader loses the way at each", () => {
  // The rows of a table count as one place, so that a page, a command or a language more is not one more.
  const places = [...Map.groupBy(lateImports, ({ path }) => path)].map(([path, own]) => {
    const rows = rowsOf(sources.find((source) => source.path === path)!);
    assert(rows <= own.length, path);
    return { path, count: own.length - Math.max(rows - 1, 0) };
  });
  const list = places.map(({ path, count }) => `${count} ${path}`).join("\n");
  const total = places.reduce((sum, { count }) => sum + count, 0);
  assert(lateImports.length > total && total <= mostLatePlaces, `${total}:\n${list}`);
});

test("late modules: a feature is loaded late at one place, and so is each module of the server and the test kit", () => {
  const places = lateImports.map(({ path, target }) =>
    path.startsWith("src/server/features/")
      ? dirname(path)
      : path.startsWith("src/tools/")
      ? ""
      : target ?? ""
  ).filter((place) => place !== "");
  assert(places.includes("src/server/features/device_login") && places.includes("src/server/pages/mod.ts"));
  assertEquals(places.filter((place, index) => places.indexOf(place) !== index), []);
});

test("late modules: no module that the test kit imports at run time is also loaded at its start", () => {
  const { together, late } = findModules(kit);
  assert(late.has("src/server/pages/mod.ts") && late.has("src/server/features/registration/loaded_late.ts"));
  assertEquals([...late].filter((path) => together.has(path)), []);
});

for (const { name, paths, most } of beginnings) {
  test(`late modules: ${name} loads at most ${most} modules`, () => {
    const loaded = new Set(paths.flatMap((path) => [...findModules(path).together]));
    assert(loaded.size > most / 2 && loaded.size <= most, `${loaded.size} modules`);
  });

  test(`late modules: ${name} loads no component of a page and no words`, () => {
    const loaded = paths.flatMap((path) => [...findModules(path).together]);
    const isOfPage = (path: string) => /\.tsx$|\/pages\/words\/(?!languages\.ts)/.test(path);
    assertEquals(loaded.filter((path) => name !== "createServer()" && isOfPage(path)), []);
  });

  test(`late modules: ${name} does not import node:http, with which Node loads a client for WebSocket`, () => {
    const loaded = new Set(paths.flatMap((path) => [...findModules(path).together]));
    const importing = sources.filter(({ path, text }) =>
      loaded.has(path) && /^import (?!type )[^;]*"node:https?";/m.test(text)
    );
    assertEquals(importing.map(({ path }) => path), []);
  });
}

test("late modules: the imports of a module are followed, but not those of types", () => {
  const imports = [
    ["src/a.ts", `import { b } from "./b.ts";\nimport type { D } from "./d.ts";`],
    ["src/b.ts", `export * from "./c.ts";\nconst e = () => import("./e.ts");`],
    ["src/d.ts", `import { e } from "./e.ts";`],
  ].flatMap(([path = "", text = ""]) => readImports({ path, text }));
  const { together, late } = findModules("src/a.ts", imports);
  assertEquals([[...together], [...late]], [["src/a.ts", "src/b.ts", "src/c.ts"], ["src/e.ts"]]);
});
