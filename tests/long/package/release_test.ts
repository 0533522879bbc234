/** A rehearsal of a release: the steps that make files which people download, and the sources for JSR. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { run } from "../../../scripts/release.ts";
import { channelFolder, folder } from "../../../scripts/release/release.ts";
import { packSources } from "../../../scripts/release/sources.ts";
import { build, root } from "../../package/project.ts";
import { test } from "../../runner.ts";

/** Runs `deno task release --dry-run` in this process. */
async function rehearse(...steps: readonly string[]): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line) => void lines.push(line);
  try {
    const args = ["--dry-run", ...steps.flatMap((name) => ["--step", name])];
    assert(await run(args), lines.join("\n"));
  } finally {
    console.log = log;
  }
  return lines.join("\n");
}

test("release: JSR would take the sources from the archive", async () => {
  await mkdir(channelFolder, { recursive: true });
  // without the check of the publication, which is part of the gate
  assertEquals((await packSources()).success, true);
  assertMatch(await rehearse("jsr"), /^ {2}Success Dry run complete$/m);
});

test("release: the rehearsal writes the notes, the bill of materials and its checksum, which people download", async () => {
  await build();
  const stdout = await rehearse("notes", "materials", "checksums");
  assertMatch(stdout, /^ {2}ok; a release adds: the section must have a date$/m);
  const [, name = ""] =
    /^ {2}dist\/release\/downloads\/(postern-[\d.]+\.cdx\.json): 4 packages$/m.exec(stdout) ?? [];
  const materials = await readFile(`${root}${folder}/${name}`);
  const sums = await readFile(`${root}${folder}/SHA256SUMS`, "utf8");
  const sum = createHash("sha256").update(materials).digest("hex");
  assert(sums.split("\n").includes(`${sum}  ${name}`), sums);
  assertMatch(await readFile(`${root}${channelFolder}/notes.md`, "utf8"), /\S/);
});
