/** The budget of memory: what a live grant, a tenant and the recorder retain, by the heap of the runtime. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";

interface Retained {
  readonly grant: number;
  readonly tenant: number;
  readonly recorder: {
    readonly retained: number;
    readonly read: number;
    readonly found: number;
    readonly indexed: number;
  };
  readonly made: number;
}

test("retained: a live grant takes at most 1.0 kB, a tenant 70, the recorder with its index and a search 32 MB", async () => {
  const { grant, tenant, recorder: { retained, read, found, indexed }, made } = await countRetained();
  assert(grant > 500 && grant <= 1_000, `a grant: ${grant} octets`);
  assert(tenant > 10_000 && tenant <= 70_000, `a tenant: ${tenant} octets`);
  assert(retained > 24_000_000 && retained <= 32_000_000, `the recorder: ${retained} octets`);
  assert(read < 10_000, `${read} exchanges`);
  // The last 1,000 exchanges are found.
  assertEquals([found, indexed], [1_000, read]);
  // 40,000 exchanges have about 90 MB.
  assert(made > 15_000_000 && made < 30_000_000, `arrays: ${made} octets`);
});

async function countRetained(): Promise<Retained> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--config", "dev.json", "--allow-all", "--v8-flags=--expose-gc"],
      "tests/scale/count_retained.ts",
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
