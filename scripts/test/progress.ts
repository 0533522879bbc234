/** Says how far the tests are: in a terminal one line that moves, in a log a line every ten seconds. */

export interface Progress {
  /** Prints a line, such as a failure. */
  print(line: string): void;
  /** A test has ended. */
  count(passed: boolean): void;
  end(): void;
}

export interface ProgressOptions {
  /** How many seconds all tests took when they last ran, one after another. */
  readonly expected: number;
  /** Returns how many seconds the tests took that have ended so far. */
  readonly readDone: () => number;
  /** Seconds until the end, as expected at the start. */
  readonly clock: number;
}

export function startProgress({ expected, readDone, clock }: ProgressOptions): Progress {
  const isTerminal = Deno.stdout.isTerminal();
  const started = performance.now();
  let done = 0, failed = 0;
  const write = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text));
  const erase = () => isTerminal ? write("\r\x1b[K") : 0;

  function describe(): string {
    const passed = (performance.now() - started) / 1000;
    const share = expected === 0 ? 1 : readDone() / expected;
    const left = share > 0.1 ? passed / share - passed : clock - passed;
    const counted = `${done.toLocaleString("en")} done, ${failed} failed`;
    // On a busy machine, tests take longer than before.
    return left > 0 ? `${counted}, about ${describeSeconds(left)} left` : counted;
  }

  const show = () => isTerminal ? write(`\r\x1b[K${describe()}`) : console.log(describe());
  const timer = setInterval(show, isTerminal ? 1000 : 10_000);
  return {
    print(line) {
      erase();
      console.log(line);
    },
    count(passed) {
      done++;
      if (!passed) failed++;
    },
    end() {
      clearInterval(timer);
      erase();
    },
  };
}

/** Returns text such as "40 s" or "2 min 30 s". */
export function describeSeconds(seconds: number): string {
  const tens = Math.max(10, Math.round(seconds / 10) * 10);
  const [minutes, rest] = [Math.floor(tens / 60), tens % 60];
  return [minutes > 0 ? `${minutes} min` : "", rest > 0 ? `${rest} s` : ""].filter((part) => part !== "")
    .join(" ");
}
