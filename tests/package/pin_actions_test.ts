/** `deno task pin`: the commits of foreign actions in the workflows. Repositories on this machine stand for GitHub. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { pinActions } from "../../scripts/release/pin_actions.ts";
import { steps } from "../../scripts/release/steps.ts";
import { type Ended, start } from "../tools/cli/command.ts";
import { inFolder } from "../in_folder.ts";
import { withEnvironment } from "../tools/cli/in_process.ts";
import { test } from "../runner.ts";
import { root, runtimes, succeed } from "./project.ts";

type Path = (name: string) => string;

const workflow = ".github/workflows/release.yml";
const actions = ["packaging/action/action.yml", "packaging/action/examine/action.yml"];

/** Makes the folder of a project with this workflow, and runs the work in it. */
async function inWorkflow(lines: readonly string[], work: (path: Path) => Promise<void>): Promise<void> {
  const before = process.cwd();
  await inFolder(async (path) => {
    for (const folder of [".github/workflows", "packaging/action/examine"]) {
      await mkdir(path(folder), { recursive: true });
    }
    await writeFile(path(workflow), textOf(lines));
    for (const action of actions) {
      await writeFile(path(action), "runs:\n  using: composite\n  steps:\n    - run: echo\n");
    }
    await writeFile(path("deno.json"), '{ "version": "1.2.3" }');
    process.chdir(path("."));
    try {
      await withEnvironment(gitIn(path), () => work(path));
    } finally {
      process.chdir(before);
    }
  });
}

/** The steps of a job. */
function textOf(lines: readonly string[]): string {
  return ["jobs:", "  build:", "    steps:", ...lines.map((line) => `      ${line}`), ""].join("\n");
}

/** Runs a script in the folder of the project. */
function run(script: string, ...args: readonly string[]): Promise<Ended> {
  const config = ["--quiet", "--config", `${root}dev.json`];
  const command = [runtimes.deno.path, "run", ...config, "--allow-all", `${root}scripts/${script}`] as const;
  return start(args, { command, cwd: process.cwd(), env: { GITHUB_REF: "refs/tags/v1.2.3" } }).ended;
}

/** The step of a release that asks whether all actions are pinned. */
const check = ({ isRehearsal }: { readonly isRehearsal: boolean }) =>
  steps["actions"]!.run({ version: "1.2.3", isRehearsal });

/** The settings of git: no file of this machine, and the folder `remotes` in the place of GitHub. */
function gitIn(path: Path): Readonly<Record<string, string>> {
  return {
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_VALUE_0: "https://github.com/" },
    GIT_CONFIG_KEY_0: `url.${path("remotes/")}.insteadOf`,
    ...{ GIT_AUTHOR_NAME: "alice", GIT_AUTHOR_EMAIL: "alice@example.com" },
    ...{ GIT_COMMITTER_NAME: "alice", GIT_COMMITTER_EMAIL: "alice@example.com" },
  };
}

interface Remote {
  /** Makes a commit, and returns its name. */
  commit(): Promise<string>;
  /** A tag with a message is an object of its own, and the other kind is not. */
  tag(name: string, ...flags: readonly string[]): Promise<void>;
}

async function createRemote(path: Path, repository: string): Promise<Remote> {
  const folder = path(`remotes/${repository}`);
  await mkdir(folder, { recursive: true });
  const git = async (...args: readonly string[]) => {
    const { stdout } = await succeed(start(args, { command: ["git"], cwd: folder }));
    return stdout.trim();
  };
  await git("init", "--quiet");
  return {
    async commit() {
      await git("commit", "--quiet", "--allow-empty", "--message=one");
      return await git("rev-parse", "HEAD");
    },
    tag: async (name, ...flags) => void await git("tag", ...flags, name),
  };
}

