/** `deno task bench`: what it calculates from slices. */
import { assertEquals } from "@std/assert";
import { type Course, measureCourse } from "../../scripts/bench/course_figures.ts";
import type { Slice } from "../../scripts/bench/load.ts";
import { drawFlows } from "../../scripts/bench/picture.ts";
import { test } from "../runner.ts";

test("bench: own work is CPU time above that of the leaner limit, in slices of the same round", () => {
  const courses = [
    // The first is faster; the second has less CPU time in a flow.
    course("limit", { isLimit: true, flows: [4000, 2000], cpu: 120 }),
    course("limit, same listener", { isLimit: true, flows: [3000, 1500], cpu: 100 }),
    course("postern", { flows: [1000, 500], cpu: 250 }),
  ];
  const [own, same, server] = courses.map((each) => measureCourse(each, courses, []));
  assertEquals([own!.ofLimit, own!.ofLimitByCpu, own!.ownWork], [undefined, 100 / 120, 20]);
  assertEquals([same!.ofLimit, same!.ofLimitByCpu, same!.ownWork], [0.75, undefined, undefined]);
  assertEquals([server!.ofLimit, server!.ofLimitByCpu, server!.ownWork], [0.25, 0.4, 150]);
});

test("bench: the picture divides the time of a server at that of the leaner limit, and has no other limit", () => {
  const courses = [
    course("limit", { isLimit: true, flows: [4000], cpu: 120 }),
    course("limit, same listener", { isLimit: true, flows: [3000], cpu: 100 }),
    course("postern as started", { flows: [1000], cpu: 250 }),
    course("postern sqlite", { flows: [500], cpu: 400 }),
  ];
  const figures = courses.map((each) => ({
    ...{ runtime: "node", alg: "ES256" },
    ...measureCourse(each, courses, []),
  }));
  const drawn = drawFlows([{ title: "Code flow", tables: [], notes: [], figures }]);
  assertEquals(
    [...drawn.matchAll(/<text class="(?:server|figures)"[^>]*>([^<]*)/g)].map(([, words]) => words),
    [
      ...["bare server", "100 µs, 3,000 a second"],
      ...["Postern", "250 µs, 1,000 a second (0.25)"],
    ],
  );
  assertEquals([...drawn.matchAll(/class="(?:bare|own)" .*? width="(\d+)"/g)].map(([, width]) => width), [
    ...["144", "0"],
    ...["144", "216"],
  ]);
});

/** Slices of one second with so many flows, and so many microseconds of CPU time for each flow. */
function course(
  label: string,
  { isLimit = false, flows, cpu }: {
    readonly isLimit?: boolean;
    readonly flows: readonly number[];
    readonly cpu: number;
  },
): Course {
  const slices = flows.map((count): Slice => ({
    ...{ seconds: 1, flows: count, latencies: Float64Array.of(1, 2) },
    ...{ serverCpu: count * cpu / 1e6, generatorCpu: 0.5 },
  }));
  return {
    label,
    isLimit,
    cold: undefined,
    slices,
    flows: 9999,
    trouble: undefined,
    memory: 100e6,
    peakMemory: 100e6,
  };
}
