/** Files that programs make and that are committed: writes them or, with `--check`, compares them. */

export interface MadeOptions {
  readonly folder: string;
  readonly ending: string;
  readonly task: "docs" | "kits" | "scripts";
}

/** Takes the texts by their paths. All files of the folder with this ending of a name are made. */
export async function saveOrCompare(made: ReadonlyMap<string, string>, options: MadeOptions): Promise<void> {
  if (Deno.args.includes("--check")) return await requireFresh(made, options);
  await Deno.mkdir(options.folder, { recursive: true });
  for (const [path, text] of made) {
    if (await read(path) !== text) console.log(path);
    await Deno.writeTextFile(path, text);
  }
}

/** Exits with 1 if a committed file differs from the code, if nothing makes it, or if .gitattributes lacks it. */
async function requireFresh(
  made: ReadonlyMap<string, string>,
  { folder, ending, task }: MadeOptions,
): Promise<void> {
  const committed = [...Deno.readDirSync(folder)].flatMap(({ name }) =>
    name.endsWith(ending) ? [`${folder}/${name}`] : []
  );
  const stale: string[] = [];
  for (const path of new Set([...committed, ...made.keys()])) {
    if (await read(path) !== made.get(path)) stale.push(path);
  }
  const remedy = `Run \`deno task ${task}\`, commit the result, and delete what the code does not make`;
  requireNone(stale, (paths) => `These differ from the code: ${paths}. ${remedy}`);
  const isFolded = readFolded(await Deno.readTextFile(".gitattributes"));
  requireNone(
    [...made.keys()].filter((path) => !isFolded(path)),
    (paths) => `A program makes these, so .gitattributes must fold them: ${paths}`,
  );
}

function requireNone(paths: readonly string[], complaint: (paths: string) => string): void {
  if (paths.length === 0) return;
  console.error(complaint(paths.join(", ")));
  Deno.exit(1);
}

/** Takes the text of .gitattributes. Returns whether a diff shows the file folded, because a program makes it. */
export function readFolded(attributes: string): (path: string) => boolean {
  const patterns = [...attributes.matchAll(/^([^#\s]\S*) linguist-generated$/gm)].map(([, pattern = ""]) => {
    // A pattern without a slash is for a file in any folder.
    const start = pattern.includes("/") ? "^" : "(?:^|/)";
    return new RegExp(`${start}${RegExp.escape(pattern).replaceAll("\\*", "[^/]*")}$`);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
