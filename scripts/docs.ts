/** `deno task docs`: makes docs/reference from the code, and docs/examined_clients.md from docs/cards. With `--check` it only compares. */
import { saveOrCompare } from "./made_files.ts";
import { writeCommandLine } from "./reference/command_line.ts";
import { writeConfiguration } from "./reference/configuration.ts";
import { writeControlPlane } from "./reference/control_plane.ts";
import { writeEndpoints } from "./reference/endpoints.ts";
import { writeFeatures } from "./reference/features.ts";
import { writeLifetimes } from "./reference/lifetimes.ts";
import { writeLookAlikes } from "./reference/look_alikes.ts";
import { writeExaminedClients } from "./reference/examined_clients.ts";
import { type Page, writePage } from "./reference/markdown.ts";
import { writeMisbehaviours } from "./reference/misbehaviours.ts";
import { writeRefusals } from "./reference/refusals.ts";
import { writeTestKit } from "./reference/test_kit.ts";

const folder = "docs/reference";

/** The pages, by the names of their files. */
const pages: Readonly<Record<string, () => Page | Promise<Page>>> = {
  command_line: writeCommandLine,
  configuration: writeConfiguration,
  lifetimes: writeLifetimes,
  endpoints: writeEndpoints,
  features: writeFeatures,
  test_kit: writeTestKit,
  refusals: writeRefusals,
  misbehaviours: writeMisbehaviours,
  look_alikes: writeLookAlikes,
  control_plane: writeControlPlane,
};

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
