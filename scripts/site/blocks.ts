/** Turns a document in Markdown into blocks of HTML, which a page has in their order. */
import { Marked, type Token, type Tokens } from "marked";
import { withoutMarks } from "../reference/index_pages.ts";
import { darkPicture, type PictureSize } from "./picture_size.ts";
import { createAnchors } from "../reference/markdown.ts";

/** What stands between two places at which a page may be split. */
export interface Block {
  readonly html: string;
  /** The level of a heading. Absent: it is no heading. */
  readonly level?: number;
  /** The text of a heading. */
  readonly title?: string;
  /** The ids in the HTML. */
  readonly anchors: readonly string[];
  /** What the search finds here, besides the rows. */
  readonly text: string;
  /** The rows of a reference table that have a name and an id of their own. */
  readonly rows: readonly NamedRow[];
}

export interface NamedRow {
  readonly name: string;
  readonly anchor: string;
  readonly text: string;
}

export interface ReadOptions {
  /** Returns the address of a link of the document. */
  readonly link: (target: string) => string;
  /** Returns the address of a picture, and its size. */
  readonly picture: (target: string) => PictureSize & { readonly address: string };
  /** Returns the address of the script of a program that runs in a page. */
  readonly program: (name: string) => string | undefined;
  /** The rows of tables whose first column has names get ids. */
  readonly namesRows: boolean;
}

/** Begins and ends an address that is replaced when all places are known. */
export const mark = "\u0000";

export function markPlace(place: string): string {
  return `${mark}${place}${mark}`;
}

/** In characters of HTML. A longer table is several blocks. */
const longestTable = 16_000;

export function readBlocks(markdown: string, options: ReadOptions): readonly Block[] {
  const marked = createMarked(options);
  const tokens = marked.lexer(unfold(markdown)).filter(({ type }) => type !== "space");
  const anchorOf = createAnchors();
  const headings = new Map(
    tokens.filter(isHeading).map((token) => [token, anchorOf(withoutMarks(token.text)).slice(1)]),
  );
  const state: State = { marked, used: new Set(headings.values()) };
  return tokens.flatMap((token) => {
    const anchor = headings.get(token as Tokens.Heading);
    if (anchor !== undefined) return [readHeading(token as Tokens.Heading, anchor, state)];
    if (token.type === "table") return readTable(token as Tokens.Table, state, options);
    return [{ html: marked.parser([token]), anchors: anchorsIn(token.raw), text: textOf(token), rows: [] }];
  });
}

interface State {
  readonly marked: Marked;
  /** The ids of the page. */
  readonly used: Set<string>;
}

/** The index of a reference page is folded on GitHub. Here it is a section, so that it can be a page of its own. */
function unfold(markdown: string): string {
  return markdown.replace(/<details>\n<summary>(.*?)<\/summary>/g, "## $1").replaceAll(
    "\n</details>\n",
    "\n",
  );
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

/** The marks of the matrix of examined clients that have a colour. */
const gradesOfMarks: Readonly<Record<string, string>> = { "✗": "failed", "✓": "passed" };

function createMarked({ link, picture, program }: ReadOptions): Marked {
  const marked = new Marked({ gfm: true });
  let programs = 0;
  // A bare address is that of a test. Links to other sites have words.
  marked.use({ tokenizer: { url: () => undefined } });
  marked.use({
    renderer: {
      link({ href, tokens }): string {
        // The character weighs less than its name.
        const inner = this.parser.parseInline(tokens).replaceAll("&nbsp;", "\u00a0");
        const grade = gradesOfMarks[inner[0] ?? ""];
        const kind = grade === undefined ? "" : ` class="${grade}"`;
        return `<a href="${escapeHtml(link(href))}"${kind}>${inner}</a>`;
      },
      image({ href, text }): string {
        const { address, width, height } = picture(href);
        const dark = darkPicture(address);
        const source = dark === undefined
          ? ""
          : `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
        return `<picture>${source}<img src="${address}" width="${width}" height="${height}" alt="${
          escapeHtml(text)
        }" loading="lazy"></picture>`;
      },
      code({ text, lang = "" }): string {
        return writeProgram(text, lang, { id: `program-${++programs}`, program });
      },
    },
  });
  return marked;
}

function readHeading({ depth, tokens, text }: Tokens.Heading, anchor: string, { marked }: State): Block {
  const inner = marked.Parser.parseInline(tokens, marked.defaults);
  const title = withoutMarks(text);
  const mark = depth === 1
    ? ""
    : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(title)}">#</a>`;
  return {
    html: `<h${depth} id="${anchor}">${inner}${mark}</h${depth}>\n`,
    ...{ level: depth, title, anchors: [anchor], text: "", rows: [] },
  };
}

