/** Orders test files by how near they are to a source file: by the words of their paths, those of the file's name above all. */
import { basename } from "node:path";

/** Returns the test files, the nearest first. Between equal ones, the quicker first. */
export function nearestFirst(
  source: string,
  tests: readonly string[],
  isFavoured: (test: string) => boolean,
  secondsOf: (test: string) => number,
): readonly string[] {
  const names = wordsOf(basename(source));
  const words = wordsOf(source);
  const scored = tests.map((test) => ({
    test,
    score: (isFavoured(test) ? favour : 0) + countShared(words, wordsOf(test)) +
      2 * countShared(names, wordsOf(test)),
    seconds: secondsOf(test),
  }));
  return scored.sort((one, other) => other.score - one.score || one.seconds - other.seconds)
    .map(({ test }) => test);
}

/** As much as two words of a name: a test that was changed with a source was written for it. */
const favour = 6;

function wordsOf(path: string): ReadonlySet<string> {
  return new Set(path.replace(/^(?:src|tests)\//, "").replace(/(?:_test)?\.tsx?$/, "").split(/[/_]/));
}

/** Counts the words of the source's own name that the name of a test has. */
export function countSharedWords(source: string, test: string): number {
  return countShared(wordsOf(basename(source)), new Set(test.toLowerCase().split(/[^a-z\d]+/)));
}

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => one.intersection(other).size;
