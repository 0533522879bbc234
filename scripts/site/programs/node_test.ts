/** Runs the tests of a program in a page, in the place of `node:test`. */

type Work = () => unknown;

interface Running {
  after(work: Work): void;
}

interface Test {
  readonly name: string;
  readonly work: (t: Running) => unknown;
}

const tests: Test[] = [];
const ends: Work[] = [];

export function test(name: string, work: Test["work"]): void {
  tests.push({ name, work });
}

/** Does this work after all tests. */
export function after(work: Work): void {
  ends.push(work);
}

/** Runs the tests in their order, and returns the names of those that failed. */
export async function runTests(): Promise<{ readonly count: number; readonly failed: readonly string[] }> {
  const failed: string[] = [];
  for (const { name, work } of tests) {
    const own: Work[] = [];
    try {
      await work({ after: (each) => void own.push(each) });
      console.log(`✔ ${name}`);
    } catch (error) {
      failed.push(name);
      console.error(`✖ ${name}`);
      console.error(error);
    }
    for (const each of own) await each();
  }
  for (const each of ends) await each();
  return { count: tests.length, failed };
}
