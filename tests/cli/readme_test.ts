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
  const [, missing = ""] = /^Not there yet: ([^.]*)\./m.exec(text) ?? [];
  assertEquals(
    missing.replaceAll("\n", " "),
    "PAR, DPoP and mTLS, the device flow, token exchange, client registration, `request` objects",
  );
  assertEquals(metadata.grant_types_supported, ["authorization_code", "refresh_token", "client_credentials"]);
  for (const name of ["pushed_authorization_request", "device_authorization", "registration"]) {
    assertEquals(metadata[`${name}_endpoint`], undefined, name);
  }
  for (const name of ["dpop_signing_alg_values_supported", "tls_client_certificate_bound_access_tokens"]) {
    assertEquals(metadata[name], undefined, name);
  }
  assertEquals([metadata.request_parameter_supported, metadata.request_uri_parameter_supported], [
    false,
    false,
  ]);
  await server.close();
});

test("readme: the endpoints it names are those of the metadata, and where it is", async () => {
  const server = createServer();
  const [, named = ""] = /^Endpoints: ([^]*?)\n\n/m.exec(text) ?? [];
  const paths = [...named.matchAll(/`([^`]*)`/g)].map(([, path]) => path!);
  const documents = paths.filter((path) => path.startsWith("/.well-known/"));
  assertEquals(documents.length, 2);
  for (const path of documents) {
    const metadata = await (await server.fetch(new Request(server.issuer + path))).json();
    const urls = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    assertEquals(
      urls.map(([, url]) => String(url).slice(server.issuer.length)).sort(),
      paths.filter((each) => !documents.includes(each)).sort(),
    );
  }
  await server.close();
});

test("readme: the keys of the configuration that it names below the features are there", async () => {
  const schema = await readFile("static/configuration.schema.json", "utf8");
  const [, section = ""] = text.split("\n**Tokens.**");
  const words = section.split("\nNot there yet:")[0]!;
  const named = [...words.matchAll(/`(?:lifetimes\.)?([a-z]+(?:[A-Z]|_)\w+)(?:: "\w+")?`/g)].map(([, key]) =>
    key!
  );
  const keys = new Set(named.filter((each) => !["refresh_token", "offline_access"].includes(each)));
  assertEquals([...keys].filter((key) => !schema.includes(`"${key}": {`)), []);
  assert(keys.size >= 14, [...keys].join(", "));
});
