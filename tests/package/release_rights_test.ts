/** What each job of a release may do: jobs that run code of packages only read, and jobs that publish run no such code. */

import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { parse } from "yaml";
import { image } from "../../scripts/published.ts";
import { channels } from "../../scripts/release/channels.ts";
import { type Ended, start } from "../tools/cli/command.ts";
import { createFolder } from "../in_folder.ts";
import { test } from "../runner.ts";
import { root, succeed } from "./project.ts";

type Texts = Readonly<Record<string, string>>;

interface JobStep {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Texts;
  readonly "working-directory"?: string;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Texts;
  readonly outputs?: Texts;
  readonly uses?: string;
  readonly steps?: readonly JobStep[];
}

interface Workflow {
  readonly permissions: Texts;
  readonly defaults?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

function readWorkflow(name: string): Workflow {
  return parse(readFileSync(`${root}.github/workflows/${name}`, "utf8")) as Workflow;
}

const release = readWorkflow("release.yml");
const ofTests = readWorkflow("test.yml");
const jobs = Object.entries(release.jobs);

/** The jobs with a right that can change something outside. */
const withRights = jobs.filter(([, { permissions = {} }]) => Object.values(permissions).includes("write"));

const stepsOf = ({ steps = [] }: Job) => steps;
const stepsIn = (job: string) => stepsOf(release.jobs[job] ?? {});
const actionOf = ({ uses = "" }: JobStep) => uses.replace(/@.*/, "");

/** The step of a job with this id. */
function findStep(job: string, wanted: string): JobStep {
  const found = stepsIn(job).find(({ id }) => id === wanted);
  assertExists(found, `The job ${job} needs a step ${wanted}`);
  return found;
}

test("release rights: building may only read, and each channel has only its own right", () => {
  assertEquals(release.permissions, {});
  assertEquals(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions])), {
    test: { contents: "read" },
    "image-files": { contents: "read" },
    build: { contents: "read" },
    attest: { "id-token": "write", attestations: "write" },
    npm: { "id-token": "write" },
    jsr: { "id-token": "write" },
    ghcr: { packages: "write" },
    github: { contents: "write" },
  });
  assertEquals(ofTests.permissions, { contents: "read" });
  assertEquals(Object.values(ofTests.jobs).map(({ permissions }) => permissions), [undefined, undefined]);
});

test("release rights: docs/releasing.md says them", async () => {
  const page = await readFile(`${root}docs/releasing.md`, "utf8");
  const [, table = ""] = /^(\| job [^]*?)\n\n/m.exec(page) ?? [];
  const said = [...table.matchAll(/^\| `([\w-]+)`.*\| (.*?) *\|$/gm)].map((
    [, name, rights],
  ) => [name, rights]);
  const wanted = jobs.map(([name, { permissions = {} }]) => [
    name,
    Object.entries(permissions).map((right) => `\`${right.join(": ")}\``).join(", "),
  ]);
  assertEquals(said, wanted);
});

test("release rights: the token of a job is given to the two channels that need it, and there are no secrets", () => {
  const given = (job: Job) => /\bsecrets\b|github\.token|GITHUB_TOKEN/.test(JSON.stringify(job));
  assertEquals(jobs.filter(([, job]) => given(job)).map(([name]) => name), ["ghcr", "github"]);
  assertEquals(Object.values(ofTests.jobs).filter(given), []);
});

test("release rights: a checkout leaves no token in the folder where packages run", () => {
  const checkouts = [...Object.values(release.jobs), ...Object.values(ofTests.jobs)].flatMap(stepsOf)
    .filter((step) => actionOf(step) === "actions/checkout");
  assertEquals(checkouts.map((step) => step.with?.["persist-credentials"]), [false, false, false, false]);
});

