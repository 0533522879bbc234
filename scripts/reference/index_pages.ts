/** static/pages.json: the pages of docs/ with their titles, first sentences, headings and names in code, by which agents and `help` find them. */
import { readdirSync } from "node:fs";
import { repository } from "../package/description.ts";

/** `textOf` returns the new text of a page that is made. */
export function indexPages(textOf: (path: string) => string | undefined): string {
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) =>
      path.endsWith(".md") && !/\/README\.md$|^docs\/(?:decisions\/|all_pages\.md)/.test(path)
    ).sort();
  // The index has the pages that most readers need first.
  const index = Deno.readTextFileSync("docs/all_pages.md");
  files.sort((left, right) => index.indexOf(nameIn(left)) - index.indexOf(nameIn(right)));
  const pages = files.map((file) => describe(file, textOf(file) ?? Deno.readTextFileSync(file)));
  return `${JSON.stringify(pages, null, 2)}\n`;
}

function nameIn(file: string): string {
  return `](${file.slice("docs/".length)})`;
}

function describe(file: string, text: string): object {
  // A heading inside a block is a comment of a shell.
  const plain = text.replace(/^```[^]*?^```$/gm, "").replace(/<!--[^]*?-->/g, "");
  const [, title = ""] = /^# (.+)$/m.exec(plain) ?? [];
  const summary = summarise(plain.slice(plain.indexOf(title) + title.length));
  const headings = [...plain.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => withoutMarks(heading));
  const address = `${repository}/blob/main/${file}`;
  const names = listNames(text, plain);
  return { file, address, title: withoutMarks(title), ...readWords(text), summary, headings, names };
}

/** Other words for the subject of the page, which no flag, key or call has: `<!-- other words: mfa, 2fa -->`. */
function readWords(text: string): { readonly words?: readonly string[] } {
  const [, words] = /^<!-- other words: (.+) -->$/m.exec(text) ?? [];
  return words === undefined ? {} : { words: words.split(", ") };
}

/** Such as flags, keys, refusals and misbehaviours, and the packages that a program imports. */
function listNames(text: string, plain: string): string {
  // no span goes on in another paragraph or row
  const blocks = plain.split(/\n\s*\n|\n(?=[|#])/);
  const spans = blocks.flatMap((block) => [...block.matchAll(/(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g)]);
  const code = spans.flatMap(([, , span = ""]) => span.split(/\s+/));
  const imported = [...text.matchAll(/ from "(?:npm:)?([^".]+)"/g)].map(([, name = ""]) => name);
  const names = [...code, ...imported].filter((name) => /^(--)?[a-z][\w./-]*\w$/i.test(name));
  return [...new Set(names.map((name) => name.toLowerCase()))].sort().join(" ");
}

/** Returns the first sentence of the first paragraph. */
export function summarise(text: string): string {
  const [paragraph = ""] = text.trim().split("\n\n");
  const words = withoutLinks(paragraph).replace(/\s+/g, " ");
  return /^.*?[.:](?= |$)/.exec(words)?.[0] ?? words;
}

export function withoutMarks(text: string): string {
  return withoutLinks(text).replace(/[`*]/g, "");
}

export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
