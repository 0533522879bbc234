/** Races for codes of the second factor, each on two servers over one store: one code, one login (RFC 6238 §5.2). */

import { assertEquals } from "@std/assert";
import { appCode, people } from "../../server/features/second_factor.ts";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { openCodeForm } from "../forms.ts";
import { type Outcome, without } from "../outcome.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";

const { races, add } = createRaceList();
export const secondFactorRaces: readonly NamedRace[] = races;

const options = { login: "picker", people } as const;

/** The count of attempts lives as long as the first attempt says, and each success ends it. */
const withoutCounts = without("throttle");

async function typeCode(world: World, steps = 0): Promise<Contestant> {
  const form = await openCodeForm(world, "carol");
  return ({ world }) => form.send(world, { code: appCode(world.clock.now, steps) });
}

function reasons({ answers }: Outcome): readonly string[] {
  return Object.values(answers).map(({ status, reason }) => `${status} ${reason ?? ""}`.trim()).sort();
}

add("second factor: code ∥ the same code: one goes on, one is told that it has been used", {
  options,
  async start(world) {
    return { A: await typeCode(world), B: await typeCode(world) };
  },
  compared: withoutCounts,
  always(outcome) {
    assertEquals(reasons(outcome), ["303", "400 second_factor_code_used"]);
  },
});

add("second factor: code ∥ the next code: both go on", {
  options,
  async start(world) {
    return { A: await typeCode(world), B: await typeCode(world, 1) };
  },
  compared: withoutCounts,
  always(outcome) {
    assertEquals(reasons(outcome), ["303", "303"]);
  },
});

add("second factor: code ∥ a wrong code: one goes on, one is told that it is wrong", {
  options,
  async start(world) {
    return { A: await typeCode(world), B: await typeCode(world, 7) };
  },
  compared: withoutCounts,
  always(outcome) {
    assertEquals(reasons(outcome), ["303", "400 second_factor_code_wrong"]);
  },
});
