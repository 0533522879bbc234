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
const differing = after!.findIndex((line, index) => line !== before![index]);
if (before!.length !== after!.length || differing !== -1) {
  console.log(`Line ${differing + 1} differs:\n${before![differing]}\n${after![differing]}`);
  Deno.exit(1);
}
console.log(`${count} requests, and each of the ${after!.length} lines is the same.`);

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
