/** The sources that JSR publishes, in an archive, so that the job that publishes them needs no checkout. */
import { type Outcome, runDeno, runProgram } from "../run_program.ts";
import { channelFolder, done } from "./release.ts";

const archive = `${channelFolder}/sources.tar.gz`;

/** `publish` in deno.json chooses of them. The lock has the versions of the packages that JSR names. */
const members = ["deno.json", "deno.lock", "LICENSE", "README.md", "src", "static"];

export async function packSources(): Promise<Outcome> {
  const packed = await runProgram("tar", ["-czf", archive, ...members]);
  return packed.success ? done(archive) : packed;
}

/** Does what the job does, without its right. The types are checked before the sources are packed. */
export async function rehearsePublication(): Promise<Outcome> {
  const folder = await Deno.makeTempDir({ prefix: "postern_" });
  try {
    const unpacked = await runProgram("tar", ["-xzf", archive, "-C", folder]);
    if (!unpacked.success) return unpacked;
    // deno asks the repository that surrounds this script
    const flags = [`--config=${folder}/deno.json`, "--no-check", "--dry-run", "--allow-dirty"];
    return await runDeno("publish", ...flags);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
