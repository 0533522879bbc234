/** Files that programs make and that are committed: writes them or, with `--check`, compares them. */

export interface MadeOptions {
  readonly folder: string;
  readonly ending: ".css" | ".js" | ".json" | ".md";
  readonly task: "docs" | "scripts";
}

/** Takes the texts by their paths. All files of the folder with this ending of a name are made. */
export async function saveOrCompare(made: ReadonlyMap<string, string>, options: MadeOptions): Promise<void> {
  if (Deno.args.includes("--check")) return await requireFresh(made, options);
  for (const [path, text] of made) {
    if (await read(path) !== text) console.log(path);
    await Deno.writeTextFile(path, text);
  }
}

/** Exits with 1 if a committed file differs from the code, or nothing makes it. */
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
  if (stale.length === 0) return;
  console.error(
    `These differ from the code: ${
      stale.join(", ")
    }. Run \`deno task ${task}\`, commit the result, and delete what the ` +
      "code does not make",
  );
  Deno.exit(1);
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
