/** The steps of a release, in their order: all files are made, in dist/release, before anything is published. */
import { makeExecutable, pathOfExecutable, systems } from "../compile.ts";
import { folder as packageFolder } from "../package/entries.ts";
import { image } from "../published.ts";
import { type Outcome, runDeno, runProgram } from "../run_program.ts";
import { asDeveloper } from "../runtimes.ts";
import { checkNpmPackage, checkPublication } from "../shipped.ts";
import { listMaterials } from "./bill_of_materials.ts";
import { readNotes } from "./notes.ts";
import { folder, packageOf, type Release, tagOf } from "./release.ts";

export interface Step {
  /** What the step does, for people. */
  readonly does: string;
  /** What a rehearsal leaves out. */
  readonly adds: string;
  /** The output is for people who ask why it failed. */
  readonly run: (release: Release) => Promise<Outcome>;
}

export const steps: Readonly<Record<string, Step>> = {
  notes: {
    does: "takes the notes from the section of the version in CHANGELOG.md",
    adds: "the section must have a date",
    async run(release) {
      const notes = readNotes(await Deno.readTextFile("CHANGELOG.md"), release);
      await Deno.writeTextFile(`${folder}/notes.md`, notes);
      return done(`${folder}/notes.md: ${notes.split("\n").length} lines`);
    },
  },

  package: {
    does: "builds, checks and packs the npm package",
    adds: "nothing",
    async run(release) {
      const checked = await checkNpmPackage();
      if (checked.success) {
        await Deno.copyFile(packageOf(release), `${folder}/postern-${release.version}.tgz`);
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

  checksums: {
    does: "writes the SHA-256 of each file",
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

  npm: {
    does: "publishes the package at npm",
    adds: "provenance, by the identity of the workflow",
    run(release) {
      const how = release.isRehearsal ? "--dry-run" : "--provenance";
      return runProgram("npm", ["publish", `./${packageOf(release)}`, "--access=public", how]);
    },
  },

  jsr: {
    does: "publishes the modules at JSR",
    adds: "deno publish, by the identity of the workflow",
    run: ({ isRehearsal }) => isRehearsal ? checkPublication() : runDeno("publish"),
  },

  image: {
    does:
      "publishes the image for two architectures, from the files that `deno task image` made on a machine of each",
    adds: "the files of the other architecture, and the push to the registry of GitHub",
    run(release) {
      if (release.isRehearsal) return runDeno("run", ...asDeveloper, "--allow-all", "scripts/image.ts");
      const tags = [release.version, "latest"].flatMap((tag) => ["--tag", `${image}:${tag}`]);
      const how = [
        "--platform=linux/amd64,linux/arm64",
        `--build-arg=VERSION=${release.version}`,
        "--push",
        ...tags,
      ];
      return runProgram("docker", ["buildx", "build", "--file=packaging/Dockerfile", ...how, "dist/image"]);
    },
  },

  github: {
    does: "puts the files and the notes on the page of the release",
    adds: "gh release create, with the token of the workflow",
    run(release) {
      const files = listDownloads().map((name) => `${folder}/${name}`);
      if (release.isRehearsal) return Promise.resolve(done(`It would have: ${files.join(", ")}`));
      const notes = ["--notes-file", `${folder}/notes.md`, "--title", release.version];
      return runProgram("gh", ["release", "create", tagOf(release), "--verify-tag", ...notes, ...files]);
    },
  },
};

function done(output: string): Outcome {
  return { success: true, output };
}

/** The files of the release, without the notes, which its page has. */
function listDownloads(): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name !== "notes.md").sort();
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
  const packed = await runProgram("tar", ["-czf", archive, "-C", folder, name, "-C", "../..", "LICENSE"]);
  await Deno.remove(`${folder}/${name}`);
  const megabytes = ((await Deno.stat(archive)).size / 1024 / 1024).toFixed(0);
  return packed.success ? done(`${archive}: ${megabytes} MB, made with ${smallest.maker}`) : packed;
}

async function hash(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}