/** A block of text or a program. Its bar says the language and the file, and has buttons that copy it and run it. */
function writeProgram(
  text: string,
  info: string,
  { id, program }: Pick<ReadOptions, "program"> & { readonly id: string },
): string {
  const [language = "text", ...words] = info.split(" ");
  const name = words.find((word) => /[./]/.test(word));
  const isOutput = language === "text" && name === undefined;
  const commands = language === "console" ? readCommands(text) : undefined;
  const value = commands === undefined ? "" : ` data-value="${escapeHtml(commands)}"`;
  const kind = name ?? (isOutput ? "output" : language === "console" ? "terminal" : language);
  const what = name ?? (language === "console" ? "the command" : "the program");
  const button =
    `<button type="button" class="copy" hidden data-copy="${id}">Copy<span class="unseen"> ${what}</span></button>`;
  const address = name === undefined ? undefined : program(name);
  const run = address === undefined
    ? ""
    : `<button type="button" class="run" hidden data-program="${address}">Run<span class="unseen"> ${name}</span></button>`;
  const bar = isOutput ? "" : `<p class="bar"><span>${kind}</span>${run}${button}</p>`;
  return `<div class="block">${bar}<pre tabindex="0"${isOutput ? "" : ` id="${id}"`}${value}><code>${
    escapeHtml(text)
  }</code></pre></div>\n`;
}

/** Returns the commands of a terminal, without their prompts and without what they print. */
function readCommands(text: string): string {
  const lines = text.split("\n");
  const isCommand = lines.map((line, at) => {
    if (line.startsWith("$ ")) return true;
    for (let before = at - 1; before >= 0 && lines[before]!.endsWith("\\"); before--) {
      if (lines[before]!.startsWith("$ ")) return true;
    }
    return false;
  });
  return lines.filter((_line, at) => isCommand[at]).map((line) => line.replace(/^\$ /, "")).join("\n");
}

/** A long table is several tables, each with the same head. */
function readTable(table: Tokens.Table, state: State, { namesRows }: ReadOptions): readonly Block[] {
  const cells = (row: readonly Tokens.TableCell[], tag: "td" | "th") =>
    row.map(({ tokens }) =>
      `<${tag}>${state.marked.Parser.parseInline(tokens, state.marked.defaults)}</${tag}>`
    ).join("");
  const isNamed = namesRows && /^(reason|name|key|flag|command|variable)$/.test(table.header[0]?.text ?? "");
  const isMatrix = table.header[0]?.text === "library" && table.header.some(({ text }) => text === "must");
  const rows = table.rows.map((row) => {
    const text = row.map((cell) => withoutMarks(cell.text)).join(" ");
    const name = /^`([^`]+)`$/.exec(row[0]?.text ?? "")?.[1];
    const anchor = name?.replace(/[^\w.-]/g, "");
    const isNew = isNamed && name !== undefined && anchor !== undefined && anchor !== "" &&
      !state.used.has(anchor);
    if (isNew) state.used.add(anchor);
    const id = isNew ? ` id="${anchor}"` : "";
    return {
      html: `<tr${id}>${cells(row, "td")}</tr>\n`,
      text,
      named: isNew ? { name, anchor, text } : undefined,
    };
  });
  const head = `<thead><tr>${cells(table.header, "th")}</tr></thead>`;
  const start = `<div class="wide" tabindex="0" role="group" aria-label="Table"><table${
    isMatrix ? ' data-matrix=""' : ""
  }>${head}\n<tbody>`;
  return inChunks(rows, ({ html }) => html.length, longestTable).map((chunk) => {
    const named = chunk.flatMap((row) => row.named ?? []);
    return {
      html: `${start}${chunk.map(({ html }) => html).join("")}</tbody></table></div>\n`,
      anchors: [...named.map(({ anchor }) => anchor), ...anchorsIn(chunk.map(({ html }) => html).join(""))],
      text: [
        table.header.map(({ text }) => text).join(" "),
        ...chunk.flatMap(({ named, text }) => named === undefined ? [text] : []),
      ].join(" "),
      rows: named,
    };
  });
}

/** Cuts a list into lists of which each has at most `most`, or one element. */
export function inChunks<T>(
  all: readonly T[],
  sizeOf: (each: T) => number,
  most: number,
): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let left = 0;
  for (const each of all) {
    left -= sizeOf(each);
    if (left < 0 || chunks.length === 0) {
      chunks.push([]);
      left = most - sizeOf(each);
    }
    chunks.at(-1)!.push(each);
  }
  return chunks;
}

function anchorsIn(html: string): readonly string[] {
  return [...html.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
}

/** The words of a token. Programs are left out but for their names, because readers search for what a page says. */
function textOf(token: Token): string {
  if (token.type === "code") return (token as Tokens.Code).lang?.split(" ")[1] ?? "";
  return withoutMarks(token.raw).replace(/<[^>]*>/g, " ");
}

export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[found]!,
  );
}
