/** docs/reference/refusals.md. */
import { helpWith } from "../../src/server/libraries/help.ts";
import { writeLine } from "../../src/server/libraries/mod.ts";
import { switches } from "../../src/server/oauth/requests/find_library.ts";
import {
  type ErrorCode,
  OAuthError,
  type RefusalRow,
  type Row,
} from "../../src/server/oauth/contracts/refusals.ts";
import { code, markNames, type Page, table } from "./markdown.ts";
import { fillWords } from "./placeholder_words.ts";
import { findTables, type RefusalTable } from "./refusal_tables.ts";

/** The sections for the tables outside of features, in their order, by the start of their paths. */
const areas: readonly (readonly [start: string, title: string])[] = [
  ["server/pipeline/", "Every request"],
  ["server/oauth/authorization/", "Authorization requests"],
  ["server/oauth/clients/", "Clients and scopes"],
  ["server/oauth/contracts/people.ts", "People"],
  ["server/oauth/tokens/", "Tokens"],
  ["server/", "Every request"],
  ["kit/mock/tokens/", "An API with `protect`"],
  ["kit/", "What a test asks for"],
];

export async function writeRefusals(): Promise<Page> {
  const tables = await findTables();
  const isOfFeature = ({ file }: RefusalTable) => featureOf(file) !== undefined;
  const [ofFeatures, others] = [tables.filter(isOfFeature), tables.filter((each) => !isOfFeature(each))];
  const isOfKit = ({ file }: RefusalTable) => file.startsWith("kit/");
  const place = ({ file }: RefusalTable) => areas.findIndex(([start]) => file.startsWith(start));
  return describeTables([
    ...others.filter((each) => !isOfKit(each)).toSorted((one, other) => place(one) - place(other)),
    ...ofFeatures,
    ...others.filter(isOfKit),
  ]);
}

/** Prints each table in the section of its area or feature. Advice has a section of its own. */
export function describeTables(tables: readonly RefusalTable[]): Page {
  const sections = [...Map.groupBy(tables, ({ file }) => findTitle(file))].flatMap(([title, own]) => {
    const rows = own.flatMap(({ refused }) => Object.entries(refused));
    return rows.length === 0 ? [] : [`## ${title}`, table([...header], describeReasons(rows))];
  });
  const advice = tables.flatMap(({ advised }) => Object.entries(advised));
  const reasons = new Set(tables.flatMap(({ refused }) => Object.entries(refused).map(reasonOf)));
  return {
    title: "Refusals",
    summary: "Every reason for which the server refuses a request, with the rule that the request breaks. " +
      "`deno task help REASON` prints one of them.",
    index: code,
    parts: [
      "The console prints the reason after the error: `✗ invalid_grant (verifier_missing) The code_verifier is missing`. " +
      "In a test, `as.requests.token.last?.refusal?.reason` has it, and so has the error that `as.login` and " +
      "`as.refresh` throw. A client gets the error and the first sentence, but neither the reason nor what was expected.",
      `There are ${reasons.size} reasons, in the sections of the features that refuse for them. A word in *italics* stands ` +
      "for a value of the request or of the configuration. If a reason has several messages, each has a line. The number " +
      "after an error is the HTTP status, which is 400 otherwise. The change is the one with which the server would have " +
      "accepted the request. An authorization error goes to the client by a redirect, or to a page.",
      ...sections,
      "## Advice",
      "The server answers these requests. The console and `as.explain()` say what is wrong, and the client does not " +
      "see it. `as.requests.introspect.last?.advice?.reason` has the reason.",
      table(
        header.filter((name) => name !== "error"),
        describeReasons(advice).map(([reason = "", _error, ...others]) => [reason, ...others]),
      ),
    ],
  };
}

const header = ["reason", "error", "what it says, and what was expected", "the change", "rule"] as const;

/** A file or folder of `features/` is a feature. */
function featureOf(file: string): string | undefined {
  return /^server\/features\/(\w+)/.exec(file)?.[1];
}

