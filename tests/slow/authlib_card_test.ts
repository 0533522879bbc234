/** The test with Authlib and pytest in docs/examine_a_client.md gets a card, as written. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { readCard } from "../../src/kit/mod.ts";
import { createProgram, start } from "../tools/cli/command.ts";
import { inFolder } from "../in_folder.ts";
import { readPage } from "../documentation/blocks.ts";
import { test } from "../runner.ts";

const title = "slow: postern examine gets a card of a client with Authlib and pytest, as its page says";
const page = "docs/examine_a_client.md";
// Debian's packages are for Debian's Python, which need not be the first one in the PATH.
const python = ["/usr/bin/python3", "python3"].find((path) =>
  spawnSync(path, ["-c", "import authlib, pytest, requests"]).status === 0
);

if (python === undefined) {
  test.skip(title, "it needs the Debian packages python3-authlib, python3-pytest and python3-requests");
} else {
  test(title, () =>
    inFolder(async (path) => {
      const name = "test_login_with_authlib.py";
      const { text } = readPage(page).find((block) => block.name === name)!;
      await writeFile(path(name), text);
      const args = ["examine", "--level", "must", "--jobs", "2", "--card", "card.json"];
      const { code, stdout, stderr } = await start(
        [...args, "--", python, "-m", "pytest", "-q"],
        { ...createProgram(args), cwd: path("") },
      ).ended;
      assertMatch(stdout, /The client logs in\./, stderr);
      const { rows } = readCard(await readFile(path("card.json"), "utf8"));
      const outcomeOf = (name: string) => rows.find((row) => row.name === name)?.outcome;
      assert(rows.every(({ level }) => level === "must"));
      assertEquals(outcomeOf("authorization_response.state_changed"), "noticed");
      assertEquals(outcomeOf("id_token.nonce_wrong"), "noticed");
      // The test of the page does not look at `iss` (RFC 9207).
      assertEquals(outcomeOf("authorization_response.iss_wrong"), "fooled");
      assertEquals(code, 1);
    }));
}
