/**
 * `deno task records --against CHECKOUT`: sends the same 2,000 requests to the kit of this checkout and of another one, and
 * compares, request by request, everything that both recorded: the entry, what a test reads, and the timelines.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const count = 2000;
const here = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const { values: { against } } = parseArgs({ args: Deno.args, options: { against: { type: "string" } } });
if (against === undefined) {
  console.error("Usage: deno task records --against CHECKOUT");
  Deno.exit(2);
}
const [before, after] = await Promise.all([against, here].map(record));
const lines = Math.max(before!.length, after!.length);
for (let line = 0; line < lines; line++) {
  if (before![line] === after![line]) continue;
  console.log(`Line ${line + 1} differs:\n${before![line]}\n${after![line]}`);
  Deno.exit(1);
}
console.log(`${count} requests, and each of the ${lines} lines is the same.`);

async function record(checkout: string): Promise<readonly string[]> {
  const folder = await Deno.realPath(checkout);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--config", `${folder}/dev.json`, "--allow-all"],
      ...[`${here}/scripts/records/record_requests.ts`, folder, `${count}`],
    ],
    cwd: folder,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${folder}: the requests could not be recorded`);
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}
