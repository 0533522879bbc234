/** The printed settings of libraries: each is printed, in the syntax of its language, and an unknown name is helped on. */

import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { gatherSlots } from "../../../../src/server/slots.ts";
import { libraries, writeLine } from "../../../../src/server/libraries/mod.ts";
import { defaultFeatures } from "../../../../src/server/features/mod.ts";
import type { Configuration } from "../../../../src/server/setup/configuration.ts";
import { readSettings } from "../../../../src/server/setup/read_settings.ts";
import {
  describeLibrary,
  describeSimilar,
  libraryNames,
} from "../../../../src/tools/cli/forms/library_form.ts";
import { logIn } from "../../../kit/mock/journal/log_in_as_library.ts";
import { recorded, type Recording, sendsPkce } from "../../../server/libraries/recordings.ts";
import { run } from "../in_process.ts";
import { test } from "../../../runner.ts";

function describe(name: string, configuration: Configuration = {}): string {
  const settings = readSettings(configuration, gatherSlots(defaultFeatures(configuration)));
  return describeLibrary(name, settings, configuration)!.join("\n");
}

test("libraries: the settings of each have its line for PKCE, an address of the server, and no mark", () => {
  for (const { name, title, version, words, into = {}, alternative, pkce } of libraries) {
    const text = describe(name);
    const [first = ""] = text.split("\n");
    assertEquals(first.replace(/^(#|\/\/) /, ""), `${title} ${version}`);
    assert(words.pkce === undefined || text.includes(`For PKCE: ${writeLine(words.pkce, into.pkce)}`), name);
    const same = alternative && `The same in ${alternative.file}: ${alternative.line}`;
    assertEquals(/(?<=^(?:#|\/\/) )The same in .*/m.exec(text)?.[0], same, name);
    if (pkce === "if told") assert(/s256|pkce|challenge|response_?type/i.test(text), name);
    assertEquals(text.match(/__[A-Z_]+__/g), null, name);
    // The address of a driver of Socialite stands in the class of the driver.
    assertEquals(text.includes("localhost:9000"), name !== "socialite", name);
  }
});

/** Without comments and line breaks, and with one spelling of quotes, spaces and trailing commas. */
function flatten(text: string): string {
  return text.replaceAll(/^[#/ ]*For .*$/gm, "").replaceAll("'", '"').replaceAll(/\s+/g, "");
}

/** Returns what stands between the brackets that are open at the end of `before`. Without such, the rest of the text. */
function readInside(text: string, before: string, isCall: boolean): string {
  const start = text.indexOf(before) + before.length;
  // A further call of a builder stands behind its brackets.
  if (!/[({[]$/.test(before) || isCall) return text.slice(start);
  let depth = 1, end = start;
  while (depth > 0 && end < text.length) {
    const letter = text[end++]!;
    depth += "({[".includes(letter) ? 1 : ")}]".includes(letter) ? -1 : 0;
  }
  return text.slice(start, end - 1);
}

test("libraries: a line that is added to something is only what comes to it, and the settings have it there", () => {
  const added = libraries.filter(({ into }) => into?.pkce !== undefined && into.pkce !== springEntry);
  assert(added.length >= 25, `${added.length}`);
  for (const { name, words: { pkce = "" }, into } of added) {
    const [before = ""] = flatten(into!.pkce!).split("…");
    const text = flatten(describe(name));
    assert(text.includes(before), `${name} prints ${before}`);
    const [key = ""] = /^[.>-]*[\w".]+/.exec(flatten(pkce))!;
    assert(
      readInside(text, before, /^[.-]/.test(key)).includes(key),
      `${name}: ${key} is not in ${into!.pkce}`,
    );
  }
  // YAML has a line for each member of the name.
  const lines = describe("spring").split("\n");
  const method = lines.findIndex((line) => /^ +client-authentication-method: none$/.test(line));
  const path = springEntry.split(".").slice(0, -1).map((each) =>
    lines.findIndex((line) => line.trim() === `${each}:`)
  );
  assertEquals([...path, method], [...path, method].toSorted((left, right) => left - right));
  assert(path[0]! >= 0);
});
const springEntry = "spring.security.oauth2.client.registration.ID";

test("libraries: a line that names what applications usually have already is added to that", () => {
  for (const { name, words, into = {} } of libraries) {
    for (const [of, line] of Object.entries(words)) {
      const [key] = (into[of as keyof typeof into] ?? "").split("…");
      assert(!key || !flatten(line).includes(flatten(key)), `${name}: ${line} names ${key} again`);
    }
  }
  const whole = libraries.flatMap(({ name, words, into = {} }) =>
    Object.entries(words)
      .filter(([of, line]) => /[({[].*\w/.test(line) && into[of as keyof typeof into] === undefined)
      .map(([of]) => `${name} ${of}`)
  );
  // Each is a statement of its own, replaces what sets the same, or is a setting that applications do not have yet.
  assertEquals(whole.sort(), wholeLines);
});
const wholeLines: readonly string[] = [
  "arctic pkce",
  "argo-cd scope",
  "auth0-spa-js claims",
  "authjs nonce",
  "authjs pkce",
  "flask-dance https",
  "flask-oidc pkce",
  "hono-oidc-auth claims",
  "mcp-remote authentication",
  "next-auth nonce",
  "next-auth pkce",
  "nimbus authentication",
  "openid-client authentication",
  "openid-client https",
  "openid-connect-php pkce",
  "pac4j nonce",
  "pac4j pkce",
  "requests-oauthlib https",
  "streamlit claims",
  "vertx pkce",
];

test("libraries: the entry for the server that a library without PKCE needs lets it log in", async () => {
  const tried: string[] = [];
  for (const { name, pkce } of libraries) {
    const text = describe(name).replaceAll(/^(#|\/\/) ?/gm, "");
    const [, entry] = /(\{ "clients": [^]*?\] \})\n/.exec(text) ?? [];
    assert(entry === undefined || pkce === "never", name);
    if (entry === undefined) continue;
    tried.push(name);
    const options = JSON.parse(entry);
    const [client] = options.clients;
    const recording = recorded(name).findLast((each) => !sendsPkce(each)) ?? lookAlikes[name]!;
    // A developer writes the name and the redirect URI of the application.
    const sent = new URLSearchParams(recording.authorization[0]!.slice(1));
    const own = { client_id: sent.get("client_id")!, redirect_uris: [sent.get("redirect_uri")!] };
    const [response] = await logIn(recording, { ...options, clients: [{ ...client, ...own }] });
    assertEquals(response.status, 200, name);
  }
  assertEquals(tried, [
    ...["okta-oidc-middleware", "flask-pyoidc", "goth", "gologin", "jetty-openid", "mojolicious-oauth2"],
  ]);
});

/** What sends its requests for a library that was not recorded itself. */
const lookAlikes: Readonly<Record<string, Recording>> = {
  "okta-oidc-middleware": recorded("openid-client-5")[0]!,
  gologin: recorded("x-oauth2").find(({ variant }) => variant === "plain")!,
  "jetty-openid": recorded("ruby-oauth2")[0]!,
};

test("libraries: print knows each, also by its title, and the page of the reference has each line", async () => {
  const page = await readFile("docs/reference/libraries.md", "utf8");
  for (const { name, title, version, words, into = {} } of libraries) {
    for (const [of, line] of Object.entries(words)) {
      const to = into[of as keyof typeof into];
      const row = to === undefined ? `\`${line}\`` : `add \`${line}\` to \`${to}\``;
      assert(page.includes(row.replaceAll("|", "\\|")), row);
    }
    assert(page.includes(`${title} ${version}`), name);
  }
  for (const name of libraryNames) {
    const { code, stdout } = await run("print", name);
    assertEquals([code, /^(#|\/\/) \w/.test(stdout.replace("@", ""))], [0, true], name);
  }
  for (
    const name of ["Flask-Dance", "flask_dance", "QUARKUS", "@hono/oidc-auth", "omniauth_openid_connect"]
  ) {
    assertEquals((await run("print", name)).code, 0, name);
  }
});

test("libraries: print names the kit of the language first", async () => {
  const firstLines = async (...names: readonly string[]) =>
    await Promise.all(names.map(async (name) => (await run("print", name)).stdout.split("\n")[0]));
  assertEquals(
    await firstLines("python", "fastmcp", "Flask-Dance", "go", "goth", "spring", "quarkus", "pac4j"),
    [
      ...Array(3).fill("# For tests with pytest, a kit starts the server: docs/python.md"),
      ...Array(2).fill("// For tests with package testing, a kit starts the server: docs/go.md"),
      ...Array(2).fill("# For tests with JUnit, a kit starts the server: docs/java.md"),
      "// For tests with JUnit, a kit starts the server: docs/java.md",
    ],
  );
  for (const name of ["env", "openid-client", "rust", "omniauth-openid-connect", "grafana"]) {
    assertEquals((await run("print", name)).stdout.includes("a kit"), false, name);
  }
});

test("libraries: for an unknown name, print names three that are near, and not all", async () => {
  const { code, stderr } = await run("print", "flask");
  assertEquals([code, stderr.trim()], [
    2,
    'postern: nothing is printed for "flask": did you mean flask-dance, flask-oidc, flask-pyoidc? print --help has all',
  ]);
  assert(describeSimilar("openid").includes("did you mean openid-client, openid-client-5, "));
  assertEquals(describeSimilar("x").includes("x-oauth2"), false);
  assert(describeSimilar("oauth2proxi").includes("oauth2-proxy"));
  const { stdout } = await run("print", "--help");
  for (const name of libraryNames) assert(stdout.includes(name), name);
});

test("libraries: help of a missing challenge has the line of each library", async () => {
  const { stdout } = await run("help", "challenge_missing");
  const told = stdout.replace(/\s+/g, " ");
  for (const { title, version, words: { pkce }, into } of libraries) {
    if (pkce === undefined) continue;
    assert(told.includes(`${title} ${version} ${writeLine(pkce, into?.pkce)}`), title);
  }
});

test("libraries: a client id with quotes stays one text in each language, and is left out where nothing is quoted", () => {
  const id = `a'b"c\\d#{e}$f`;
  const configuration: Configuration = {
    issuer: "http://localhost:9000",
    clients: [{ client_id: id, redirect_uris: ["http://localhost:3000/cb"] }],
  };
  for (
    const [name, written] of [
      ["flask-dance", `client_id=${JSON.stringify(id)},`],
      ["cap", `oidc.NewConfig("http://localhost:9000", ${JSON.stringify(id)},`],
      ["omniauth-oauth2", `provider Postern, 'a\\'b"c\\\\d#{e}$f',`],
      ["league-oauth2-client", `'clientId' => 'a\\'b"c\\\\d#{e}$f',`],
    ] as const
  ) {
    assert(describe(name, configuration).includes(written), `${name}: ${describe(name, configuration)}`);
  }
  for (const name of ["grafana", "quarkus", "pgadmin", "oauth2-proxy", "hono-oidc-auth"]) {
    const text = describe(name, configuration);
    assertEquals([text.includes(id), text.includes("cannot be in such a file")], [false, true], name);
  }
});
