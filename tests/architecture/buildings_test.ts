/** The server works without the kit and the tools, and the kit without the tools. `deno task test:alone` runs their tests so. */
import { assertEquals } from "@std/assert";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { copyFiles } from "../../scripts/test/copy_files.ts";
import { above, listSources, type Lower } from "../../scripts/test/kept_files.ts";
import { findDependents } from "../../scripts/test/changed.ts";
import { inFolder } from "../in_folder.ts";
import { test } from "../runner.ts";
import { challenge, verifier } from "../world.ts";
import { readSources } from "./sources.ts";

const run = promisify(execFile);

const entries: Readonly<Record<Lower, readonly string[]>> = {
  server: ["src/mod.ts", "src/server/store/contract.ts"],
  kit: ["src/kit/mod.ts", "src/kit/runners/vitest.ts", "src/kit/runners/playwright.ts"],
};

const authorizeQuery = new URLSearchParams({
  ...{ response_type: "code", client_id: "app", redirect_uri: "http://127.0.0.1/cb", scope: "openid" },
  ...{ code_challenge: challenge, code_challenge_method: "S256" },
});
const tokenForm = new URLSearchParams({
  ...{ grant_type: "authorization_code", client_id: "app", redirect_uri: "http://127.0.0.1/cb" },
  code_verifier: verifier,
});

/** Programs that print the `sub` of an ID token after one login. */
const logins: Readonly<Record<Lower, string>> = {
  server: `import { createServer } from "./src/mod.ts";
const server = createServer({
  issuer: "http://localhost:9000",
  alg: "ES256",
  login: "auto",
  clients: [{ client_id: "app", redirect_uris: ["http://127.0.0.1/cb"] }],
  people: [{ username: "alice" }],
});
const at = (path) => "http://localhost:9000/oauth2/" + path;
const { headers } = await server.fetch(new Request(at("authorize?${authorizeQuery}")));
const code = new URL(headers.get("location")).searchParams.get("code");
const body = new URLSearchParams("${tokenForm}&code=" + code);
const tokens = await (await server.fetch(new Request(at("token"), { method: "POST", body }))).json();
console.log(JSON.parse(atob(tokens.id_token.split(".")[1])).sub);
await server.close();
`,
  kit: `import { createMock } from "./src/kit/mod.ts";
await using as = await createMock({ alg: "ES256" });
console.log((await as.login("alice")).claims.sub);
`,
};

// Checking types takes longer than these tests may. The gate and `deno task test:alone` do it.
for (const building of ["kit", "server"] as const) {
  test(`buildings: no entry of the ${building} imports a file of a building above it, at any distance`, () => {
    const files = readSources("src").map(({ path }) => path);
    const higher = files.filter((path) => above[building].some((each) => path.startsWith(`src/${each}/`)));
    assertEquals([higher.length > 0, findDependents(entries[building], higher)], [true, []]);
  });
}

test("buildings: a login works in a copy without the tools, and then without the kit, too", () =>
  inFolder(async (path) => {
    await copyFiles(listSources("kit"), path("copy"));
    const env = { ...Deno.env.toObject(), DENO_DIR: await createCache(path("cache")) };
    for (const building of ["kit", "server"] as const) {
      for (const each of above[building]) {
        await rm(path(`copy/src/${each}`), { recursive: true, force: true });
      }
      await writeFile(path("copy/login.js"), logins[building]);
      const args = ["run", "--allow-all", "--cached-only", "login.js"];
      const { stdout } = await run(Deno.execPath(), args, { cwd: path("copy"), env });
      assertEquals(stdout, "alice\n", building);
    }
  }));

/** Creates a cache of Deno that has the packages of the usual one, and that ends with the copy. */
async function createCache(folder: string): Promise<string> {
  const { npmCache } = JSON.parse((await run(Deno.execPath(), ["info", "--json"])).stdout);
  await mkdir(folder);
  await symlink(npmCache, `${folder}/npm`);
  return folder;
}
