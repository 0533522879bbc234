/** Shows how far the runs of the tests are: one line that is rewritten on a terminal, and a line at times elsewhere. */

export interface Progress {
  /** Prints a line that stays. */
  print(line: string): void;
  /** Tells that a run has this number of tests. Runs of the same tests have it, too. */
  expect(label: string, tests: number): void;
  /** Tells that a test of a run has ended. */
  count(label: string): void;
  /** Tells that a run has ended. */
  end(label: string): void;
  /** Shows how far the runs are now. A timer calls it. */
  show(): void;
  /** Removes the line, and ends the timer. */
  close(): void;
}

export interface ProgressTerms {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The labels of the runs. Those in one group run the same tests. */
  readonly groups: readonly (readonly string[])[];
}

// In milliseconds. A log should not be long.
const pauses = { terminal: 500, log: 20_000 };

export function createProgress({ write, isTerminal, groups }: ProgressTerms): Progress {
  const startedAt = performance.now();
  const labels = groups.flat();
  const ended = new Set<string>();
  const counts = new Map<string, number>();
  const totals = new Map<string, number>();
  let shown = "";

  const describe = (label: string) => {
    const count = counts.get(label) ?? 0, total = totals.get(label);
    if (ended.has(label)) return `${label} has ended`;
    if (count === 0) return `${label} begins`;
    return total === undefined
      ? `${label} ${count} ${count === 1 ? "test" : "tests"}`
      : `${label} ${Math.floor(100 * count / total)}%`;
  };
  const clear = () => {
    if (shown !== "") write("\r\x1b[K");
    shown = "";
  };
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const line = `${seconds} s: ${labels.map(describe).join(", ")}`;
    if (!isTerminal) return write(`${line}\n`);
    clear();
    write(line);
    shown = line;
  };
  const timer = setInterval(show, isTerminal ? pauses.terminal : pauses.log);

  return {
    print(line) {
      clear();
      write(`${line}\n`);
    },
    expect(label, tests) {
      for (const each of groups.find((group) => group.includes(label)) ?? []) totals.set(each, tests);
    },
    count: (label) => void counts.set(label, (counts.get(label) ?? 0) + 1),
    end: (label) => void ended.add(label),
    show,
    close() {
      clearInterval(timer);
      clear();
    },
  };
}
