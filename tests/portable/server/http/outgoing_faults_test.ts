/** No answer of another host ends the process of a server, in whichever way the server came to fetch it. */
import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runtime, test } from "../../../runner.ts";
import { faults } from "./faulty_host.ts";

async function runFetches(): Promise<{ readonly lines: readonly string[]; readonly expected: string[] }> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark, ways } = await import("./fetching_process.ts");
  // Deno is quiet: it would say on standard error that it waits for another Deno, which sets up node_modules.
  const flags = runtime === "deno"
    ? ["run", "--quiet", "--config", "dev.json", "--no-check", "--allow-all"]
    : [];
  const child = spawn(process.execPath, [...flags, fileURLToPath(program), programMark], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "", errors = "";
  child.stdout.setEncoding("utf8").on("data", (text) => output += text);
  child.stderr.setEncoding("utf8").on("data", (text) => errors += text);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  assertEquals([code, errors], [0, ""], output);
  const expected = Object.entries(ways).flatMap(([way, { status }]) =>
    Object.keys(faults).map((fault) => `${way}: ${fault} → ${status}`)
  );
  return { lines: output.trimEnd().split("\n"), expected };
}

test("guarded fetch: a process survives every answer, also one that is not read, in every way to fetch", async () => {
  const { lines, expected } = await runFetches();
  assertEquals(lines, [...expected, "alive"]);
});
