/** Lets several runs go on in step: each waits with its next request until all the others have sent one or have ended. */

import type { Gate } from "../mock/conditions/closed_gate.ts";

/** The gates hold what the runs may send. Ends when all runs have ended, or when none goes on for these seconds. */
export async function endInStep(
  runs: readonly Promise<unknown>[],
  gates: readonly Gate[],
  seconds: number,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  for (const run of runs) {
    const ended = run.finally(() => running.delete(ended));
    running.add(ended);
  }
  const passed = gates.map(() => 0);
  while (running.size > 0) {
    const waiting = gates.map((gate) => gate.waiting);
    if (waiting.reduce((sum, count) => sum + count, 0) >= running.size) {
      for (const [index, gate] of gates.entries()) {
        for (let count = waiting[index]!; count > 0; count--) gate.release(++passed[index]!);
      }
    }
    const moves = gates.map((gate, index) => gate.arrived(passed[index]! + gate.waiting + 1, seconds));
    const isMoving = await Promise.race([...running, ...moves]).then(() => true, () => false);
    if (!isMoving) return;
  }
}