function findTitle(file: string): string {
  const feature = featureOf(file);
  const title = feature === undefined
    ? areas.find(([start]) => file.startsWith(start))?.[1]
    : `Feature \`${feature}\``;
  if (title === undefined) throw new Error(`Add the area of ${file} to refusals.ts`);
  return title;
}

type Named = readonly [name: string, row: Row & Partial<RefusalRow>];

function reasonOf([name, { reason = name }]: Named): string {
  return reason;
}

/** Returns the cells of each reason, in the order of the alphabet. */
function describeReasons(rows: readonly Named[]): readonly (readonly string[])[] {
  return byReason(rows).map(([reason, same]) => {
    const lines = (describe: (row: Named[1]) => readonly string[]) => collect(same, describe).join("<br>");
    return [
      code(reason),
      lines((row) => listErrors(row).map(({ error, status }) => code(error) + status)),
      lines(({ sentence, expected }) => [describeText(reason, sentence, expected)]),
      lines(({ change }) => [mark(change, reason)]),
      lines(({ spec }) => spec === undefined ? [] : [spec]),
    ];
  });
}

function byReason(rows: readonly Named[]): readonly (readonly [reason: string, same: readonly Named[]])[] {
  return [...Map.groupBy(rows, reasonOf)].toSorted(([a], [b]) => a < b ? -1 : 1);
}

function collect(same: readonly Named[], describe: (row: Named[1]) => readonly string[]): readonly string[] {
  return [...new Set(same.flatMap(([_name, row]) => describe(row)))];
}

/** The status is empty if it is 400. */
function listErrors(
  { error = [], status }: Named[1],
): readonly { readonly error: string; readonly status: string }[] {
  return [error].flat().map((each: ErrorCode) => {
    const { error, status: usual } = new OAuthError(each, "", { reason: "" });
    const shown = status ?? usual;
    return { error, status: shown === 400 ? "" : ` ${shown}` };
  });
}

/** static/refusals.json: refusals and advice by their reasons, as plain text, for `postern help`. A reason is a line. */
export async function summariseRefusals(): Promise<string> {
  const rows = (await findTables()).flatMap(({ refused, advised }) =>
    Object.entries({ ...refused, ...advised })
  );
  const lines = byReason(rows).map(([reason, same]) => {
    const fill = (text: string) => fillWords(text, reason, (words) => `<${words}>`);
    const texts = {
      says: collect(same, ({ sentence }) => [fill(sentence)]),
      change: collect(same, ({ change }) => [change]),
      error: collect(same, (row) => listErrors(row).map(({ error, status }) => error + status)),
      expected: collect(same, ({ expected }) => expected === undefined ? [] : [fill(expected)]),
      rule: collect(same, ({ spec }) => spec === undefined ? [] : [spec]),
      ...linesOf(reason),
    };
    return `  ${JSON.stringify(reason)}: ${JSON.stringify(texts)}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** The lines to write, by library. They are the same for the reasons that the same switch helps against. */
function linesOf(reason: string): Readonly<Record<string, readonly string[]>> {
  const of = switches[reason];
  if (of === undefined) return {};
  const libraries = helpWith(of, "", "").languages.flatMap((each) => each.libraries);
  return Object.fromEntries(
    libraries.flatMap(({ title, version, line, into }) =>
      line === undefined ? [] : [[`${title} ${version}`, [writeLine(line, into)]]]
    ),
  );
}

function describeText(reason: string, sentence: string, expected: string | undefined): string {
  const said = `${mark(sentence, reason).replace(/\.$/, "")}.`;
  return expected === undefined ? said : `${said} Expected: ${mark(expected, reason)}.`;
}

/** Sets names in code font, and what placeholders stand for in italics. */
function mark(text: string, reason: string): string {
  const named = fillWords(text, reason, (words) => `*${words}*`);
  // `name`=value and prompt=none become `name=value` and `prompt=none`
  return markNames(named.replaceAll("**", "* *")).replace(
    /`(\w+)`=(\w+)(?![\w(])|(?<![`\w])([a-z]+=\w+)/g,
    (_all, name, value, pair) => code(pair ?? `${name}=${value}`),
  );
}
