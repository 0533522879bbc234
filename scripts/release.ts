/**
 * `deno task release --dry-run` rehearses a release: every step that needs no secret and no other machine. The workflow
 * .github/workflows/release.yml makes the release: it runs `deno task release --step NAME` for each step.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { folder, type Release, tagOf } from "./release/release.ts";
import { steps } from "./release/steps.ts";

interface Choice {
  /** Without names, all steps run. */
  readonly names: readonly string[] | undefined;
  readonly isRehearsal: boolean;
}

function readChoice(args: readonly string[]): Choice {
  const options = { "dry-run": { type: "boolean" }, step: { type: "string", multiple: true } } as const;
  const { "dry-run": isRehearsal = false, step: names } = parseArgs({ args: [...args], options }).values;
  const unknown = names?.find((name) => !Object.hasOwn(steps, name));
  if (unknown !== undefined) {
    throw new Error(`There is no step "${unknown}": use ${Object.keys(steps).join(", ")}`);
  }
  return { names, isRehearsal };
}

/** Throws unless the workflow runs for the tag of this version. */
function requireTag(release: Release): void {
  const wanted = `refs/tags/${tagOf(release)}`;
  if (release.isRehearsal || process.env["GITHUB_REF"] === wanted) return;
  throw new Error(
    `Only the workflow makes a release, when the tag ${
      tagOf(release)
    } is pushed: use --dry-run to rehearse it`,
  );
}

async function run(args: readonly string[]): Promise<boolean> {
  const { names, isRehearsal } = readChoice(args);
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  const release: Release = { version, isRehearsal };
  requireTag(release);
  // without the files of another version
  if (names === undefined) await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  for (const name of names ?? Object.keys(steps)) {
    const { does, adds, run: runStep } = steps[name]!;
    console.log(`${name}: ${does}`);
    const { success, output } = await runStep(release);
    console.log(
      indent(success && isRehearsal ? output.trim().split("\n").slice(-8).join("\n") : output.trim()),
    );
    if (!success) {
      console.error(`not ok: ${name}`);
      return false;
    }
    if (isRehearsal) console.log(`  ok; a release adds: ${adds}`);
  }
  return true;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

if (import.meta.main) {
  const isDone = await run(Deno.args).catch((error: Error) => {
    console.error(error.message);
    return false;
  });
  Deno.exit(isDone ? 0 : 1);
}
