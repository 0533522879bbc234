/** What is fetched to start a server, and what to work on it: deno.json and dev.json. */
import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { test } from "../runner.ts";

type Configuration = Readonly<Record<string, unknown>> & {
  readonly imports: Readonly<Record<string, string>>;
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

test("configuration files: dev.json says what deno.json says, and more", async () => {
  const { imports, ...server } = await readJson<Configuration>("deno.json");
  const developer = await readJson<Configuration>("dev.json");
  // The others are about the package, its tasks, and where each keeps what it fetches.
  const common = ["compilerOptions", "fmt", "lint", "exclude"];
  assertEquals(pick(developer, common), pick(server, common));
  assertEquals(pick(developer.imports, Object.keys(imports)), imports);
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
