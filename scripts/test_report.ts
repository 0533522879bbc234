/** Counts the tests in a JUnit report of Deno, Bun, or our own runner on Node. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Report extends Counts {
  /** How many tests were skipped for each reason. */
  readonly reasons: ReadonlyMap<string, number>;
}

// attributes may hold a bare ">", so they are matched one by one
const testCase = /<testcase((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g;

export function readReport(junit: string): Report {
  let passed = 0, failed = 0, skipped = 0;
  const reasons = new Map<string, number>();
  for (const [, attributes = "", body = ""] of junit.matchAll(testCase)) {
    const name = /\sname="([^"]*)"/.exec(attributes)?.[1] ?? "";
    if (/<(failure|error)[\s>/]/.test(body)) failed++;
    else if (/<skipped[\s>/]/.test(body)) {
      skipped++;
      const reason = /\(skipped: (.*)\)$/.exec(name)?.[1] ?? "no reason given";
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    } else passed++;
  }
  return { passed, failed, skipped, reasons };
}

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce((total, each) => ({
    passed: total.passed + each.passed,
    failed: total.failed + each.failed,
    skipped: total.skipped + each.skipped,
  }), { passed: 0, failed: 0, skipped: 0 });
}

export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Says how many cases ran where: "3,894 cases (deno, bun), 310 (once): all passed". */
export function describeCases(
  groups: readonly { readonly labels: readonly string[]; readonly counts: readonly Counts[] }[],
): string {
  const parts = groups.map(({ labels, counts }, index) => {
    const cases = Math.max(...counts.map(({ passed, failed, skipped }) => passed + failed + skipped));
    return `${cases.toLocaleString("en")}${index === 0 ? " cases" : ""} (${labels.join(", ")})`;
  });
  const { failed } = sum(groups.flatMap(({ counts }) => counts));
  return `${parts.join(", ")}: ${failed === 0 ? "all passed" : `${failed} failed`}`;
}
