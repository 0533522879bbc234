/** Finds the places of the site that have the words of a question, the best first. */
import { readNumbers, readWords, type SearchIndex, wordsOf } from "../search_index.ts";

export interface Found {
  readonly address: string;
  readonly title: string;
  /** The section of the documentation and the page around a place. A page has no other around it. */
  readonly around: string;
}

type Scores = Map<number, number>;

const most = 12;

/** Reads the index once, and returns the function that asks it. */
export function openIndex({ pages, places, words }: SearchIndex): (question: string) => readonly Found[] {
  const lines = readWords(words);
  const titles = places.map(([, , title]) => title.toLowerCase());
  return (question) => {
    const asked = wordsOf(question);
    const plain = question.trim().toLowerCase();
    const each = asked.map((word) => score(word, lines, places.length));
    const scores = combine(each);
    for (const [at, found] of scores) {
      scores.set(at, found + rate(titles[at]!, places[at]!, asked, plain, pages));
    }
    return [...scores].sort(([a, left], [b, right]) => right - left || a - b).slice(0, most).map(([at]) => {
      const [page, anchor, title] = places[at]!;
      const [path, pageTitle, section] = pages[page]!;
      const around = title === pageTitle ? [section] : [section, pageTitle];
      return {
        address: anchor === "" ? path : `${path}#${anchor}`,
        title,
        around: around.filter((each) => each !== "").join(" · "),
      };
    });
  };
}

/** A rare word says more. A word that only begins like the asked one says less. */
function score(word: string, lines: readonly (readonly [string, string])[], all: number): Scores {
  const scores: Scores = new Map();
  for (const [known, numbers] of lines) {
    if (!known.startsWith(word)) continue;
    const found = readNumbers(numbers);
    const weight = Math.log(1 + all / found.length) * (known === word ? 2 : 1);
    for (const at of found) scores.set(at, Math.max(scores.get(at) ?? 0, weight));
  }
  return scores;
}

/** Places with all words or, if there is none, those with most of them. */
function combine(each: readonly Scores[]): Scores {
  const sums: Scores = new Map();
  const counts: Scores = new Map();
  for (const scores of each) {
    for (const [at, found] of scores) {
      sums.set(at, (sums.get(at) ?? 0) + found);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  const best = Math.max(0, ...counts.values());
  return new Map([...sums].filter(([at]) => counts.get(at) === best));
}

/**
 * A title with the words comes first, above all that of a page, and a page about a task before the reference. If such a
 * page has several words as one phrase in a heading, it comes before all names of the reference.
 */
function rate(
  title: string,
  [page, anchor]: SearchIndex["places"][number],
  asked: readonly string[],
  plain: string,
  pages: SearchIndex["pages"],
): number {
  const words = wordsOf(title);
  const named = words.filter((word) => asked.some((each) => word.startsWith(each))).length;
  const ofPage = anchor !== "" ? 0 : named > 0 ? 12 : 6;
  const isTask = !/^(reference|cards|api_cards)\//.test(pages[page]![0]);
  const ofTitle = 10 * named / Math.max(1, words.length);
  const isPhrase = isTask && asked.length > 1 && ` ${title} `.includes(` ${plain} `);
  return (title === plain ? 15 : 0) + ofTitle + ofPage + (isTask ? 4 : 0) + (isPhrase ? 25 : 0);
}
