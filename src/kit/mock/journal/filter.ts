/** The filter line of the inspector: `client:shop outcome:refused rule:7636 -endpoint:page "free text"`. */

import { parseDuration } from "../../../ground/schema/duration.ts";
import { nearest } from "../../../ground/schema/nearest.ts";
import { requestOutcomes } from "../../timeline/request_outcome.ts";
import { flowOf } from "./exchange_parts.ts";
import { unknownStatus } from "./recorded_request.ts";
import type { KeptEntry, NameRequest } from "./request_list.ts";
import { listRules, listTags } from "./tags.ts";
import { outcomeOf } from "./outcome_of.ts";

/** One word of the filter line. Without a name it is free text. */
interface Word {
  readonly text: string;
  readonly name: FilterName | undefined;
  readonly value: string;
  readonly isNegated: boolean;
}

export interface Filter {
  /** The problems of the line. A line with a problem selects what its other words select. */
  readonly problems: readonly FilterProblem[];
  /** `everything`: no word narrows the list. `nothing`: the line has too many words, so that nothing is searched. */
  readonly selects: "everything" | "matches" | "nothing";
  matches(kept: KeptEntry): boolean;
}

export type FilterProblem =
  | WordProblem
  | { readonly kind: "too_many"; readonly words: number; readonly most: number };

interface WordProblem {
  readonly word: string;
  /** `similar`: one filter that the person probably meant. `names`: all names. `values`: the filters with this name. */
  readonly kind: "similar" | "names" | "values";
  readonly suggestions: readonly string[];
}

type Match = (value: string, kept: KeptEntry) => boolean;

const has = (read: (kept: KeptEntry) => string | undefined): Match => (value, kept) =>
  equal(read(kept), value);

type PlainName = "client" | "person" | "outcome" | "endpoint" | "reason" | "error" | "method" | "grant";
type TagName = "misbehaviour" | "look_alike" | "hook";

/** A name of the filter line whose values the journal counts. The values of the others differ with each request. */
export type CountedName = PlainName | TagName | "status";

const readers: Readonly<Record<PlainName, (kept: KeptEntry) => string | undefined>> = {
  client: ({ entry }) => entry.facts.clientId,
  person: ({ entry }) => entry.facts.subject,
  outcome: ({ entry }) => outcomeOf(entry),
  endpoint: ({ endpoint }) => endpoint,
  reason: ({ entry: { facts } }) => (facts.refusal ?? facts.advice)?.reason,
  error: ({ entry }) => entry.facts.refusal?.error,
  method: ({ entry }) => entry.request.method,
  grant: ({ entry }) => entry.facts.grantType,
};

export const countedNames: readonly CountedName[] = [
  ...Object.keys(readers) as readonly PlainName[],
  ...["misbehaviour", "look_alike", "hook", "status"] as const,
];

export function readValues(name: CountedName, kept: KeptEntry): readonly string[] {
  if (name === "misbehaviour" || name === "look_alike" || name === "hook") return listTagged(name, kept);
  const { status } = kept.entry.response;
  if (name === "status") return status === unknownStatus ? [] : [`${status}`];
  const value = readers[name](kept);
  return value === undefined ? [] : [value];
}

const matchers = {
  client: has(readers.client),
  person: has(readers.person),
  outcome: has(readers.outcome),
  rule: (value, kept) => matchesRule(value, kept),
  endpoint: has(readers.endpoint),
  reason: has(readers.reason),
  error: has(readers.error),
  flow: has(flowOf),
  trace: has(({ entry }) => entry.trace?.traceId),
  misbehaviour: hasTag("misbehaviour"),
  look_alike: hasTag("look_alike"),
  hook: hasTag("hook"),
  status: (value, { entry: { response: { status } } }) =>
    /^[1-5]xx$/i.test(value) ? String(status)[0] === value[0] : String(status) === value,
  method: has(readers.method),
  path: (value, kept) => kept.searched().path.startsWith(value),
  grant: has(readers.grant),
  id: has(({ entry }) => entry.id),
  took: (value, { entry }) => entry.duration > readTime(value)!,
} satisfies Readonly<Record<string, Match>>;

type FilterName = keyof typeof matchers;

export const filterNames: readonly string[] = Object.keys(matchers);

// Both are enough for any filter that a person types.
const longestLine = 1_000;
const mostWords = 20;

/** `nameOf`: free text is searched in these words, too. */
export function parseFilter(line: string, nameOf: NameRequest = () => ""): Filter {
  const words = readWords(line.slice(0, longestLine));
  if (words.length > mostWords) {
    const problems = [{ kind: "too_many", words: words.length, most: mostWords }] as const;
    return { problems, selects: "nothing", matches: () => false };
  }
  const good = words.filter((word) => findProblem(word).length === 0);
  return {
    problems: words.flatMap(findProblem),
    selects: good.length === 0 ? "everything" : "matches",
    matches: (kept) => good.every((word) => matchesWord(word, kept, nameOf) !== word.isNegated),
  };
}

