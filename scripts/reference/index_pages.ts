/** static/pages.json: the pages of docs/ with their titles, first sentences and headings, by which agents find them. */
import { readdirSync } from "node:fs";

/** `textOf` returns the new text of a page that is made. */
export function indexPages(textOf: (path: string) => string | undefined): string {
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.endsWith("/README.md")).sort();
  const pages = files.map((file) => describe(file, textOf(file) ?? Deno.readTextFileSync(file)));
  return `${JSON.stringify(pages, null, 2)}\n`;
}

function describe(file: string, text: string): object {
  // A heading inside a block is a comment of a shell.
  const plain = text.replace(/^```[^]*?^```$/gm, "").replace(/<!--[^]*?-->/g, "");
  const [, title = ""] = /^# (.+)$/m.exec(plain) ?? [];
  const summary = summarise(plain.slice(plain.indexOf(title) + title.length));
  const headings = [...plain.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => withoutMarks(heading));
  return { file, title: withoutMarks(title), summary, headings };
}

/** Returns the first sentence of the first paragraph. */
export function summarise(text: string): string {
  const [paragraph = ""] = text.trim().split("\n\n");
  const words = withoutLinks(paragraph).replace(/\s+/g, " ");
  return /^.*?[.:](?= |$)/.exec(words)?.[0] ?? words;
}

function withoutMarks(text: string): string {
  return withoutLinks(text).replace(/[`*]/g, "");
}

export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
