/**
 * `deno task docs`: makes static/configuration.schema.json and docs/reference from the code, and docs/examined_clients.md
 * from docs/cards. With `--check` it only compares.
 */
import { saveOrCompare } from "./made_files.ts";
import { writeExaminedClients } from "./reference/examined_clients.ts";
import { writePage } from "./reference/markdown.ts";
import { describeOptions } from "./reference/option_words.ts";

const schema = `${JSON.stringify(await describeOptions(), null, 2)}\n`;
await saveOrCompare(new Map([["static/configuration.schema.json", schema]]), {
  folder: "static",
  ending: ".json",
  task: "docs",
});
// Loaded now, because the code that the pages describe imports the schema.
const { pages } = await import("./reference/pages.ts");
const folder = "docs/reference";
const written = Object.entries(pages).map(async ([name, write]) =>
  [`${folder}/${name}.md`, await format(writePage(await write()))] as const
);
const examined = ["docs/examined_clients.md", await format(writeExaminedClients())] as const;
const made = new Map([...await Promise.all(written), examined]);
await saveOrCompare(made, { folder, ending: ".md", task: "docs" });

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