/** Returns the different words. Case makes no difference in free text. */
function readWords(line: string): readonly Word[] {
  const words = splitLine(line).map((word): [string, Word] => {
    const { name, value, isNegated } = word;
    const searched = name === undefined ? { ...word, value: value.toLowerCase() } : word;
    return [JSON.stringify([name, searched.value, isNegated]), searched];
  });
  return [...new Map(words).values()];
}

/** A word is `name:value`, `-name:value`, or free text. A value with spaces is in double quotes. */
function splitLine(line: string): readonly Word[] {
  return [...line.matchAll(/(-?)(?:([A-Za-z_]+):)?(?:"([^"]*)"?|([^\s"]+))/g)].flatMap(
    ([text, minus = "", name, quoted, plain = ""]): readonly Word[] => {
      const value = quoted ?? plain;
      const isNegated = minus === "-";
      if (value === "" && name === undefined) return [];
      // An address such as https://shop.example is free text.
      if (name !== undefined && quoted === undefined && value.startsWith("//")) {
        return [{ text, name: undefined, value: `${name}:${value}`, isNegated }];
      }
      return [{ text, name: name?.toLowerCase() as FilterName | undefined, value, isNegated }];
    },
  );
}

export function isFilterLine(text: string): boolean {
  return splitLine(text).some(({ name = "" }) => filterNames.includes(name));
}

/** Returns the values that a line demands for a name, and its other words. */
export function splitByName(
  line: string,
  name: CountedName,
): { readonly values: readonly string[]; readonly others: readonly string[] } {
  const words = splitLine(line);
  const isOf = (word: Word) => word.name === name && !word.isNegated;
  return {
    values: words.filter(isOf).map(({ value }) => value),
    others: words.filter((word) => !isOf(word)).map(({ text }) => text),
  };
}

function findProblem({ name, value }: Word): readonly WordProblem[] {
  if (name === undefined) return [];
  if (!filterNames.includes(name)) {
    const known = nearest(name, filterNames);
    return known === undefined
      ? [{ word: `${name}:`, kind: "names", suggestions: filterNames }]
      : [{ word: `${name}:`, kind: "similar", suggestions: [`${known}:${value}`] }];
  }
  if (name === "outcome" && !requestOutcomes.some((outcome) => equal(outcome, value))) {
    const suggestions = requestOutcomes.map((outcome) => `outcome:${outcome}`);
    return [{ word: `outcome:${value}`, kind: "values", suggestions }];
  }
  if (name === "status" && !/^([1-5]xx|\d{3})$/i.test(value)) {
    return [{ word: `status:${value}`, kind: "values", suggestions: ["status:400", "status:4xx"] }];
  }
  if (name === "took" && readTime(value) === undefined) {
    return [{ word: `took:${value}`, kind: "values", suggestions: ["took:>1s", "took:>500ms"] }];
  }
  return [];
}

function matchesWord({ name, value }: Word, kept: KeptEntry, nameOf: NameRequest): boolean {
  if (name !== undefined) return matchers[name](value, kept);
  return kept.searched().shown.includes(value) || kept.named(nameOf).includes(value);
}

/** `rule:7636`, `rule:rfc7636`, `rule:"RFC 7636 §4.6"` and `rule:4.6` all match `RFC 7636 §4.6`, as each of its tags does. */
function matchesRule(value: string, { entry: { facts } }: KeptEntry): boolean {
  const { spec } = facts.refusal ?? facts.advice ?? {};
  if (spec === undefined || value === "") return false;
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]/g, "");
  return plain(spec).includes(plain(value)) || listRules(spec).some((rule) => equal(rule, value));
}

/** Returns the seconds of text such as `>500ms`. */
function readTime(value: string): number | undefined {
  return /^>\d/.test(value) ? parseDuration(value.slice(1)) : undefined;
}

function hasTag(kind: TagName): Match {
  // An area such as id_token matches all of its misbehaviours.
  return (value, kept) =>
    listTagged(kind, kept).some((name) =>
      value === "*" || equal(name, value) || equal(name.split(".")[0], value)
    );
}

function listTagged(kind: TagName, { entry: { facts } }: KeptEntry): readonly string[] {
  const { altered = [] } = facts;
  if (altered.length === 0) return [];
  return listTags({ facts, altered }).filter((tag) => tag.startsWith(`${kind}:`))
    .map((tag) => tag.slice(kind.length + 1).replaceAll('"', ""));
}

function equal(text: string | undefined, value: string): boolean {
  return text !== undefined && text.toLowerCase() === value.toLowerCase();
}
