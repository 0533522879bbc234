/** deno.json, which starts a server, and dev.json, which adds what tests and scripts need. */
import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { libraries } from "../../../src/ground/values/library.ts";
import { test } from "../../runner.ts";

type Configuration = Readonly<Record<string, unknown>> & {
  readonly imports: Readonly<Record<string, string>>;
  readonly fmt: { readonly lineWidth: number };
  readonly unstable: readonly string[];
  readonly tasks: Readonly<Record<string, { readonly command: string }>>;
};

interface Lock {
  readonly npm: Readonly<Record<string, unknown>>;
  readonly specifiers: Readonly<Record<string, string>>;
  readonly workspace: unknown;
}

const needed = ["jose", "lean-qr", "preact", "preact-render-to-string"];

test("configuration files: the first start fetches what a server needs, and nothing for tests", async () => {
  const { imports } = await readJson<Configuration>("deno.json");
  const { npm } = await readJson<Lock>("deno.lock");
  assertEquals([...new Set(Object.keys(imports).map(packageOf))], needed);
  assertEquals([...new Set(Object.keys(npm).map((name) => name.replace(/@.*/, "")))].sort(), needed);
});

test("configuration files: a start with the store of a database changes no file", async () => {
  // deno task fetches all packages of deno.lock, so the libraries of the stores have their place in another lock.
  const { tasks, unstable } = await readJson<Configuration>("deno.json");
  for (const { command } of [tasks["start"]!, tasks["dev"]!]) {
    assertMatch(command, /--lock=scripts\/start\.lock -P=start/);
  }
  // Without this, deno run fetches all packages of its lock.
  assertEquals(unstable, ["npm-lazy-caching"]);
  const server = await readJson<Lock>("deno.lock");
  const start = await readJson<Lock>("scripts/start.lock");
  assertEquals(pick(start.npm, Object.keys(server.npm)), server.npm);
  assertEquals(pick(start.specifiers, Object.keys(server.specifiers)), server.specifiers);
  assertEquals(start.workspace, server.workspace);
  const added = Object.keys(start.specifiers).filter((name) => !(name in server.specifiers));
  assertEquals(added.map((name) => name.replace(/^npm:(.+)@.*/, "$1")), Object.keys(libraries).sort());
});

test("configuration files: an option stands in deno.json or in dev.json, not in both", async () => {
  const server = await readJson<Configuration>("deno.json");
  const developer = await readJson<Configuration>("dev.json");
  // Deno has no `extends`: these two are needed by the server and by developers, by `deno fmt` and by editors
  const twice = ["nodeModulesDir", "imports", "fmt", "lock"];
  assertEquals(Object.keys(developer).filter((name) => name in server), twice);
  assertEquals(pick(developer.imports, Object.keys(server.imports)), server.imports);
  assertEquals(developer.fmt, { lineWidth: server.fmt.lineWidth });
});

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8")) as T;
}

function packageOf(specifier: string): string {
  return specifier.split("/")[0]!;
}

function pick(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
