/** The README says what is: its tables and its configuration are compared with the code. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { start } from "../../src/cli/start.ts";
import { defaultFeatures } from "../../src/features/mod.ts";
import { type Configuration, createServer } from "../../src/mod.ts";
import { test } from "../runner.ts";

const text: string = await readFile("README.md", "utf8");

/** The cells of the table below a heading, without its head. */
function table(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const rows = section.split("\n## ")[0]!.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

test("readme: the first screen has the two commands, for Deno and for nothing but Node", () => {
  const firstScreen = text.split("\n").slice(0, 16).join("\n");
  for (
    const command of ["deno task start", "deno task test", "npx -y deno task start", "npx -y deno task test"]
  ) {
    assert(firstScreen.includes(`\`${command}\``), command);
  }
});

test("readme: the table of flags is that of postern start", () => {
  const flags = Object.entries(start.flags).map(([name, { value }]) =>
    value === undefined ? `\`--${name}\`` : `\`--${name} ${value}\``
  );
  assertEquals(table("Flags").map(([flag]) => flag), flags);
});

test("readme: the table of features is the list of features, with their specifications", () => {
  const features = defaultFeatures({ firstUse: true }).map(({ name, spec }) => [
    `\`${name}\``,
    spec === "Postern" ? "Postern's own" : spec,
  ]);
  assertEquals(table("What it speaks").map(([name, , spec]) => [name, spec]), features);
});

test("readme: the configuration is one that a server takes", async () => {
  const [, json = ""] = /^```json\n([^]*?)^```$/m.exec(text) ?? [];
  const { $schema, ...configuration } = JSON.parse(json) as Configuration & { readonly $schema: string };
  assertMatch(await readFile($schema, "utf8"), /"title": "Postern configuration"/);
  await createServer(configuration).close();
});

test("readme: what it says to be missing is missing", async () => {
  const server = createServer();
  const url = `${server.issuer}/.well-known/oauth-authorization-server`;
  const metadata = await (await server.fetch(new Request(url))).json();
  assertMatch(text, /Not there yet: refresh tokens, ID tokens/);
  assertEquals(metadata.grant_types_supported, ["authorization_code"]);
  for (const name of ["userinfo", "introspection", "revocation", "registration"]) {
    assertEquals(metadata[`${name}_endpoint`], undefined, name);
  }
  await server.close();
});
