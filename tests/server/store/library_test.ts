/** Optional packages are loaded at their first use. */
import { assertEquals } from "@std/assert";
import { libraries, loadLibrary } from "../../../src/ground/values/library.ts";
import { test } from "../../runner.ts";

test("store library: an installed package is loaded", async () => {
  const loaded = await loadLibrary("postgres") as { readonly default: unknown };
  assertEquals(typeof loaded.default, "function");
  assertEquals(Object.keys(libraries), ["postgres", "ioredis", "@modelcontextprotocol/server"]);
});
