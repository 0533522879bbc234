/** Compares what the documentation says with the code. */

import { assert, assertEquals } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { published, writeAsPublished, writeAsShown } from "../../scripts/published.ts";
import { listTestKeys } from "../../src/kit/mock/server/test_keys.ts";
import { readPage } from "./blocks.ts";
import { test } from "../runner.ts";
import { createFolder } from "../in_folder.ts";

const readText = (name: string): Promise<string> => readFile(name, "utf8");

const readme: string = await readText("README.md");

test("readme: a reader sees fewer than 200 lines, before the first release and after it", () => {
  for (const text of [writeAsShown(readme), writeAsPublished(readme)]) {
    assert(text.trimEnd().split("\n").length < 200);
  }
});

test("readme: a reader sees at most 800 words, before the first release and after it", () => {
  for (const text of [writeAsShown(readme), writeAsPublished(readme)]) {
    const seen = text.replace(/!\[[^\]]*\]\([^)]*\)/g, "").replace(/\]\([^)]*\)/g, "]");
    const words = seen.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    assert(words.length <= 800, `${words.length} words: remove what a page of docs/ says as well`);
  }
});

test("readme: the first page of docs/ has at most twelve answers", async () => {
  const answers = (await readText("docs/README.md")).match(/^\| .*\]\(/gm) ?? [];
  assert(answers.length > 5 && answers.length <= 12, `${answers.length} answers: replace one`);
});

test("readme: the first screen has the commands and the ways from other servers, before the first release and after it", () => {
  const inCheckout = ["deno task start", "deno task test", "npx -y deno task start"];
  const others = ["oauth2_mock_server", "navikt", "oidc_provider", "keycloak"];
  for (const text of [readme, writeAsPublished(readme)]) {
    const way = published || text !== readme ? "npx postern start" : "npx -y deno task test";
    const firstScreen = text.split("\n").slice(0, 20).join("\n");
    for (const name of others) assert(firstScreen.includes(`(docs/moving/${name}.md)`), name);
    for (const command of [...inCheckout, way]) assert(firstScreen.includes(`\`${command}\``), command);
  }
});

const protocolNames: ReadonlySet<string> = new Set([
  "unmet_authentication_requirements",
  "refresh_token",
  "offline_access",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "max_age",
  "private_key_jwt",
  "client_secret_jwt",
  "refresh_token_timeout",
  "authorization_expires_in",
  "authorization_details",
]);

test("readme: the configuration keys named below the features exist", async () => {
  const schema = await readFile("static/configuration.schema.json", "utf8");
  const [text = ""] = (await readText("docs/how_it_behaves.md")).split("\n## Limits\n");
  const named = [...text.matchAll(/`(?:lifetimes\.)?([a-z]+(?:[A-Z]|_)\w+)(?:: "\w+")?`/g)].map(([, key]) =>
    key!
  );
  const keys = new Set(named.filter((each) => !protocolNames.has(each)));
  assertEquals([...keys].filter((key) => !schema.includes(`"${key}": {`)), []);
  assert(keys.size >= 14, [...keys].join(", "));
});

/** Asks for three answers of an application and of its server, whose issuer has a path. */
const conclusion = `
const metadata = await ask("/.well-known/oauth-authorization-server/tenant");
const start = await ask("/tenant/start?client_id=demo", { redirect: "manual" });
const token = await ask("/tenant/oauth2/token", {
  method: "POST",
  headers: { authorization: "Basic " + btoa("demo-confidential:demo-secret") },
  body: new URLSearchParams({ grant_type: "client_credentials" }),
});
export const answers = [
  metadata.status, start.status, start.headers.getSetCookie().length, (await token.json()).token_type,
];
`;

interface Application {
  readonly file: string;
  /** Replaces the lines from this one on. */
  readonly from: string;
  readonly ask: string;
  readonly end?: string;
}

const applications: readonly Application[] = [
  {
    file: "hono.ts",
    from: "const metadata",
    ask: 'const ask = async (path, init) => await app.request("http://localhost" + path, init);',
  },
  {
    file: "express.js",
    from: "app.listen(",
    ask: `const listener = app.listen(0, "127.0.0.1");
await new Promise((resolve) => listener.once("listening", resolve));
const ask = (path, init) => fetch("http://127.0.0.1:" + listener.address().port + path, init);`,
    end: "await metadata.text(); await start.text(); listener.close(); listener.closeAllConnections();",
  },
];

for (const { file, from, ask, end = "" } of applications) {
  test(`documentation: ${file} answers at the path of an issuer, with all headers`, async () => {
    const { text } = readPage("docs/in_your_own_program.md").find(({ name }) => name === file)!;
    const program = text.slice(0, text.indexOf(from))
      .replace('"postern"', JSON.stringify(new URL("../../src/mod.ts", import.meta.url).href))
      .replace(
        'issuer: "http://localhost:3000"',
        `issuer: "http://localhost/tenant", signingKeys: ${JSON.stringify(listTestKeys())}`,
      );
    await using path = await createFolder();
    await writeFile(path("program.mjs"), [program, ask, conclusion, end].join("\n"));
    const { answers } = await import(`${pathToFileURL(path("program.mjs"))}`);
    assertEquals(answers, [200, 303, 1, "Bearer"]);
  });
}
