/** `deno task docs`: makes docs/reference from the code, and docs/examined_clients.md from docs/cards. With `--check` it only compares. */
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

if (import.meta.main) {
  const written = await makePages();
  if (Deno.args.includes("--check")) await requireFresh(written);
  else await savePages(written);
}

async function makePages(): Promise<ReadonlyMap<string, string>> {
  const written = Object.entries(pages).map(async ([name, write]) =>
    [`${folder}/${name}.md`, await format(writePage(await write()))] as const
  );
  const examined = ["docs/examined_clients.md", await format(writeExaminedClients())] as const;
  return new Map([...await Promise.all(written), examined]);
}

/** Formats as `deno fmt` does, which checks the committed pages. */
async function format(text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await output;
  if (!success) throw new Error("deno fmt does not accept a page");
  return new TextDecoder().decode(stdout);
}

async function savePages(written: ReadonlyMap<string, string>): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [path, text] of written) {
    if (await read(path) !== text) console.log(path);
    await Deno.writeTextFile(path, text);
  }
}

/** Exits with 1 if a committed page differs from the code, or has no writer. */
async function requireFresh(written: ReadonlyMap<string, string>): Promise<void> {
  const committed = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
  const stale: string[] = [];
  for (const path of new Set([...committed, ...written.keys()])) {
    if (await read(path) !== written.get(path)) stale.push(path);
  }
  if (stale.length === 0) return;
  console.error(
    `These differ from the code: ${stale.join(", ")}. Run \`deno task docs\` and commit the result`,
  );
  Deno.exit(1);
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
