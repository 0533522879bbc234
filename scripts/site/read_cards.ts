/**
 * Reads the cards of examined clients and APIs as documents: a table of what failed, and then each row. The requests that
 * prove a failure or an advice are folded.
 */
import { readdirSync, readFileSync } from "node:fs";
import { sayCount } from "../../src/ground/values/say_count.ts";
import { type Grade, gradeOf } from "../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import { type Level, levels } from "../../src/kit/faults/misbehaviour.ts";
import { areaOf } from "../../src/kit/faults/names.ts";
import type { LibraryCard, LibraryRow, ShownRequest } from "../../tests/kit/examined/examine_library.ts";
import { nameForPeople, quoteReason } from "../reference/examined_clients.ts";
import { code, markNames, table } from "../reference/markdown.ts";
import { type Block, escapeHtml, markPlace, readBlocks } from "./blocks.ts";
import type { Document } from "./read_pages.ts";

export const cardFolders: readonly string[] = ["docs/cards", "docs/api_cards"];

/** A card, and the places that `file#L12` names in it. */
export interface CardDocument {
  readonly source: string;
  readonly document: Document;
  readonly lines: ReadonlyMap<string, string>;
}

export function readCards(folder: string): readonly CardDocument[] {
  return readdirSync(folder).sort().map((file) => {
    const source = `${folder}/${file}`;
    const text = readFileSync(source, "utf8");
    const name = file.replace(/\.json$/, "");
    const lines = new Map(
      text.split("\n").flatMap((line, at) => {
        const row = /^ *\{"name":"([^"]+)"/.exec(line)?.[1];
        return row === undefined ? [] : [[`${source}#L${at + 1}`, row] as const];
      }),
    );
    const path = `${folder.replace(/^docs\//, "")}/${name}.html`;
    return { source, document: describeCard(source, name, path, JSON.parse(text)), lines };
  });
}

function describeCard(source: string, name: string, path: string, card: LibraryCard): Document {
  const { package: packageName, version, date, use } = card.library;
  const shown = nameForPeople(name, packageName);
  const title = shown.replace(/(?=,)|$/, ` ${version}`);
  const summary = `What ${packageName} ${version} did on ${date}, with each misbehaviour of the server.`;
  const all = path.startsWith("api_")
    ? "[examined APIs](../examined_apis.html)"
    : "[examined clients](../examined_clients.html)";
  const rows = card.rows.map((row): Row => {
    const { level, server } = catalogue.get(row.name)!;
    return { ...row, level, server, grade: gradeOf({ ...row, level }) };
  });
  const read = createReader(source);
  const blocks = [
    ...read([
      `# ${title}`,
      `${
        shown.startsWith(packageName) ? "" : `${packageName}: `
      }${use}. Examined on ${date}, as one of the ${all}.`,
      countGrades(rows),
      listVerdicts(rows),
    ].join("\n\n")),
    ...[...Map.groupBy(rows, (row) => areaOf(row.name))].flatMap(([area, own]) =>
      describeArea(area, own, { read, usual: findUsual(rows) })
    ),
  ];
  return { path, title, summary, blocks, namePart };
}

/** Names the areas in a part and, of an area that is in other parts too, the rows. */
function namePart(part: readonly Block[], all: readonly Block[]): string {
  const countRows = (blocks: readonly Block[]) =>
    blocks.reduce((sum, { level, rows }) => sum + (level === 3 ? 1 : rows.length), 0);
  const areas = [...Map.groupBy(part.filter(areaOfBlock), areaOfBlock)].map(([area, own]) => {
    if (countRows(own) === countRows(all.filter((block) => areaOfBlock(block) === area))) return area;
    const names = own.flatMap(({ level, title }) => level === 3 ? title!.slice(`${area}.`.length) : []);
    const proved = names.length < 2 ? names : [`${names[0]} to ${names.at(-1)}`];
    return `${area}: ${
      [...proved, ...own.some(({ rows }) => rows.length > 0) ? ["the rest"] : []].join(", ")
    }`;
  });
  const [first, second] = areas;
  return areas.length > 4 ? `${first}; ${second} to ${areas.at(-1)}` : areas.join("; ");
}

/** The area of a heading of a row, or of a table of rows. */
function areaOfBlock({ level, title, rows }: Block): string | undefined {
  const name = level === 3 ? title : rows[0]?.name;
  return name === undefined ? undefined : areaOf(name as LibraryRow["name"]);
}

/** A row with what the catalogue says about its misbehaviour. */
interface Row extends LibraryRow {
  readonly level: Level;
  readonly server: string;
  readonly grade: Grade;
}

type Reader = (markdown: string) => readonly Block[];

function createReader(source: string): Reader {
  return (markdown) =>
    readBlocks(markdown, {
      program: () => undefined,
      namesRows: true,
      link: (target) => target.startsWith("#") ? markPlace(source + target) : target,
      picture: (target) => {
        throw new Error(`A card has no pictures: ${target}`);
      },
    });
}

const marks: Readonly<Record<Grade, string>> = { failed: "✗", advice: "△", passed: "✓", unjudged: "–" };

function markOf({ grade }: Row): string {
  return grade === "failed" || grade === "passed"
    ? `<span class="${grade}">${marks[grade]}</span>`
    : marks[grade];
}

