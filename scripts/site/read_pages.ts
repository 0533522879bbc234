/** Reads the documents of the site in the order of docs/all_pages.md, and finds the address of each place in them. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { listPages } from "../llms.ts";
import { repository } from "../package/description.ts";
import { writeAsShown } from "../published.ts";
import { summarise, withoutMarks } from "../reference/index_pages.ts";
import { type Block, escapeHtml, mark, markPlace, readBlocks } from "./blocks.ts";
import { cardFolders, readCards } from "./read_cards.ts";
import { findPrograms, type SiteProgram } from "./programs/find_programs.ts";
import { readPictureSize } from "./picture_size.ts";
import { splitPage } from "./split_page.ts";

/** One file of the site that is made from a document, or from a part of one. */
export interface SitePage {
  /** Its address below the root of the site. */
  readonly path: string;
  /** The title of the document. */
  readonly title: string;
  /** What this part begins with. Absent: the page has the whole document, or its beginning. */
  readonly part?: string;
  /** The group in the navigation. Absent: it has no link there. */
  readonly section?: string;
  readonly summary: string;
  readonly blocks: readonly Block[];
  /** The programs of the whole document that run in a page. Absent: a card has none. */
  readonly programs?: readonly SiteProgram[];
  /** The other parts of the document, in their order. */
  readonly parts: readonly SitePage[];
}

/** A document with the address of its first part. */
export interface Source {
  readonly source: string;
  readonly path: string;
  readonly section?: string;
  readonly about?: string;
}

const first: readonly Source[] = [{ source: "README.md", path: "start.html", section: "Start" }];
const last: readonly Source[] = [
  { source: "docs/releasing.md", path: "releasing.html", section: "Project" },
  { source: "CONTRIBUTING.md", path: "contributing.html", section: "Project" },
  { source: "SECURITY.md", path: "security.html", section: "Project" },
  { source: "CHANGELOG.md", path: "changelog.html", section: "Project" },
  { source: "docs/README.md", path: "documentation.html" },
  { source: "docs/all_pages.md", path: "all_pages.html" },
];

/** They are for the people who change Postern, so no page of the navigation has them. */
function listDecisions(): readonly Source[] {
  return readdirSync("docs/decisions").sort().map((name) => ({
    source: `docs/decisions/${name}`,
    path: `decisions/${name.replace(/\.md$/, ".html")}`,
  }));
}

function listSources(): readonly Source[] {
  const indexed = listPages(readFileSync("docs/all_pages.md", "utf8")).map(({ path, section, about }) => ({
    source: path,
    path: path.replace(/^docs\//, "").replace(/\.md$/, ".html"),
    section,
    ...(about === undefined ? {} : { about }),
  }));
  const all = [...first, ...indexed, ...last, ...listDecisions()];
  const known = new Map(all.map((each) => [each.source, each]));
  return [...known.values()];
}

export function readPages(): readonly SitePage[] {
  const sources = listSources();
  const documents = sources.map((source) => readDocument(source));
  const cards = cardFolders.flatMap(readCards);
  const pages = [...documents.flatMap(asParts), ...cards.flatMap(({ document }) => asParts(document))];
  const paths = new Map([
    ...sources.map(({ source, path }) => [source, path] as const),
    ...cards.map(({ source, document }) => [source, document.path] as const),
  ]);
  const lines = new Map(cards.flatMap(({ lines }) => [...lines]));
  const places = new Map(
    pages.flatMap((page) =>
      page.blocks.flatMap(({ anchors }) =>
        anchors.map((anchor) => [`${(page.parts[0] ?? page).path}#${anchor}`, page.path] as const)
      )
    ),
  );
  const resolve = (target: string, from: string): string => {
    const [file = "", anchor = ""] = target.split("#");
    if (cardFolders.includes(file)) return resolve("docs/examined_clients.md", from);
    const path = paths.get(file);
    if (path === undefined) return `${repository}/blob/main/${target}`;
    const place = lines.get(target) ?? anchor;
    const page = place === "" ? path : places.get(`${path}#${place}`) ?? path;
    const relative = page === from ? "" : relativePath(from, page);
    return place === "" ? relative || posix.basename(from) : `${relative}#${place}`;
  };
  return pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) => ({
      ...block,
      html: block.html.replace(
        new RegExp(`${mark}([^${mark}]*)${mark}`, "g"),
        (_all, target: string) => resolve(target, page.path),
      ),
    })),
  }));
}

/** Returns the way from one page of the site to another file. */
export function relativePath(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

/** A document that is not split yet. */
export interface Document extends Omit<SitePage, "parts"> {
  /** Names a part after what it holds. Default: after what it begins with. */
  readonly namePart?: (part: readonly Block[], all: readonly Block[]) => string;
}

function readDocument({ source, path, section, about }: Source): Document {
  const text = writeAsShown(readFileSync(source, "utf8"));
  const programs = findPrograms(text, path);
  const blocks = readBlocks(text, {
    program: (name) => programs.find((program) => program.name === name)?.address,
    namesRows: source.startsWith("docs/reference/"),
    link: (target) => locate(target, source),
    picture: (target) => {
      const file = posix.join(posix.dirname(source), target);
      return { address: relativePath(path, file.replace(/^docs\//, "")), ...readPictureSize(file) };
    },
  });
  const title = source === "README.md" ? "Start and install" : blocks[0]?.title ?? source;
  return {
    path,
    title,
    summary: withoutMarks(about ?? summarise(text.replace(/^# .*$/m, "").replace(/^!\[.*$/gm, ""))),
    blocks,
    programs,
    ...(section === undefined ? {} : { section }),
  };
}

/** Links within the repository are marked, because their addresses depend on where all pages are split. */
function locate(target: string, source: string): string {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return target;
  const [file = "", anchor] = target.split("#");
  const found = file === "" ? source : posix.join(posix.dirname(source), file).replace(/\/$/, "");
  return markPlace(anchor === undefined ? found : `${found}#${anchor}`);
}

/** The parts of a document know each other. */
function asParts(document: Document): readonly SitePage[] {
  const split = splitPage(document.blocks);
  const parts: SitePage[] = [];
  let section = document.title;
  for (const [at, blocks] of split.entries()) {
    const start = blocks.find(({ level, rows }) => level !== undefined || rows.length > 0);
    const place = start?.anchors[0] ?? `${at + 1}`;
    const name = document.namePart?.(blocks, document.blocks) ?? start?.title ?? start?.rows[0]?.name ??
      `${section}, continued`;
    const isInside = start?.level !== undefined && start.level > 2;
    const shown = at > 0 && isInside ? [continueSection(section), ...blocks] : blocks;
    section = blocks.findLast(({ level }) => level === 2)?.title ?? section;
    parts.push({
      ...document,
      ...(at === 0 ? {} : {
        path: `${document.path.replace(/\.html$/, "")}/${place.replace(/[^\w.-]/g, "")}.html`,
        part: name,
      }),
      blocks: shown,
      parts: split.length === 1 ? [] : parts,
    });
  }
  return parts;
}

/** The section that the page before has begun. Its address is there. */
function continueSection(title: string): Block {
  return { html: `<h2>${escapeHtml(title)}, continued</h2>\n`, anchors: [], text: "", rows: [] };
}
