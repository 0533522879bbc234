/** deno.json, which starts a server, and dev.json, which adds what tests and scripts need. */
import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { test } from "../runner.ts";

type Configuration = Readonly<Record<string, unknown>> & {
  readonly imports: Readonly<Record<string, string>>;
  readonly fmt: { readonly lineWidth: number };
};

interface Lock {
  readonly npm: Readonly<Record<string, unknown>>;
}

test("configuration files: the first start fetches what a server needs, and nothing for tests", async () => {
  const { imports } = await readJson<Configuration>("deno.json");
  const { npm } = await readJson<Lock>("deno.lock");
  const needed = ["jose", "preact", "preact-render-to-string"];
  assertEquals([...new Set(Object.keys(imports).map(packageOf))], needed);
  assertEquals([...new Set(Object.keys(npm).map((name) => name.replace(/@.*/, "")))].sort(), needed);
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
