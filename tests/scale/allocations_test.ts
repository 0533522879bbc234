/** The budget of the hot path: how many octets each exchange allocates. A figure that changes is a question for the review. */
import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";

/** In octets. */
const budget: Readonly<Record<string, number>> = {
  code_flow: 117_500,
  recorded_code_flow: 130_000,
  refresh: 78_000,
  client_credentials: 43_500,
  introspection: 44_000,
  userinfo: 28_700,
};

const tolerance = 0.1;

test("allocations: each exchange stays within a tenth of its budget", async () => {
  const counts = await countAllocations();
  const isWithin = (name: string, count: number) =>
    Math.abs(count - (budget[name] ?? 0)) <= tolerance * (budget[name] ?? 0);
  const wrong = Object.entries(counts).filter(([name, count]) => !isWithin(name, count));
  assertEquals(wrong, [], "the budget in tests/scale/allocations_test.ts should have these figures");
  assertEquals(Object.keys(counts).sort(), Object.keys(budget).sort());
});

async function countAllocations(): Promise<Readonly<Record<string, number>>> {
  const flags = ["--jitless", "--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--config", "dev.json", "--allow-all", `--v8-flags=${flags.join(",")}`],
      "tests/scale/count_allocations.ts",
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
