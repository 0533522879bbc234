/**
 * `deno task pin`: writes the commit of each foreign action into the workflows, in the place of its tag, which can be moved.
 * A later run compares the commits with the tags.
 */
import { parse } from "yaml";
import { runProgram } from "../run_program.ts";

/** A file that names actions. */
interface ActionFile {
  readonly path: string;
  readonly text: string;
}

/** Reads the workflows, and the actions that other projects use. */
async function readActionFiles(): Promise<readonly ActionFile[]> {
  const folder = ".github/workflows";
  const workflows = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`)
    .filter((path) => /\.ya?ml$/.test(path)).sort();
  const actions = ["packaging/action/action.yml", "packaging/action/examine/action.yml"];
  const paths = [...workflows, ...actions];
  return await Promise.all(paths.map(async (path) => ({ path, text: await Deno.readTextFile(path) })));
}

/** A line that names a foreign action: `- uses: owner/name@ref # version`. */
interface Use {
  readonly before: string;
  readonly action: string;
  readonly repository: string;
  readonly ref: string;
  readonly version?: string;
}

const form =
  /^(?<before>\s*(?:- +)?uses: +)(?<action>(?<repository>[\w.-]+\/[\w.-]+)(?:\/[\w./-]+)?)@(?<ref>[\w./-]+)(?: +#(?: *(?<version>v\d\S*))?.*| *)$/;

function readUse(line: string): Use | undefined {
  return form.exec(line)?.groups as Use | undefined;
}

const isCommit = (ref: string) => /^[0-9a-f]{40}$/.test(ref);
const isVersion = (text = "") => /^v\d+\.\d+\.\d+$/.test(text);

/** Lists the foreign actions of the project that have no commit, or no version beside it. */
export async function listUnpinned(): Promise<readonly string[]> {
  return (await readActionFiles()).flatMap(findUnpinned);
}

function findUnpinned({ path, text }: ActionFile): readonly string[] {
  const pinned = text.split("\n").map(readUse)
    .filter((use) => use !== undefined && isCommit(use.ref) && isVersion(use.version))
    .map((use) => `${use?.action}@${use?.ref}`);
  const foreign = findUses(parse(text)).filter((use) => !use.startsWith("./"));
  return [...new Set(foreign)].filter((use) => !pinned.includes(use)).map((use) => `${path}: ${use}`);
}

/** Returns the values of all members `uses`, as GitHub reads them. */
function findUses(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "uses" && typeof member === "string" ? [member] : findUses(member)
  );
}

/** The commits of a repository by their tags. */
type Tags = ReadonlyMap<string, string>;

/** Asks the repository, without a clone. */
async function listTags(repository: string): Promise<Tags> {
  const { success, output } = await runProgram(
    "git",
    ["ls-remote", "--tags", `https://github.com/${repository}`],
    // GitHub asks for a password where there is no repository
    { GIT_TERMINAL_PROMPT: "0" },
  );
  if (!success) throw new Error(`Cannot read the tags of ${repository}: ${output.trim()}`);
  const tags = new Map<string, string>();
  // git lists the tag itself first, and then, with the ending ^{}, the commit of a tag that is an object
  for (const [, commit = "", tag = ""] of output.matchAll(/^(\w{40})\trefs\/tags\/(\S+?)(?:\^\{\})?$/gm)) {
    tags.set(tag, commit);
  }
  return tags;
}

/** Returns the line with the commit of its action, and with the version of this commit beside it. */
function writePinned({ before, action, repository, ref, version }: Use, tags: Tags): string {
  const tag = isCommit(ref) ? version : ref;
  if (tag === undefined) throw new Error(`Write the version of ${action}@${ref} beside it, as a comment`);
  const commit = tags.get(tag);
  if (commit === undefined) throw new Error(`${repository} has no tag ${tag}`);
  if (isCommit(ref) && ref !== commit) {
    throw new Error(
      `${action} is pinned to ${ref}, but its tag ${tag} is ${commit}: find out why. ` +
        `To take the commit of the tag, write ${action}@${tag}`,
    );
  }
  const exact = isVersion(tag)
    ? tag
    : [...tags].find(([name, each]) => each === commit && isVersion(name))?.[0];
  if (exact === undefined) {
    throw new Error(`${repository} has no version such as v1.2.3 at its tag ${tag}: write another tag`);
  }
  return `${before}${action}@${commit} # ${exact}`;
}

/** Writes nothing unless all actions can be pinned. */
export async function pinActions(): Promise<void> {
  const files = await readActionFiles();
  const uses = files.flatMap(({ text }) => text.split("\n").map(readUse)).filter((use) => use !== undefined);
  const known = new Map<string, Tags>();
  for (const repository of new Set(uses.map((use) => use.repository))) {
    known.set(repository, await listTags(repository));
  }
  const pinned = files.map(({ path, text }) => ({
    path,
    text: text.split("\n").map((line) => {
      const use = readUse(line);
      return use === undefined ? line : writePinned(use, known.get(use.repository)!);
    }).join("\n"),
  }));
  const left = pinned.flatMap(findUnpinned);
  if (left.length > 0) {
    throw new Error(`Write each of these on a line of its own, without quotes:\n${left.join("\n")}`);
  }
  for (const { path, text } of pinned) await Deno.writeTextFile(path, text);
  console.log(`${uses.length} lines name the commits of ${known.size} repositories`);
}

if (import.meta.main) {
  await pinActions().catch((error: Error) => {
    console.error(error.message);
    Deno.exit(1);
  });
}
