/** Reads what `deno test`, `bun test` and `node:test` print: how each test ended, and how many there were. */

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

export interface EndedTest {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
}

const outcomes = {
  ok: "passed",
  ignored: "skipped",
  FAILED: "failed",
  pass: "passed",
  skip: "skipped",
  fail: "failed",
  "✔": "passed",
  "﹣": "skipped",
  "✖": "failed",
} as const;

/** Reads a line that says how a test has ended. */
export function endedTest(line: string): EndedTest | undefined {
  const [, name, word] = /^(.*) \.\.\. (ok|ignored|FAILED) \(.*\)$/.exec(line) ?? [];
  if (name !== undefined) return { name, outcome: outcomes[word as "ok"] };
  const [, sign, rest] =
    /^(?:\((pass|skip|fail)\)|([✔✖﹣])) (.*)$/.exec(line)?.filter((group) => group !== undefined) ?? [];
  if (rest === undefined) return undefined;
  return {
    name: rest.replace(/ [[(][\d.]+ ?m?s[\])](?: # SKIP)?$| # SKIP$/, ""),
    outcome: outcomes[sign as "pass"],
  };
}

/** Whether the line says nothing about a failure. */
export function isNoise(line: string): boolean {
  const ended = endedTest(line);
  if (ended !== undefined) return ended.outcome !== "failed";
  return /^\s*$|^running \d+ tests?|^ok \||^bun test v|^\s*\d+ (?:pass|skip|fail|error)s?$|^Ran \d+ tests?|^\d+ tests skipped:|^Blocking waiting for file lock|^ ok \(|^dist\/\S+:$|^ℹ \w+ [\d.]+$/
    .test(line);
}

/** Whether the line says that a test has failed on Node after its end, which Node does not count. */
export function isLate(line: string): boolean {
  return /^ℹ .*asynchronous activity after the test ended/.test(line);
}

/** Finds why a test was skipped. */
export function reasonToSkip(line: string): string | undefined {
  return /\(skipped: (.*)\)$/.exec(endedTest(line)?.name ?? "")?.[1];
}
