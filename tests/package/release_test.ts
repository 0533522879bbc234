/** A release: its steps and its workflows. What needs a secret is not run. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { parse } from "yaml";
import { run } from "../../scripts/release.ts";
import { readNotes } from "../../scripts/release/notes.ts";
import { channels } from "../../scripts/release/channels.ts";
import { steps } from "../../scripts/release/steps.ts";
import { start } from "../tools/cli/command.ts";
import { test } from "../runner.ts";
import { root, runtimes } from "./project.ts";

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
}

interface Validator {
  validateWorkflow(text: string): { readonly errors: readonly unknown[] };
  validateAction(text: string): { readonly errors: readonly unknown[] };
}

const validator: Validator = createRequire(import.meta.url)("@action-validator/core");
const workflows = [".github/workflows/test.yml", ".github/workflows/release.yml"];
const actions = ["packaging/action/action.yml", "packaging/action/examine/action.yml"];

/** Runs `deno task release` in this process, for a tag. */
async function release(args: readonly string[], ref = ""): Promise<void> {
  const { GITHUB_REF = "" } = process.env;
  process.env["GITHUB_REF"] = ref;
  try {
    await run(args);
  } finally {
    process.env["GITHUB_REF"] = GITHUB_REF;
  }
}

test("release: the workflows and the actions follow the schema of GitHub", async () => {
  for (const path of workflows) {
    // the schema of this validator is older than the right
    const text = (await readFile(path, "utf8")).replace(/^ +attestations: write\n/m, "");
    assertEquals(validator.validateWorkflow(text).errors, [], path);
  }
  for (const action of actions) {
    const text = await readFile(action, "utf8");
    assertEquals(validator.validateAction(text).errors, [], action);
    // The validator finds a mistake.
    assert(validator.validateAction(text.replace("using: composite", "use: composite")).errors.length > 0);
  }
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

const { version } = JSON.parse(await readFile("deno.json", "utf8")) as { readonly version: string };

test("release: without the tag of the version, nothing is published", async () => {
  const refusal =
    `Only the workflow makes a release, when the tag v${version} is pushed: use --dry-run to rehearse it`;
  for (const ref of ["", "refs/heads/main", "refs/tags/v999.0.0"]) {
    await assertRejects(() => release(["--step", "image"], ref), Error, refusal);
  }
});

test("release: as a program, a wrong step is refused with exit code 1", async () => {
  const flags = ["--quiet", ...runtimes.asDeveloper, "--allow-all"];
  const program = [runtimes.deno.path, "run", ...flags, "scripts/release.ts"];
  const command = program as [string, ...string[]];
  const { code, stdout, stderr } = await start(["--dry-run", "--step", "nmp"], { command, cwd: root }).ended;
  assertEquals([code, stdout], [1, ""]);
  assertMatch(stderr, /^There is no step "nmp": use actions, notes, package, /);
});

test("release: no script publishes, not even for the tag", async () => {
  for (const name of Object.keys(channels)) {
    const refusal = `Only the job "${name}" of the workflow publishes there: use --dry-run to rehearse it`;
    await assertRejects(() => release(["--step", name], `refs/tags/v${version}`), Error, refusal);
  }
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
