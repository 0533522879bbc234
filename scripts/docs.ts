/**
 * `deno task docs`: makes static/*.json and docs/reference from the code, docs/examined_clients.md and
 * docs/examined_apis.md from the cards, docs/real_flaws.md from a list, and llms.txt, llms-full.txt and
 * static/pages.json from docs. When Postern is published, it writes the other pages as they are then. With `--check` it
 * only compares.
 */
import { readdirSync } from "node:fs";
import { saveOrCompare } from "./made_files.ts";
import { writeLlms } from "./llms.ts";
import { published, writeAsPublished, writeAsShown } from "./published.ts";
import { writeExaminedApis } from "./reference/examined_apis.ts";
import { writeExaminedClients } from "./reference/examined_clients.ts";
import { indexPages } from "./reference/index_pages.ts";
import { writePage } from "./reference/markdown.ts";
import { describeKit } from "./reference/kit_schemas.ts";
import { describeOptions } from "./reference/option_words.ts";
import { writeRealFlaws } from "./reference/real_flaws.ts";
import { summariseRefusals } from "./reference/refusals.ts";

const write = (data: object) => `${JSON.stringify(data, null, 2)}\n`;
const { terms, otherTerms, calls } = await describeKit();
const data = new Map([
  ["static/configuration.schema.json", write(await describeOptions())],
  ["static/terms.json", write(terms)],
  ["static/other_terms.json", write(otherTerms)],
  ["static/calls.json", write(calls)],
  ["static/refusals.json", await summariseRefusals()],
]);
if (!Deno.args.includes("--check")) { for (const [path, text] of data) await Deno.writeTextFile(path, text); }
// Loaded now, because the code that the pages describe imports these files.
const { pages } = await import("./reference/pages.ts");
const folder = "docs/reference";
const written = Object.entries(pages).map(async ([name, describe]) =>
  [`${folder}/${name}.md`, writePage(await describe())] as const
);
const examined = [
  ["docs/examined_clients.md", writeExaminedClients()],
  ["docs/examined_apis.md", writeExaminedApis()],
  ["docs/real_flaws.md", writeRealFlaws()],
] as const;
const made = new Map<string, string>();
for (const [path, text] of [...await Promise.all(written), ...examined, ...readOthers()]) {
  made.set(path, await format(published ? writeAsPublished(text) : text));
}
const readPage = (path: string) => made.get(path) ?? Deno.readTextFileSync(path);
for (const [path, text] of writeLlms((path) => writeAsShown(readPage(path)))) made.set(path, text);
await saveOrCompare(made, { folder, ending: ".md", task: "docs" });
data.set("static/pages.json", indexPages((path) => made.get(path)));
await saveOrCompare(data, { folder: "static", ending: ".json", task: "docs" });

/** Returns the pages that people write, which change once: when Postern is published. */
function* readOthers(): Iterable<readonly [path: string, text: string]> {
  if (!published) return;
  const names = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
  for (const path of ["README.md", "CHANGELOG.md", "SECURITY.md", ...names]) {
    const isWritten = path.endsWith(".md") && !path.startsWith(folder) &&
      !examined.some(([made]) => made === path);
    if (isWritten) yield [path, Deno.readTextFileSync(path)];
  }
}

/** Formats as `deno fmt` does, which checks the committed pages. */
async function format(text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  await ReadableStream.from([new TextEncoder().encode(text)]).pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  if (!success) throw new Error("deno fmt does not accept a page");
  return new TextDecoder().decode(stdout);
}
