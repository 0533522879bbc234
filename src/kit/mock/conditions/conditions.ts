/** Groups the conditions that a test sets: the time, who signs in, which requests wait, and the hooks. */

import { describeValue } from "../../../ground/schema/received.ts";
import { type MockOptions, seededTime } from "../terms/mock_options.ts";
import { createClock, latestTime, type RunningClock } from "./clock.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { createGates, type Gates } from "./gates.ts";
import type { SeamSources } from "./concerned.ts";
import { createHooks, type Hooks } from "./hooks.ts";
import { present } from "../../../ground/values/present.ts";

export interface Conditions {
  readonly clock: RunningClock;
  readonly decisions: Decisions;
  readonly gates: Gates;
  readonly hooks: Hooks;
}

export function createConditions(
  { seed, time }: MockOptions,
  sources: SeamSources,
): Conditions {
  return {
    clock: createClock({
      ...present({ time: time && (() => requireTime(time())) }),
      ...present({ frozenAt: seed === undefined || time !== undefined ? undefined : seededTime }),
    }),
    decisions: createDecisions(),
    gates: createGates(),
    hooks: createHooks(sources),
  };
}

function requireTime(seconds: number): number {
  if (Number.isFinite(seconds) && seconds <= latestTime) return seconds;
  const hint = typeof seconds === "number" && seconds > latestTime ? ": divide milliseconds by 1000" : "";
  throw new TypeError(
    `Cannot tell the time: expected time() to return seconds since 1970, but got ${
      describeValue(seconds)
    }${hint}`,
  );
}
