/** Reads the cards of examined clients and APIs as documents: each row, and the requests that prove a failure or an advice. */
import { readdirSync, readFileSync } from "node:fs";
import { areaOf } from "../../src/kit/faults/names.ts";
import type { LibraryCard, LibraryRow } from "../../tests/kit/examined/examine_library.ts";
import { quoteReason } from "../reference/examined_clients.ts";
import { code, table } from "../reference/markdown.ts";
import { type Block, escapeHtml, readBlocks } from "./blocks.ts";
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
    return { source, document: describeCard(name, path, JSON.parse(text)), lines };
  });
}

function describeCard(name: string, path: string, { library, rows }: LibraryCard): Document {
  const title = `The card ${name}`;
  const summary =
    `What ${library.package} ${library.version} did on ${library.date}, with each misbehaviour of the server.`;
  const all = path.startsWith("api_")
    ? { title: "examined APIs", address: "../examined_apis.html" }
    : { title: "examined clients", address: "../examined_clients.html" };
  const areas = [...Map.groupBy(rows, (row) => areaOf(row.name))];
  const blocks = [
    ...read(
      [`# ${title}`, summary, `Its use: ${library.use}. It is one of the [${all.title}](${all.address}).`]
        .join("\n\n"),
    ),
    ...areas.flatMap(([area, own]) => describeArea(area, own)),
  ];
  return { path, title, summary, blocks };
}

function read(markdown: string): readonly Block[] {
  return readBlocks(markdown, {
    program: () => undefined,
    namesRows: true,
    link: (target) => target,
    picture: (target) => {
      throw new Error(`A card has no pictures: ${target}`);
    },
  });
}

/** First the rows with their evidence, then the others. */
function describeArea(area: string, rows: readonly LibraryRow[]): readonly Block[] {
  const [proved, others] = [true, false].map((has) =>
    rows.filter(({ requests }) => (requests !== undefined) === has)
  );
  const evidence = proved!.flatMap(({ name, outcome, because = "", requests = [] }): readonly Block[] => [
    {
      html: `<h3 id="${name}"><code>${name}</code>: ${outcome.replaceAll("_", " ")}</h3>\n`,
      ...{ level: 3, title: name, anchors: [name], text: "", rows: [] },
    },
    { html: `<p>${escapeHtml(because)}</p>\n`, ...{ anchors: [], text: because, rows: [] } },
    ...requests.map((request) => ({
      html: `<div class="block wrapped"><pre tabindex="0"><code>${
        escapeHtml(writeJson(request, ""))
      }</code></pre></div>\n`,
      ...{ anchors: [], text: "", rows: [] },
    })),
  ]);
  const list = others!.length === 0 ? [] : read(table(
    ["name", "outcome", "because"],
    others!.map(({ name, outcome, because = "" }) => [
      code(name),
      outcome.replaceAll("_", " "),
      quoteReason(because),
    ]),
  ));
  return [...read(`## ${area}`), ...evidence, ...list];
}

/** In characters. A longer object or list has a line for each member. */
const longestLine = 100;
/** In characters. A misbehaviour nests an answer so deeply that lines for its members would take megabytes. */
const mostIndent = 40;

function writeJson(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  const isShort = flat.length <= longestLine || indent.length > mostIndent;
  if (isShort || typeof value !== "object" || value === null) return flat;
  const inside = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => writeJson(each, inside))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeJson(each, inside)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.map((each) => inside + each).join(",\n")}\n${indent}${close}`;
}
