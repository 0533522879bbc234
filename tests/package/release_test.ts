/** A release: its steps and its workflows. What needs a secret is not run. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { readNotes } from "../../scripts/release/notes.ts";
import { channels } from "../../scripts/release/channels.ts";
import { channelFolder, folder } from "../../scripts/release/release.ts";
import { steps } from "../../scripts/release/steps.ts";
import { type Ended, start } from "../cli/command.ts";
import { test } from "../runner.ts";
import { build, root, runtimes } from "./project.ts";

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
}

interface Validator {
  validateWorkflow(text: string): { readonly errors: readonly unknown[] };
  validateAction(text: string): { readonly errors: readonly unknown[] };
}

const validator: Validator = createRequire(import.meta.url)("@action-validator/core");
const workflows = [".github/workflows/test.yml", ".github/workflows/release.yml"];
const action = "packaging/action/action.yml";

function release(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const command = [
    runtimes.deno.path,
    "run",
    ...runtimes.asDeveloper,
    "--allow-all",
    "scripts/release.ts",
  ] as const;
  return start(args, { command, cwd: root, env: { GITHUB_REF: "", ...env } }).ended;
}

test("release: the workflows and the action follow the schema of GitHub", async () => {
  for (const path of workflows) {
    // the schema of this validator is older than the right
    const text = (await readFile(path, "utf8")).replace(/^ +attestations: write\n/m, "");
    assertEquals(validator.validateWorkflow(text).errors, [], path);
  }
  assertEquals(validator.validateAction(await readFile(action, "utf8")).errors, []);
  // The validator finds a mistake.
  const mistaken = (await readFile(action, "utf8")).replace("using: composite", "use: composite");
  assert(validator.validateAction(mistaken).errors.length > 0);
});

test("release: the workflow runs each step once, in their order, and has a job for each channel", async () => {
  const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8")) as Workflow;
  const commands = Object.values(jobs).flatMap((job) => job.steps ?? []).map(({ run = "" }) => run);
  const named = commands.flatMap((run) => [...run.matchAll(/--step (\S+)/g)].map(([, name = ""]) => name));
  assertEquals(named, Object.keys(steps));
  assertEquals(Object.keys(jobs).slice(-4), Object.keys(channels));
});

test("release: the workflows use the Deno of .ci/run, and commands that exist", async () => {
  const [, version = ""] = /deno@([\d.]+)/.exec(await readFile(".ci/run", "utf8")) ?? [];
  const { tasks } = JSON.parse(await readFile("deno.json", "utf8")) as { readonly tasks: object };
  for (const path of workflows) {
    const text = await readFile(path, "utf8");
    const versions = [...text.matchAll(/deno(?:@|-version: )([\d.]+)/g)].map(([, each]) => each);
    assertEquals(new Set(versions), new Set([version]), path);
    const named = [...text.matchAll(/^[^#]*deno\S* task (\S+)/gm)].map(([, name = ""]) => name);
    assertEquals(named.filter((name) => !(name in tasks)), []);
  }
});

test("release: without the tag of the version, nothing is published", async () => {
  const { version } = JSON.parse(await readFile("deno.json", "utf8")) as { readonly version: string };
  const refusal =
    `Only the workflow makes a release, when the tag v${version} is pushed: use --dry-run to rehearse it\n`;
  for (const ref of ["", "refs/heads/main", "refs/tags/v999.0.0"]) {
    const { code, stdout, stderr } = await release(["--step", "image"], { GITHUB_REF: ref });
    assertEquals([code, stdout, stderr], [1, "", refusal]);
  }
  const { code, stderr } = await release(["--dry-run", "--step", "nmp"]);
  assertEquals([code, stderr.startsWith('There is no step "nmp": use actions, notes, package, ')], [1, true]);
});

test("release: no script publishes, not even for the tag", async () => {
  const { version } = JSON.parse(await readFile("deno.json", "utf8")) as { readonly version: string };
  for (const name of Object.keys(channels)) {
    const { code, stdout, stderr } = await release(["--step", name], { GITHUB_REF: `refs/tags/v${version}` });
    const refusal = `Only the job "${name}" of the workflow publishes there: use --dry-run to rehearse it\n`;
    assertEquals([code, stdout, stderr], [1, "", refusal]);
  }
});

test("release: the rehearsal packs the sources, and JSR would take them from the archive", async () => {
  const names = ["sources", "jsr"].flatMap((name) => ["--step", name]);
  const { code, stdout, stderr } = await release(["--dry-run", ...names]);
  assertEquals(code, 0, stdout + stderr);
  assertMatch(stdout, /^ {2}Success Dry run complete$/m);
});

test("release: the rehearsal writes the notes, the bill of materials and its checksum, which people download", async () => {
  await build();
  const names = ["notes", "materials", "checksums"].flatMap((name) => ["--step", name]);
  const { code, stdout, stderr } = await release(["--dry-run", ...names]);
  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^ {2}ok; a release adds: the section must have a date$/m);
  const [, name = ""] =
    /^ {2}dist\/release\/downloads\/(postern-[\d.]+\.cdx\.json): 3 packages$/m.exec(stdout) ?? [];
  const materials = await readFile(`${root}${folder}/${name}`);
  const sums = await readFile(`${root}${folder}/SHA256SUMS`, "utf8");
  const sum = createHash("sha256").update(materials).digest("hex");
  assert(sums.split("\n").includes(`${sum}  ${name}`), sums);
  assertMatch(await readFile(`${root}${channelFolder}/notes.md`, "utf8"), /\S/);
});

test("release: docs/releasing.md has each step in its order", async () => {
  const page = await readFile("docs/releasing.md", "utf8");
  const [, table = ""] = /^(\| step [^]*?)\n\n/m.exec(page) ?? [];
  const wanted = [...Object.keys(steps), ...Object.keys(channels)];
  assertEquals([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name), wanted);
});

const changelog = `# Changelog

## [0.2.0] - not published yet

What is new,
in two lines.

- A [page](docs/in_ci.md), and
  [another](https://example.com/).
- A second entry.

## [0.1.0] - 2026-11-23

- The first.
`;

test("release: the notes are the section of the version, with links that lead to its files", () => {
  assertEquals(readNotes(changelog, { version: "0.1.0", isRehearsal: false }), "- The first.\n");
  assertEquals(
    readNotes(changelog, { version: "0.2.0", isRehearsal: true }),
    "What is new, in two lines.\n\n" +
      "- A [page](https://github.com/postern/postern/blob/v0.2.0/docs/in_ci.md), and [another](https://example.com/).\n" +
      "- A second entry.\n",
  );
});

test("release: a version without a section, or without a date, is not released", () => {
  const read = (version: string, isRehearsal: boolean) => () =>
    readNotes(changelog, { version, isRehearsal });
  assertThrows(read("0.3.0", true), Error, 'needs a section "## [0.3.0] - YYYY-MM-DD"');
  assertThrows(read("0.2.0", false), Error, 'has "## [0.2.0] - not published yet"');
});
