/** The line of a driver that a result without an error points to: where the login begins. */
import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { findLoginLine } from "../../../../src/kit/examine/card/source_lines.ts";
import { test } from "../../../runner.ts";

test("drivers: the line that begins a login is found in each language", () => {
  const begin: Readonly<Record<string, RegExp>> = {
    "authjs.mjs": /authorization: /,
    "command.sh": /authoriz/,
    "go.go": /AuthCodeURL\(/,
    "java.java": /AuthenticationRequest/,
    "oauth4webapi.mjs": /authorization_endpoint/,
    "openid_client.mjs": /buildAuthorizationUrl\(/,
    "passport.mjs": /authorizationURL/,
    "python.py": /create_authorization_url\(/,
  };
  for (const [file, expected] of Object.entries(begin)) {
    const program = readFileSync(`src/tools/cli/forms/drivers/${file}`, "utf8");
    const line = findLoginLine(program);
    assertMatch(program.split("\n")[line! - 1]!, expected, file);
  }
  assertEquals(findLoginLine("// a login\nimport { logIn } from 'a';\nfunction logIn() {}\nlogIn();\n"), 4);
  assertEquals(findLoginLine("fetch('https://as.test');\n"), undefined);
});
