/** Counts tests by the last lines that `deno test`, `bun test` and `node:test` print. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const oneFailed: Counts = { passed: 0, failed: 1, skipped: 0 };

// Deno has one line for all three, Bun and Node have one line for each.
const endings: Readonly<Record<keyof Counts, RegExp>> = {
  passed: /^(?:(?:ok|FAILED) \| (\d+) passed|ℹ pass (\d+)$|\s*(\d+) pass$)/,
  failed: /^(?:(?:ok|FAILED) \| .* (\d+) failed|ℹ fail (\d+)$|\s*(\d+) fail$)/,
  skipped: /^(?:(?:ok|FAILED) \| .* (\d+) ignored|ℹ skipped (\d+)$|\s*(\d+) skip$)/,
};

/** Returns `undefined` if the runtime did not come to its end. */
export function readCounts(lines: readonly string[]): Counts | undefined {
  const find = (ending: RegExp) =>
    lines.flatMap((line) => ending.exec(line)?.slice(1).find((group) => group !== undefined) ?? []).at(-1);
  const [passed, failed, skipped = 0] = [endings.passed, endings.failed, endings.skipped].map(find);
  if (passed === undefined || failed === undefined) return undefined;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce((total, each) => ({
    passed: total.passed + each.passed,
    failed: total.failed + each.failed,
    skipped: total.skipped + each.skipped,
  }), { passed: 0, failed: 0, skipped: 0 });
}

export function countCases({ passed, failed, skipped }: Counts): number {
  return passed + failed + skipped;
}

export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
