/** The steps that make the files of a release, in their order. Channels publish these files and no others. */
import { makeExecutable, pathOfExecutable, systems } from "../compile.ts";
import { folder as packageFolder } from "../package/entries.ts";
import { type Outcome, runDeno, runProgram } from "../run_program.ts";
import { asDeveloper } from "../runtimes.ts";
import { checkNpmPackage, checkPublication } from "../shipped.ts";
import { listMaterials } from "./bill_of_materials.ts";
import { readNotes } from "./notes.ts";
import { listUnpinned } from "./pin_actions.ts";
import { channelFolder, done, folder, listDownloads, packageOf, type Step } from "./release.ts";
import { packSources } from "./sources.ts";

export const steps: Readonly<Record<string, Step>> = {
  actions: {
    does: "checks that the workflows name the commit of each foreign action",
    adds: "each action must have a commit",
    async run({ isRehearsal }) {
      const unpinned = await listUnpinned();
      if (unpinned.length === 0) return done("Each foreign action is pinned to a commit");
      const lines = [
        "These actions have no commit, or no version beside it:",
        ...unpinned,
        "Run deno task pin, and commit what it writes",
      ];
      return { success: isRehearsal, output: lines.join("\n") };
    },
  },

  notes: {
    does: "takes the notes from the section of the version in CHANGELOG.md",
    adds: "the section must have a date",
    async run(release) {
      const notes = readNotes(await Deno.readTextFile("CHANGELOG.md"), release);
      await Deno.writeTextFile(`${channelFolder}/notes.md`, notes);
      return done(`${channelFolder}/notes.md: ${notes.split("\n").length} lines`);
    },
  },

  package: {
    does: "builds, checks and packs the npm package",
    adds: "nothing",
    async run(release) {
      const checked = await checkNpmPackage();
      if (checked.success) {
        await Deno.copyFile(`dist/postern-${release.version}.tgz`, packageOf(release));
      }
      return checked;
    },
  },

  executables: {
    does: "makes an executable for each system, with the runtime whose executable is smaller, and packs it",
    adds: "Deno's base binaries, which a machine without dl.deno.land lacks",
    async run() {
      const made: string[] = [];
      for (const system of Object.keys(systems)) {
        const outcome = await packExecutable(system);
        if (!outcome.success) return outcome;
        made.push(outcome.output);
      }
      return done(made.join("\n"));
    },
  },

  materials: {
    does: "writes the bill of materials of the npm package (CycloneDX)",
    adds: "nothing",
    async run({ version }) {
      const { success, output } = await listMaterials(packageFolder);
      if (!success) return { success, output };
      const { components } = JSON.parse(output) as { readonly components: readonly unknown[] };
      await Deno.writeTextFile(`${folder}/postern-${version}.cdx.json`, output);
      return done(`${folder}/postern-${version}.cdx.json: ${components.length} packages`);
    },
  },

  sources: {
    does: "checks and packs the sources for JSR",
    adds: "nothing",
    async run() {
      const checked = await checkPublication();
      return checked.success ? await packSources() : checked;
    },
  },

  image: {
    does:
      "makes the image for two architectures, from the files that `deno task image` made on a machine of each",
    adds: "the files of the other architecture, and the image",
    run: ({ version, isRehearsal }) =>
      isRehearsal ? runDeno("run", ...asDeveloper, "--allow-all", "scripts/image.ts") : makeImage(version),
  },

  checksums: {
    does: "writes the SHA-256 of each file that people download",
    adds: "nothing",
    async run() {
      const names = listDownloads().filter((name) => name !== "SHA256SUMS");
      const lines = await Promise.all(
        names.map(async (name) => `${await hash(`${folder}/${name}`)}  ${name}\n`),
      );
      await Deno.writeTextFile(`${folder}/SHA256SUMS`, lines.join(""));
      return done(`${folder}/SHA256SUMS: ${names.length} files`);
    },
  },
};

/** Makes one archive, which a job without build code can push as it is. */
async function makeImage(version: string): Promise<Outcome> {
  // the usual builder makes no archive, and no image of several architectures
  const builder = await runProgram("docker", ["buildx", "create", "--use"]);
  if (!builder.success) return builder;
  return await runProgram("docker", [
    "buildx",
    "build",
    "--file=packaging/Dockerfile",
    "--platform=linux/amd64,linux/arm64",
    `--build-arg=VERSION=${version}`,
    // a job of its own makes the attestation
    "--provenance=false",
    `--output=type=oci,dest=${channelFolder}/image.tar`,
    "dist/image",
  ]);
}

/** Makes the executable with Deno and with Bun, and packs the smaller one. */
async function packExecutable(system: string): Promise<Outcome> {
  const program = pathOfExecutable(system);
  const name = program.endsWith(".exe") ? "postern.exe" : "postern";
  let smallest: { readonly size: number; readonly maker: string } | undefined;
  const outputs: string[] = [];
  for (const maker of ["deno", "bun"] as const) {
    const { success, output } = await makeExecutable({ maker, system });
    outputs.push(output);
    if (!success) continue;
    const { size } = await Deno.stat(program);
    if (smallest === undefined || size < smallest.size) {
      smallest = { size, maker };
      await Deno.rename(program, `${folder}/${name}`);
    } else await Deno.remove(program);
  }
  if (smallest === undefined) return { success: false, output: outputs.join("") };
  // tar keeps the mode, so that the program can be run
  const archive = `${folder}/postern-${system}.tar.gz`;
  const packed = await runProgram("tar", ["-czf", archive, "-C", folder, name, "-C", Deno.cwd(), "LICENSE"]);
  await Deno.remove(`${folder}/${name}`);
  const megabytes = ((await Deno.stat(archive)).size / 1024 / 1024).toFixed(0);
  return packed.success ? done(`${archive}: ${megabytes} MB, made with ${smallest.maker}`) : packed;
}

async function hash(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}