function countGrades(rows: readonly Row[]): string {
  const of = (grade: Grade) => rows.filter((row) => row.grade === grade);
  const failed = of("failed");
  const musts = failed.filter(({ level }) => level === "must").length;
  const some = musts === failed.length ? "all" : `${musts} of them`;
  const failures = failed.length === 0
    ? "none failed a rule"
    : `${failed.length} failed a rule, ${some} at \`must\``;
  return `Of ${rows.length} rows, ${failures}. ${of("advice").length} could do better, ` +
    `${of("passed").length} passed, and ${of("unjudged").length} were not judged.`;
}

/** The worst first. */
function listVerdicts(rows: readonly Row[]): string {
  const found = (["failed", "advice"] as const).flatMap((grade) =>
    levels.flatMap((level) => rows.filter((row) => row.grade === grade && row.level === level))
  );
  return found.length === 0 ? "" : table(
    ["misbehaviour", "level", "what was wrong"],
    found.map(({ name, grade, level, server }) => [
      `[${marks[grade]} ${code(name)}](#${name})`,
      level,
      markNames(server),
    ]),
  );
}

/** First the rows with their evidence, then the others. */
function describeArea(
  area: string,
  rows: readonly Row[],
  { read, usual }: { readonly read: Reader; readonly usual: Members },
): readonly Block[] {
  const [proved, others] = [true, false].map((has) =>
    rows.filter(({ requests }) => (requests !== undefined) === has)
  );
  const evidence = proved!.flatMap((row): readonly Block[] => {
    const { name, outcome, level, server, because, requests = [] } = row;
    return [
      {
        html: `<h3 id="${name}">${markOf(row)} <code>${name}</code>: ${outcome}, ${level}</h3>\n`,
        ...{ level: 3, title: name, anchors: [name], text: "", rows: [] },
      },
      ...read(`${markNames(server)} ${quoteReason(because)}`),
      { html: foldRequests(requests, usual), anchors: [], text: "", rows: [] },
    ];
  });
  const list = others!.length === 0 ? [] : read(table(
    ["name", "outcome", "because"],
    others!.map((row) => [
      code(row.name),
      `${markOf(row)} ${row.outcome.replaceAll("_", " ")}`,
      quoteReason(row.because),
    ]),
  ));
  return [...read(`## ${area}`), ...evidence, ...list];
}

function foldRequests(requests: readonly ShownRequest[], usual: Members): string {
  const shown = requests.map((request) => escapeHtml(writeJson(shorten(request, usual), ""))).join("\n");
  const count = sayCount(requests.length, "request, with its answer", "requests, with their answers");
  return `<details><summary>${count}</summary><div class="block wrapped"><pre tabindex="0"><code>${shown}</code></pre></div></details>\n`;
}

/** The members of the metadata, and the value as JSON that each has in most answers of a card. */
type Members = ReadonlyMap<string, string>;

function findUsual(rows: readonly LibraryRow[]): Members {
  const answers = rows.flatMap(({ requests = [] }) => requests).filter(isMetadata).map(({ answer }) =>
    answer
  );
  const usual = [...new Set(answers.flatMap(Object.keys))].flatMap((name) =>
    [...Map.groupBy(answers, (answer) => JSON.stringify(answer[name]))]
      .filter(([value, own]) => value !== undefined && own.length > 1 && own.length > answers.length / 2)
      .map(([value]) => [name, value] as const)
  );
  return new Map(usual);
}

type Answer = Readonly<Record<string, unknown>>;

function isMetadata(request: ShownRequest): request is ShownRequest & { readonly answer: Answer } {
  return request.path?.startsWith("/.well-known/") === true && typeof request.answer === "object" &&
    request.answer !== null;
}

/** Leaves the members of metadata out that other answers have, too. */
function shorten(request: ShownRequest, usual: Members): ShownRequest {
  if (usual.size === 0 || !isMetadata(request)) return request;
  const all = Object.entries(request.answer);
  const changed = all.filter(([name, value]) => JSON.stringify(value) !== usual.get(name));
  const absent = [...usual.keys()].filter((name) => !(name in request.answer));
  const others = `${all.length - changed.length} members as in other answers`;
  const note = absent.length === 0 ? others : `${others}, but no ${absent.join(", ")}`;
  return { ...request, answer: { ...Object.fromEntries(changed), "…": note } };
}

/** In characters. A longer text is cut. */
const longestText = 200;
/** In characters. A longer object or list has a line for each member. */
const longestLine = 100;
/** In characters. A misbehaviour nests an answer so deeply that lines for its members would take megabytes. */
const mostIndent = 40;

function writeJson(value: unknown, indent: string): string {
  const flat = JSON.stringify(
    value,
    (_name, each) =>
      typeof each === "string" && each.length > longestText
        ? `${each.slice(0, longestText)}… (${each.length} characters)`
        : each,
  );
  const isShort = flat.length <= longestLine || indent.length > mostIndent;
  if (isShort || typeof value !== "object" || value === null) return flat;
  const inside = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => writeJson(each, inside))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeJson(each, inside)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.map((each) => inside + each).join(",\n")}\n${indent}${close}`;
}
