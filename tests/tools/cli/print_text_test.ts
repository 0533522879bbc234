/** What the command line prints of others is shown, and no terminal or log of a CI system obeys it. */

import { assertEquals } from "@std/assert";
import { disarm, showText } from "../../../src/tools/cli/terminal/print_text.ts";
import { createChance } from "../../chance.ts";
import { test } from "../../runner.ts";
import { applicationForms } from "../../../src/tools/cli/forms/application_forms.ts";
import { withFile } from "./command.ts";
import { run, withServer } from "./in_process.ts";
import { findCommands, findHidden, hostileLines } from "../../security/terminal_text.ts";

const shown: Readonly<Record<string, string>> = {
  "::error::a": "\\u003a:error::a",
  "a\n \u00a0::stop-commands::x": "a\n \u00a0\\u003a:stop-commands::x",
  "##[error]a": "#\\u0023[error]a",
  "a ##vso[task.complete]": "a #\\u0023vso[task.complete]",
  "\x1b[2Ja\tb": "\\u{1B}[2Ja\tb",
};

test("print: a command of a CI system is shown with an escape, and other text stays", () => {
  assertEquals(Object.keys(shown).map(showText), Object.values(shown));
  const usual = [
    "a::b",
    "a ::error::",
    "# title",
    "## title [1]",
    "a[##]",
    "https://[::1]:9000",
    "a\tb\n\nc\n",
  ];
  assertEquals(usual.map(showText), usual);
});

test("print: nothing in the texts of programs is hidden, or obeyed in a log (OWASP ASVS 5.0 §16.4.1)", () => {
  for (const text of [...hostileLines, hostileLines.join("\n"), hostileLines.join("\r\n\t")]) {
    assertEquals([findHidden(showText(text).replaceAll("\t", "")), findCommands(showText(text))], [[], []]);
  }
});

test("print: no order of the parts of commands makes one", () => {
  const chance = createChance("print");
  const parts = [
    "::",
    ":",
    "##",
    "#",
    "[",
    "]",
    "error",
    "vso",
    "stop-commands",
    " ",
    "\t",
    "\n",
    "\r",
    "\x1b[1m",
    "\u00a0",
    "\u0085",
    "\ufeff",
    "\ufe0f",
  ];
  for (let count = 0; count < 20_000; count++) {
    const text = Array.from({ length: chance.below(12) }, () => chance.pick(parts)).join("");
    assertEquals(findCommands(showText(text)), [], JSON.stringify(text));
  }
});

test("print: JSON keeps its meaning without commands", () => {
  for (const text of hostileLines) {
    const json = JSON.stringify({ text, more: [text] }, null, 2);
    assertEquals(JSON.parse(disarm(json)), JSON.parse(json));
    assertEquals(findCommands(disarm(json)), []);
  }
});

const hostile = hostileLines.join(" ");
// The texts of clients are printable ASCII.
const secret = "::add-mask::x ##[error]y";
const configuration = {
  clients: [{
    client_id: "::error::x ##[group]y",
    client_secret: secret,
    redirect_uris: ["http://localhost:3000/cb"],
  }],
  people: [
    { username: `a ${hostile}`, sub: "a", password: hostile, claims: { email: hostile, name: hostile } },
    { username: "::error::b", sub: "b" },
  ],
  scopes: { orders: hostile },
};

for (const form of applicationForms) {
  test(`print: the banner with ${form} shows a configuration, and the form keeps its secret`, async () => {
    await withFile(configuration, async (file) => {
      const flags = ["--config", file];
      const started = await withServer([...flags, "--print", form], async () => {});
      const text = started.stdout + started.stderr;
      assertEquals([findHidden(text.replaceAll("\t", "")), findCommands(text)], [[], []]);
      const { stdout, stderr } = await run("print", form, ...flags);
      assertEquals(findHidden((stdout + stderr).replaceAll("\t", "")), []);
      assertEquals(stdout.includes("#\\u0023"), false);
    });
  });
}
