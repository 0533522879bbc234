/** The index of the search: which words stand at which places. A classic script, so that a page opened as a file can load it. */
import type { SitePage } from "./read_pages.ts";

/** What the script of the index gives to the search. */
export interface SearchIndex {
  readonly pages: readonly (readonly [path: string, title: string, section: string])[];
  /** A place is a page, a section of it or a named row. Its parent is the number of its page. */
  readonly places: readonly (readonly [page: number, anchor: string, title: string])[];
  /** Lines of a word and the numbers of its places, which `readWords` reads. */
  readonly words: string;
}

interface Place {
  readonly page: number;
  readonly anchor: string;
  readonly title: string;
  readonly words: Set<string>;
}

export function writeSearchIndex(pages: readonly SitePage[]): string {
  const places = pages.flatMap(listPlaces);
  const found = new Map<string, number[]>();
  for (const [at, { title, words }] of places.entries()) {
    for (const word of new Set([...words, ...wordsOf(title)])) {
      found.set(word, [...found.get(word) ?? [], at]);
    }
  }
  const index: SearchIndex = {
    pages: pages.map(({ path, title, section = "" }) => [path, title, section]),
    places: places.map(({ page, anchor, title }) => [page, anchor, title]),
    words: [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([word, at], place, sorted) => {
      const shared = countShared(word, sorted[place - 1]?.[0] ?? "");
      return `${shared.toString(mostShared + 1)}${word.slice(shared)} ${writeNumbers(at)}`;
    }).join("\n"),
  };
  return `globalThis.posternSearch(${JSON.stringify(index)});\n`;
}

/** A word begins with one digit, which says how many of its letters are those of the word before. */
const mostShared = 35;

function countShared(word: string, before: string): number {
  let shared = 0;
  while (shared < mostShared && shared < before.length && word[shared] === before[shared]) shared++;
  return shared;
}

/** Reads the words of an index, each with the numbers of its places as `readNumbers` reads them. */
export function readWords(words: string): readonly (readonly [word: string, numbers: string])[] {
  let word = "";
  return words.split("\n").map((line) => {
    const [rest = "", numbers = ""] = line.split(" ");
    word = word.slice(0, parseInt(rest[0]!, mostShared + 1)) + rest.slice(1);
    return [word, numbers];
  });
}

/** Writes the distance from each number to the one before, with letters as digits. A capital is the last digit of a number. */
function writeNumbers(sorted: readonly number[]): string {
  return sorted.map((each, at) => {
    const digits = (each - (sorted[at - 1] ?? 0)).toString(letters);
    return [...digits].map((digit, place) =>
      String.fromCharCode(parseInt(digit, letters) + (place === digits.length - 1 ? 65 : 97))
    ).join("");
  }).join("");
}

/** Reads what `writeNumbers` has written. */
export function readNumbers(text: string): readonly number[] {
  let at = 0;
  return text.match(/[a-z]*[A-Z]/g)!.map((number) =>
    at += [...number.toLowerCase()].reduce((sum, digit) => sum * letters + digit.charCodeAt(0) - 97, 0)
  );
}

const letters = 26;

/** The versions and the files of libraries, of which the survey has hundreds. */
const details = /(?<= )\d+(?:\.\d+){1,3}(?![\w.])|\S+\.(?:[cm]?js|ts|py|java|kt|go|rs|rb)\b/g;

function listPlaces(page: SitePage, number: number): readonly Place[] {
  const isEvidence = /^(api_)?cards\//.test(page.path);
  const isSurvey = page.path.includes("survey");
  const start: Place = {
    ...{ page: number, anchor: "", title: page.part ?? page.title },
    words: new Set(page.part === undefined ? wordsOf(page.summary) : []),
  };
  const places: Place[] = isEvidence && page.part !== undefined ? [] : [start];
  if (isEvidence) return places;
  for (const { level, title, anchors, text, rows } of page.blocks) {
    if (level !== undefined && level > 1) {
      places.push({ page: number, anchor: anchors[0]!, title: title!, words: new Set() });
    }
    // The names of an index stand again at their places.
    if (/^Index of \d+ names$/.test(places.at(-1)!.title)) continue;
    for (const word of wordsOf(isSurvey ? text.replace(details, "") : text)) places.at(-1)!.words.add(word);
    places.push(...rows.map(({ name, anchor, text }): Place => ({
      ...{ page: number, anchor, title: name },
      words: new Set(wordsOf(text)),
    })));
    if (rows.length > 0) places.push({ ...places.at(-rows.length - 1)!, words: new Set() });
  }
  return places.filter((place, at) =>
    place === start || place.words.size > 0 || place.title !== places[at - 1]?.title
  );
}

/** They stand nearly everywhere. */
const common = new Set(
  ("a an and are as at be but by can do does for from has have if in into is it its no not of on one only or other so " +
    "than that the their them then there this to use was what when which with you your").split(" "),
);

/**
 * Returns the words of a text, and the parts of names such as `code_challenge`. Figures such as 12 and 0.75 are none. The search
 * does the same with a question.
 */
export function wordsOf(text: string): readonly string[] {
  const whole = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_.-]+[\p{L}\p{N}]+)*/gu) ?? [];
  return whole.flatMap((word) => /[_.-]/.test(word) ? [word, ...word.split(/[_.-]+/)] : [word])
    .filter((word) =>
      word.length > 1 && word.length < 40 && !common.has(word) && !/^\d+(?:\.\d\d+)?$/.test(word)
    );
}