test("release rights: a job that may publish has no checkout, and runs nothing but the program of its channel", () => {
  const actions = withRights.map(([name, job]) =>
    [name, stepsOf(job).filter(({ uses }) => uses !== undefined).map(actionOf)] as const
  );
  assertEquals(Object.fromEntries(actions), {
    attest: [
      "actions/download-artifact",
      "actions/attest-build-provenance",
      "actions/attest-build-provenance",
    ],
    npm: ["actions/download-artifact", "actions/setup-node"],
    jsr: ["actions/download-artifact", "denoland/setup-deno"],
    ghcr: ["actions/download-artifact"],
    github: ["actions/download-artifact"],
  });
  const programs =
    /\b(?:npm|npx|node|deno|bun|pnpm|yarn|gh|git|docker|skopeo|curl|wget|bash|sh|eval|source) +\S+/g;
  const commands = withRights.map(([name, job]) =>
    [name, stepsOf(job).flatMap(({ run = "" }) => run.match(programs) ?? [])] as const
  );
  assertEquals(Object.fromEntries(commands), {
    attest: [],
    npm: ["npm publish"],
    jsr: ["deno publish"],
    ghcr: ["skopeo login", "skopeo copy"],
    github: ["gh release"],
  });
});

test("release rights: npm publishes the archive without its scripts, with provenance, and takes nothing from a cache", () => {
  const steps = stepsIn("npm");
  const flags = "--access=public --ignore-scripts --provenance";
  assertEquals(
    steps.at(-1)!.run,
    `npm publish "./downloads/postern-\${GITHUB_REF_NAME#v}.tgz" ${flags}`,
  );
  const caches = steps.filter((step) => actionOf(step) === "actions/setup-node")
    .map((step) => step.with?.["package-manager-cache"]);
  assertEquals(caches, [false]);
});

test("release rights: every channel waits for the files, their attestations, and a person's approval", () => {
  const published = withRights.filter(([name]) => name !== "attest");
  assertEquals(published.map(([name]) => name), Object.keys(channels));
  for (const [name, { needs, environment }] of published) {
    // npm knows a job by its environment, so no other job with an identity can publish there
    assertEquals([needs, environment], [["build", "attest"], name]);
  }
  const others = jobs.filter(([name]) => !(name in channels));
  assertEquals(others.filter(([, { environment }]) => environment !== undefined), []);
});

test("release rights: no step puts a value of GitHub into its shell text", () => {
  const texts = jobs.flatMap(([, job]) => stepsOf(job)).map(({ run = "" }) => run);
  assertEquals(texts.filter((run) => run.includes("${{")), []);
});

/** Runs the text of a step as GitHub runs it. */
function runStep({ run = "" }: JobStep, cwd: string, env: Texts): Promise<Ended> {
  assertEquals(release.defaults, { run: { shell: "bash" } });
  const command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run] as const;
  return start([], { command, cwd, env }).ended;
}

/** Runs the text of a step, and returns what it writes into the file of its outputs. */
async function outputOf(step: JobStep, folder: string, file: string, env: Texts = {}): Promise<string> {
  await rm(file, { force: true });
  await succeed({ ended: runStep(step, folder, { GITHUB_OUTPUT: file, ...env }) });
  return await readFile(file, "utf8");
}

test("release rights: each job that may publish first compares all files with the sums that the build gave", () => {
  assertEquals(release.jobs["build"]?.outputs, { sums: "${{ steps.sums.outputs.sums }}" });
  const upload = stepsIn("build").at(-1)!;
  assertEquals(actionOf(upload), "actions/upload-artifact");
  const summed = findStep("build", "sums")["working-directory"];
  assertEquals([upload.with?.["name"], upload.with?.["path"]], ["release", summed]);
  for (const [name, job] of withRights) {
    const [download, check] = stepsOf(job);
    assertEquals(download!.with, { name: "release", path: check!["working-directory"] }, name);
    assertEquals(check!.env, { SUMS: "${{ needs.build.outputs.sums }}" }, name);
  }
});

