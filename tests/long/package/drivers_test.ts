/** The drivers that `postern examine --init` writes: each runs at once, and its card has the faults of its library only. */

import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { readCard } from "../../../src/kit/mod.ts";
import { gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { test } from "../../runner.ts";
import { start } from "../../tools/cli/command.ts";
import { inProject, runtimes, succeed } from "../../package/project.ts";

// Those in which one of the libraries fails, and one that all pass.
const areas = "metadata,authorization_response,token_response,login";
const issuer = "metadata.issuer_slash";
const ofResponse = ["authorization_response.iss_slash", "authorization_response.iss_wrong"];

/** What fails at the level `must`, as on the cards in docs/cards. */
const drivers: Readonly<Record<string, readonly [packages: readonly string[], failed: readonly string[]]>> = {
  "openid-client": [["openid-client"], [issuer]],
  oauth4webapi: [["oauth4webapi"], [issuer]],
  passport: [["passport-oauth2"], [...ofResponse, "token_response.token_type_unknown"]],
  authjs: [["@auth/core"], [issuer]],
  command: [[], []],
};
const hasCurl = ["curl", "openssl"].every((each) => spawnSync(each, ["version"]).error === undefined);

for (const [name, [packages, failed]] of Object.entries(drivers)) {
  const title = `examine: the driver for ${name} runs as --init wrote it`;
  if (name === "command" && !hasCurl) test.skip(title, "there is no curl or openssl");
  else {
    test(title, () =>
      inProject({ packages }, async ({ folder, path }) => {
        const { path: node } = await runtimes.obtainRuntime(runtimes.oldestNode);
        const program = { command: [node, "node_modules/postern/cli.js"], cwd: folder } as const;
        const { stdout } = await succeed(start(["examine", "--init", name], program));
        const [, words = ""] = / -- (.*)\n$/.exec(stdout) ?? [];
        const command = words.replace(/^node /, `${node} `).split(" ");
        const flags = ["--level", "must", "--only", areas, "--jobs", "2", "--card", "card.json"];
        const { stderr } = await start(["examine", ...flags, "--", ...command], program).ended;
        assertMatch(stderr, /passed\. The client logs in\..* It calls the API\./);
        const { problem, rows } = readCard(await readFile(path("card.json"), "utf8"));
        assertEquals(problem, undefined);
        assertEquals(rows.filter((row) => gradeOf(row) === "failed").map((row) => row.name), failed);
      }));
  }
}
