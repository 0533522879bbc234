/** Which variants of a misbehaviour run, and whose outcome counts. */

import { assertEquals } from "@std/assert";
import { runVariants } from "../../../src/kit/examine/run_variants.ts";
import { listVariants } from "../../../src/kit/faults/names.ts";
import type { Outcome } from "../../../src/kit/faults/outcome.ts";
import { test } from "../../runner.ts";

const several = "userinfo.unreadable";
const [first, second, third] = listVariants(several);

/** Each variant ends so in turn. The last one repeats. */
const cases: readonly (readonly [
  what: string,
  outcomes: Readonly<Record<string, readonly Outcome[]>>,
  runs: readonly string[],
  expected: string,
])[] = [
  ["all run if all are noticed", {}, ["0", "1", "2"], "noticed: said"],
  [
    "the worst one counts",
    { [second!]: ["unharmed"] },
    ["0", "1", "2"],
    `unharmed: With the variant ${second}: said`,
  ],
  [
    "the first one is named if it did harm to none, and no other is worse",
    { [first!]: ["unharmed"] },
    ["0", "1", "2"],
    `unharmed: With the variant ${first}: said`,
  ],
  [
    "after a crash, a worse one counts",
    { [first!]: ["crashed"], [second!]: ["fooled"] },
    ["0", "1"],
    `fooled: With the variant ${second}: said`,
  ],
  [
    "after a fooled one, none runs",
    { [first!]: ["fooled"] },
    ["0"],
    `fooled: With the variant ${first}: said`,
  ],
  [
    "one that is not judged runs once more",
    { [second!]: ["unknown", "fooled"] },
    ["0", "1", "4"],
    `fooled: With the variant ${second}: said`,
  ],
  ["one that ends in silence by chance hides nothing", { [second!]: ["not_reached", "fooled"] }, [
    "0",
    "1",
    "4",
  ], `fooled: With the variant ${second}: said`],
  [
    "one that always ends in silence counts",
    { [third!]: ["hung"] },
    ["0", "1", "2", "5"],
    `hung: With the variant ${third}: said`,
  ],
  ["after a silent first one, none runs", { [first!]: ["not_reached"] }, ["0", "3"], "not_reached: said"],
];

for (const [what, outcomes, runs, expected] of cases) {
  test(`variants: ${what}`, async () => {
    const ran: string[] = [];
    const turns = new Map<string, number>();
    const { outcome, because } = await runVariants(several, (variant = "", index) => {
      ran.push(`${index}`);
      const turn = turns.get(variant) ?? 0;
      turns.set(variant, turn + 1);
      const all = outcomes[variant] ?? ["noticed"];
      return Promise.resolve({ outcome: all[turn] ?? all.at(-1)!, because: "said" });
    });
    assertEquals([ran, `${outcome}: ${because}`], [runs, expected]);
  });
}

for (
  const [strays, outcome, runs] of [
    [[], "not_reached", 1],
    [["not_reached"], "not_reached", 2],
    [["not_reached"], "hung", 1],
    [["not_reached", "hung"], "hung", 2],
    [["not_reached", "hung"], "noticed", 1],
  ] as const
) {
  test(`variants: one form that is ${outcome} runs ${runs} times, if it strays by ${strays.join(" or ")}`, async () => {
    const ran: number[] = [];
    const run = (_variant: string | undefined, index: number) => {
      ran.push(index);
      return Promise.resolve({ outcome, because: "said" });
    };
    assertEquals((await runVariants("id_token.exp_missing", run, strays)).outcome, outcome);
    assertEquals(ran, runs === 1 ? [0] : [0, 1]);
  });
}

const named = ["fooled", "broke", "hung", "crashed", "unharmed"] as const;
const ofAll = ["not_reached", "not_applicable", "unknown", "pending", "tolerated", "noticed"] as const;

for (const outcome of [...named, ...ofAll]) {
  const isNamed = named.some((each) => each === outcome);
  test(`variants: ${outcome} is ${isNamed ? "of the first variant" : "of no variant"}, if no other is worse`, async () => {
    const result = await runVariants(
      several,
      (variant) => Promise.resolve({ outcome: variant === first ? outcome : "noticed", because: "said" }),
    );
    assertEquals([result.outcome, result.variant], [outcome, isNamed ? first : undefined]);
  });
}