test("pin: each tag becomes its commit, with the exact version beside it", async () => {
  const lines = [
    "# uses: actions/checkout@v5",
    "- uses: actions/checkout@v5",
    "  with: { persist-credentials: false }",
    "- uses: ./.github/workflows/test.yml",
    "- name: scan",
    "  uses: owner/tools/scan@v1.0.1 # the old one",
  ];
  await inWorkflow(lines, async (path) => {
    const checkout = await createRemote(path, "actions/checkout");
    await checkout.commit();
    await checkout.tag("v5.0.0");
    const commit = await checkout.commit();
    // this kind of tag has a name of its own, which is not the commit
    await checkout.tag("v5", "--annotate", "--message=five");
    await checkout.tag("v5.0.1", "--annotate", "--message=five");
    const tools = await createRemote(path, "owner/tools");
    const scan = await tools.commit();
    await tools.tag("v1");
    await tools.tag("v1.0.1");

    const { code, stdout, stderr } = await run("release/pin_actions.ts");
    assertEquals([code, stdout, stderr], [0, "2 lines name the commits of 2 repositories\n", ""]);
    const wanted = textOf(
      lines.with(1, `- uses: actions/checkout@${commit} # v5.0.1`)
        .with(5, `  uses: owner/tools/scan@${scan} # v1.0.1`),
    );
    assertEquals(await readFile(path(workflow), "utf8"), wanted);
    // a second run changes nothing, and a release goes on
    assertEquals((await run("release/pin_actions.ts")).code, 0);
    assertEquals(await readFile(path(workflow), "utf8"), wanted);
    assertEquals((await check({ isRehearsal: false })).success, true);
  });
});

test("pin: what has no commit is refused by its name, and nothing is written", async () => {
  const cases: readonly (readonly [line: string, refusal: RegExp])[] = [
    ["- uses: actions/checkout@v99", /^actions\/checkout has no tag v99$/],
    ["- uses: actions/missing@v1", /^Cannot read the tags of actions\/missing: fatal: /],
    ["- uses: actions/checkout@beta", /^actions\/checkout has no version such as v1\.2\.3 at its tag beta: /],
    [
      '- { uses: "actions/checkout@v5.0.0" }',
      /^Write each of these on a line of its own, without quotes:\n\S+\/release\.yml: actions\/checkout@v5\.0\.0$/,
    ],
    [
      `- uses: actions/checkout@${"0".repeat(40)}`,
      /^Write the version of actions\/checkout@0{40} beside it, as a comment$/,
    ],
    [
      `- uses: actions/checkout@${"0".repeat(40)} # v5.0.0`,
      /^actions\/checkout is pinned to 0{40}, but its tag v5\.0\.0 is [0-9a-f]{40}: find out why\. /,
    ],
  ];
  await inWorkflow([], async (path) => {
    const checkout = await createRemote(path, "actions/checkout");
    await checkout.commit();
    await checkout.tag("v5.0.0");
    await checkout.commit();
    await checkout.tag("beta");
    for (const [line, refusal] of cases) {
      const before = textOf(["- uses: actions/checkout@v5.0.0", line]);
      await writeFile(path(workflow), before);
      const { message } = await assertRejects(pinActions, Error);
      assertMatch(message.trim(), refusal);
      assertEquals(await readFile(path(workflow), "utf8"), before);
    }
    const { code, stdout, stderr } = await run("release/pin_actions.ts");
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /^actions\/checkout is pinned to /);
  });
});

test("pin: a release with an action that is not pinned is refused, and a rehearsal names it", async () => {
  const lines = [
    "- uses: actions/checkout@v5.0.0",
    "- { uses: actions/checkout@v5 }",
    `- uses: actions/checkout@${"1".repeat(40)}`,
    `- uses: actions/checkout@${"2".repeat(40)} # v5.0.0`,
    "- uses: ./packaging/action",
  ];
  await inWorkflow(lines, async () => {
    const unpinned = ["v5.0.0", "v5", "1".repeat(40)].map((ref) => `${workflow}: actions/checkout@${ref}`);
    const { code, stdout, stderr } = await run("release.ts", "--step", "actions");
    assertEquals([code, stderr], [1, "not ok: actions\n"]);
    assertEquals(stdout.split("\n").slice(1, -1), [
      "  These actions have no commit, or no version beside it:",
      ...unpinned.map((each) => `  ${each}`),
      "  Run deno task pin, and commit what it writes",
    ]);
    const rehearsal = await check({ isRehearsal: true });
    assertEquals(rehearsal.success, true);
    assertEquals(unpinned.filter((each) => !rehearsal.output.includes(`${each}\n`)), []);
  });
});
