/** Builds src/pages/scripts/*.ts into static/*.js, which are committed. With `--check` it only compares them. */
import { bundle } from "./bundle.ts";

const sources = "src/pages/scripts", built = "static";

if (import.meta.main) {
  if (Deno.args.includes("--check")) await requireFreshScripts();
  else await buildScripts();
}

export async function buildScripts(folder: string = built): Promise<void> {
  await bundle({
    entryPoints: scriptNames(sources, ".ts").map((name) => `${sources}/${name}.ts`),
    outdir: folder,
    platform: "browser",
    target: "es2022",
  });
}

/** Exits with 1 when a committed script differs from what its source builds. */
async function requireFreshScripts(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await buildScripts(folder);
    const names = new Set([...scriptNames(folder, ".js"), ...scriptNames(built, ".js")]);
    const stale = [...names].filter((name) => read(`${folder}/${name}.js`) !== read(`${built}/${name}.js`));
    if (stale.length === 0) return;
    const list = stale.map((name) => `${built}/${name}.js`).join(", ");
    console.error(
      `These differ from what ${sources}/ builds: ${list}. Run \`deno task scripts\`, and delete those without a source`,
    );
    Deno.exit(1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function scriptNames(folder: string, ending: string): string[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(ending));
  return names.map((name) => name.slice(0, -ending.length)).sort();
}

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
