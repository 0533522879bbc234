/** `postern start --also`: when other machines reach the server, and what is printed for a program in a container. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { StartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { start as startCommand } from "../../../src/tools/cli/start/start.ts";
import { test } from "../../runner.ts";
import { complaintOf } from "./command.ts";
import { inFolder } from "../../in_folder.ts";
import { withServer } from "./in_process.ts";

const also = "http://postern:9000";
const network = { also, "allow-private-http": true } as const;

test("also: a name that other machines reach needs clients and people, or --expose-demo", async () => {
  const { message } = await assertRejects(() => readPlan(network), CommandError);
  assertEquals(
    message,
    `other machines may reach http://localhost:9000 and ${also}, and anyone could use the demo clients and the ` +
      'demo people: configure "clients" and "people" (--config FILE), or add --expose-demo',
  );
});

test("also: the flag wins over the file, and has the path of the profile", () =>
  inFolder(async (path) => {
    const config = path("postern.json");
    const people = [{ username: "carol" }];
    await writeFile(config, JSON.stringify({ also: [also], allowPrivateHttp: true, clients: [], people }));
    assertEquals((await readPlan({ config, paths: "keycloak" })).settings.also, [`${also}/realms/master`]);
    const other = "http://other:9000";
    assertEquals((await readPlan({ config, also: other })).settings.also, [other]);
    await writeFile(config, JSON.stringify({ also: ["https://a.example", "https://a.example"] }));
    const { message } = await assertRejects(() => readPlan({ config }), CommandError);
    assertMatch(message, /^.*postern\.json:1:\d+: also\[1\] must have another host or port than /);
  }));

const wrong: readonly (readonly [flags: StartFlags, message: string])[] = [
  [{ also: `${also}/` }, `--also must be written as ${also}, because its path is that of the issuer`],
  [
    { ...network, "expose-demo": true, "tls-cert": "c.pem" },
    `--tls-cert makes this an https server, so its other name cannot be ${also}`,
  ],
];

for (const [flags, expected] of wrong) {
  test(`also: ${JSON.stringify(flags)} is refused`, async () => {
    const given = flags.also === `${also}/` ? { ...network, ...flags } : flags;
    assertEquals((await assertRejects(() => readPlan(given), CommandError)).message, expected);
  });
}

test("from: it needs --also, and is for the form env", async () => {
  assertEquals(
    await complaintOf(startCommand, "--print", "env", "--from", "container"),
    "2: --from container needs --also: the name by which that program reaches this server, such as http://postern:9000",
  );
  assertEquals(
    await complaintOf(startCommand, "--print", "spring", "--from", "container", "--also", also),
    "2: --from container is for --print env, not for --print spring",
  );
  assertEquals(
    await complaintOf(startCommand, "--log", "json", "--from", "container", "--also", also),
    "2: --log json has no place for the settings of --from: give one",
  );
});

/** Sends a GET with this Host, which `fetch` does not let a program choose. */
function getAs(
  host: string,
  port: number,
  path: string,
  token?: string,
): Promise<[status: number, body: string]> {
  const headers = { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => body += text);
      response.on("end", () => resolve([response.statusCode ?? 0, body]));
    });
    sent.on("error", reject).end();
  });
}

test("also: a started server answers there, with the control plane and the metrics, and prints the settings", async () => {
  const token = "a-token-of-sixteen-or-more";
  const args = ["--allow-private-http", "--expose-demo", "--control", token, "--metrics", token];
  const env = { POSTERN_ALSO: `${also},https://id.example`, POSTERN_FROM: "container" };
  const { stdout } = await withServer(args, async ({ port, issuer, printed }) => {
    const [, text] = await getAs("postern:9000", port, "/.well-known/openid-configuration");
    const { issuer: named, token_endpoint, authorization_endpoint } = JSON.parse(text);
    assertEquals([named, token_endpoint, authorization_endpoint], [
      issuer,
      `${also}/oauth2/token`,
      `${issuer}/oauth2/authorize`,
    ]);
    const asked: readonly (readonly [host: string, path: string, status: number])[] = [
      ["postern:9000", "/_postern/clock", 200],
      ["postern:9000", "/metrics", 200],
      ["postern:9000", "/", 421],
      ["third:9000", "/oauth2/jwks", 421],
      ["third:9000", "/_postern/clock", 421],
      ["third:9000", "/metrics", 421],
    ];
    for (const [host, path, status] of asked) {
      assertEquals((await getAs(host, port, path, token))[0], status, `${host} ${path}`);
    }
    const lines = [
      `OAUTH_ISSUER=${issuer}`,
      `OAUTH_DISCOVERY_URL=${also}/.well-known/openid-configuration`,
      `OAUTH_TOKEN_URL=${also}/oauth2/token`,
      `OAUTH_USERINFO_URL=${also}/userinfo`,
      `OAUTH_JWKS_URL=${also}/oauth2/jwks`,
    ];
    for (const line of lines) {
      await printed(new RegExp(`^${line.replace(/[.?]/g, "\\$&")}$`, "m"));
    }
  }, { env });
  assertMatch(stdout, /^ {12}Programs may reach it at http:\/\/postern:9000, too\.$/m);
  assertMatch(stdout, /^ {12}Programs may reach it at https:\/\/id\.example, too\.$/m);
  assertMatch(stdout, /From the environment: POSTERN_ALSO, POSTERN_FROM/);
});
