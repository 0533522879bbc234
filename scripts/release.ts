/**
 * `deno task release --dry-run` rehearses a release: every step that needs no secret and no other machine. The workflow
 * .github/workflows/release.yml makes the release: a job without rights runs `deno task release --step NAME` for each step
 * that makes files, and a job for each channel publishes them.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { channels } from "./release/channels.ts";
import { channelFolder, folder, type Release, releaseFolder, type Step, tagOf } from "./release/release.ts";
import { steps } from "./release/steps.ts";

const all: Readonly<Record<string, Step>> = { ...steps, ...channels };

interface Choice {
  /** Without names, all steps run. */
  readonly names: readonly string[] | undefined;
  readonly isRehearsal: boolean;
}

function readChoice(args: readonly string[]): Choice {
  const options = { "dry-run": { type: "boolean" }, step: { type: "string", multiple: true } } as const;
  const { "dry-run": isRehearsal = false, step: names } = parseArgs({ args: [...args], options }).values;
  const unknown = names?.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) {
    throw new Error(`There is no step "${unknown}": use ${Object.keys(all).join(", ")}`);
  }
  const channel = names?.find((name) => Object.hasOwn(channels, name));
  if (channel !== undefined && !isRehearsal) {
    throw new Error(
      `Only the job "${channel}" of the workflow publishes there: use --dry-run to rehearse it`,
    );
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

/** Rejects if the arguments are wrong, or if nothing may be published. Resolves to whether all steps were done. */
export async function run(args: readonly string[]): Promise<boolean> {
  const { names, isRehearsal } = readChoice(args);
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  const release: Release = { version, isRehearsal };
  requireTag(release);
  // without the files of another version
  if (names === undefined) await Deno.remove(releaseFolder, { recursive: true }).catch(() => {});
  for (const each of [folder, channelFolder]) await Deno.mkdir(each, { recursive: true });
  for (const name of names ?? Object.keys(isRehearsal ? all : steps)) {
    const { does, adds, run: runStep } = all[name]!;
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
