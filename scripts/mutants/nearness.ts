/**
 * Orders test files by how near they are to a source file: by the words of their paths, those of the file's name above all,
 * and by how often their text has a rare word of that name.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Returns the test files, the nearest first: `bonusOf` adds to what their names say. Between equal ones, the quicker first. */
export function nearestFirst(
  source: string,
  tests: readonly string[],
  bonusOf: (test: string) => number,
  secondsOf: (test: string) => number,
  textOf: (test: string) => string = readText,
): readonly string[] {
  const names = wordsOf(basename(source));
  const mentions = countMentions(names, new Map(tests.map((test) => [test, textOf(test).toLowerCase()])));
  const words = wordsOf(source);
  const scored = tests.map((test) => ({
    test,
    score: bonusOf(test) + countShared(words, wordsOf(test)) +
      2 * countShared(names, wordsOf(test)) + mentions(test),
    seconds: secondsOf(test),
  }));
  return scored.sort((one, other) => other.score - one.score || one.seconds - other.seconds)
    .map(({ test }) => test);
}

/** As much as two words of a name, for a test that was written for the source. */
export const favour = 6;

const texts = new Map<string, string>();

function readText(test: string): string {
  const text = texts.get(test) ?? readFileSync(test, "utf8");
  texts.set(test, text);
  return text;
}

/** Most words of a name, such as `client`, are in many tests and say little about one. */
function countMentions(
  names: ReadonlySet<string>,
  lowerCased: ReadonlyMap<string, string>,
): (test: string) => number {
  const all = [...lowerCased.values()];
  const isRare = (word: string) =>
    word !== "" && all.filter((text) => text.includes(word)).length <= all.length / 10;
  const rare = [...names].filter(isRare);
  return (test) => {
    const text = lowerCased.get(test)!;
    return rare.reduce((sum, word) => sum + Math.log2(text.split(word).length), 0);
  };
}

function wordsOf(path: string): ReadonlySet<string> {
  return new Set(path.replace(/^(?:src|tests)\//, "").replace(/(?:_test)?\.tsx?$/, "").split(/[/_]/));
}

/** Counts the words of the source's own name that the name of a test has. */
export function countSharedWords(source: string, test: string): number {
  return countShared(wordsOf(basename(source)), new Set(test.toLowerCase().split(/[^a-z\d]+/)));
}

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => one.intersection(other).size;
