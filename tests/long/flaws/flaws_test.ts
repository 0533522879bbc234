/** Published flaws of packages on npm: their rows catch a version that has the flaw, and pass one that is mended. */

import { assertEquals } from "@std/assert";
import { gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import type { Outcome } from "../../../src/kit/faults/outcome.ts";
import { areaOf, type MisbehaviourName } from "../../../src/kit/faults/names.ts";
import { flaws } from "../../../scripts/reference/flaws.ts";
import { findRows } from "../../../scripts/reference/real_flaws.ts";
import { inProject, root, runtimes, runToEnd } from "../../package/project.ts";
import { test } from "../../runner.ts";

/** What the programs need beside the libraries. */
const others = ["jwks-rsa@3.2.2", "fastify@4.29.1"];

const compared = flaws.flatMap((flaw) => {
  const { npm, entry = "", versions } = flaw.tried ?? {};
  if (npm === undefined || versions === undefined) return [];
  const rows = findRows(flaw);
  const ofApis = rows.filter((name) => areaOf(name) === "access_token");
  return [{
    id: flaw.ids[0]!,
    rows: ofApis.length > 0 ? ofApis : rows,
    fetched: versions.map((version) => `${npm}-${version}@npm:${npm}@${version}`),
    packages: versions.map((version) => `${npm}-${version}${entry}`),
  }];
});

type Outcomes = Readonly<Record<string, readonly Readonly<Record<MisbehaviourName, Outcome>>[]>>;

test("flaws: the rows catch the flawed version of each package, and the mended one passes them", async () => {
  const fetched = [...new Set(compared.flatMap((each) => each.fetched)), ...others];
  const files = { "flaws.json": JSON.stringify(compared) };
  await inProject({ sources: `${root}tests/long/flaws/project`, files, fetched }, async ({ folder }) => {
    const { path: node } = await runtimes.obtainRuntime(runtimes.oldestNode);
    const { stdout } = await runToEnd(["examine.js"], { command: [node], cwd: folder });
    const outcomes = JSON.parse(stdout) as Outcomes;
    for (const { id, rows } of compared) {
      const [flawed, mended] = outcomes[id]!;
      for (const name of rows) {
        const { level } = catalogue.get(name)!;
        const isFooled = flawed?.[name] === "fooled";
        const passes = mended !== undefined &&
          !["failed", "advice"].includes(gradeOf({ outcome: mended[name], level }));
        assertEquals([id, name, isFooled, passes], [id, name, true, true]);
      }
    }
  });
});
