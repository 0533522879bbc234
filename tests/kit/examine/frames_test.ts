/** The frames of stack traces in the output of programs. */
import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { findFrames, findLoginLine } from "../../../src/kit/examine/card/source_lines.ts";
import { test } from "../../runner.ts";

test("frames: each form of a path is found, and no URL", () => {
  const forms: Readonly<Record<string, string | undefined>> = {
    "    at logIn (src/a.test.ts:8:3)": "src/a.test.ts",
    "    at file:///srv/a.mjs:8:3": "/srv/a.mjs",
    "logIn@file:///srv/a.js:8:3": "/srv/a.js",
    "    at C:\\app\\a.js:8:3": "app/a.js",
    "    at node_modules/.pnpm/jose@6.2.17/node_modules/@scope/a.js:8:3":
      "node_modules/.pnpm/jose@6.2.17/node_modules/@scope/a.js",
    '  File "/srv/a.py", line 8': "/srv/a.py",
    "at https://app.test/a.js:8:3": undefined,
    "a.txt:8": undefined,
  };
  for (const [line, file] of Object.entries(forms)) {
    assertEquals(findFrames(line), file === undefined ? [] : [{ file, line: 8 }], line);
  }
});

test("frames: the line of a driver that begins a login is found in each language", () => {
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