test("release rights: a file that is changed, missing or added after the build stops each channel", async () => {
  const checks = withRights.map(([_name, job]) => stepsOf(job)[1]!);
  assertEquals(new Set(checks.map(({ run }) => run)).size, 1);
  await using path = await createFolder();
  const files = path("release");
  for (const folder of ["downloads", "channels"]) await mkdir(`${files}/${folder}`, { recursive: true });
  const write = () => writeFile(`${files}/downloads/a b.tgz`, "the package");
  await write();
  await writeFile(`${files}/channels/notes.md`, "the notes");
  const output = await outputOf(findStep("build", "sums"), files, path("outputs"));
  const [, sums = ""] = /^sums<<END\n([^]*)\nEND\n$/.exec(output) ?? [];
  const check = async (SUMS = sums) => (await runStep(checks[0]!, files, { SUMS })).code;
  assertEquals(await check(), 0);
  assertEquals(await check(""), 1);
  await writeFile(`${files}/downloads/a b.tgz`, "another package");
  assertEquals(await check(), 1);
  await rm(`${files}/downloads/a b.tgz`);
  assertEquals(await check(), 1);
  await write();
  await writeFile(`${files}/.npmrc`, "registry=https://registry.example");
  assertEquals(await check(), 1);
  await rm(files, { recursive: true });
  await mkdir(files);
  assertEquals([await check(), await check("")], [1, 1]);
});

test("release rights: the build takes only those files of an image whose sums their machines gave", async () => {
  const sum = findStep("image-files", "sum");
  const check = stepsIn("build").find(({ env = {} }) => "SUMS" in env)!;
  const given = ["amd64", "arm64"].map((name) => `\${{ needs.image-files.outputs.${name} }}`);
  assertEquals(check.env, { SUMS: given.join("\n") });
  await using path = await createFolder();
  const sums: string[] = [];
  for (const name of ["amd64", "arm64"]) {
    await writeFile(path(`${name}.tar`), name);
    const output = await outputOf(sum, path("."), path("outputs"), { ARCHITECTURE: name });
    assert(output.startsWith(`${name}=`), output);
    sums.push(output.slice(name.length + 1).trim());
  }
  const SUMS = sums.join("\n");
  assertEquals((await runStep(check, path("."), { SUMS })).code, 0);
  await writeFile(path("arm64.tar"), "another");
  assertEquals((await runStep(check, path("."), { SUMS })).code, 1);
});

test("release rights: a job without code of the build attests each file that people download, and the image", () => {
  const attested = stepsIn("attest")
    .filter((step) => actionOf(step) === "actions/attest-build-provenance").map((step) => step.with);
  assertEquals(attested, [
    { "subject-path": "release/downloads/*" },
    { "subject-name": image, "subject-digest": "${{ steps.image.outputs.digest }}" },
  ]);
});

const { status: statusOfJq } = spawnSync("jq", ["--version"]);

function testWithJq(name: string, work: () => Promise<void>): void {
  if (statusOfJq === 0) test(name, work);
  else test.skip(name, "this machine has no jq");
}

testWithJq("release rights: the attested digest is that of the only image in the archive", async () => {
  const step = findStep("attest", "image");
  await using path = await createFolder();
  await mkdir(path("channels"));
  const pack = async (digests: readonly string[]) => {
    const manifests = digests.map((digest) => ({ digest }));
    await writeFile(path("index.json"), JSON.stringify({ manifests }));
    const args = ["-cf", "channels/image.tar", "index.json"];
    await succeed(start(args, { command: ["tar"], cwd: path(".") }));
  };
  await pack(["sha256:abc"]);
  assertEquals(await outputOf(step, path("."), path("outputs")), "digest=sha256:abc\n");
  for (const digests of [[], ["sha256:abc", "sha256:def"]]) {
    await pack(digests);
    const { code } = await runStep(step, path("."), { GITHUB_OUTPUT: path("outputs") });
    assert(code !== 0, digests.join());
  }
});

test("release rights: the image is pushed as it was built, and its tags are the version and latest", () => {
  const [, , login, push] = stepsIn("ghcr");
  // a password among the arguments is visible to every program of the machine
  assertMatch(login!.run!, /--password-stdin ghcr\.io <<< "\$TOKEN"$/);
  assertMatch(push!.run!, /^for tag in "\$\{GITHUB_REF_NAME#v\}" latest; do$/m);
  assertMatch(
    push!.run!,
    new RegExp(`--all --preserve-digests oci-archive:channels/image\\.tar "docker://${image}:\\$tag"`),
  );
});
