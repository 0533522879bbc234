/** `postern start` with people whom it creates at first use of a JWT about them. */

import { assertEquals } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "../runner.ts";
import { asAgent, forPeople, grantClients, jwtBearer, personJwt } from "../tokens/jwt_grants.ts";
import { inFolder } from "./command.ts";
import { withServer } from "./in_process.ts";

const configuration = {
  clients: grantClients,
  trust: [{ ...forPeople, person: { sub: "sub", create: true } }],
};

/** Sends JWTs about carol, and returns the access tokens. */
async function present(issuer: string, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let sent = 0; sent < count; sent++) {
    const world = { issuer, clock: { now: Math.floor(Date.now() / 1000) } } as Parameters<
      typeof personJwt
    >[0];
    const assertion = await personJwt(world, { claims: { sub: "carol" } });
    const body = new URLSearchParams({ grant_type: jwtBearer, assertion, scope: "read openid" });
    const response = await fetch(`${issuer}/oauth2/token`, { method: "POST", headers: asAgent, body });
    tokens.push((await response.json()).access_token);
  }
  return tokens;
}

for (const flags of [[], ["--no-inspector"], ["--control"]]) {
  test(`start ${flags.join(" ")}: the line of a request says that its person is new (RFC 7523 §3)`, async () => {
    await inFolder(async (path) => {
      await writeFile(path("postern.json"), JSON.stringify(configuration));
      await withServer(["--config", path("postern.json"), ...flags], async ({ issuer, printed }) => {
        const [, token] = await present(issuer, 2);
        await printed(
          / agent {2}urn:\S+:jwt-bearer {2}carol \(new\)\n.* agent {2}urn:\S+:jwt-bearer {2}carol\n/,
        );
        const userinfo = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
        assertEquals((await userinfo.json()).sub, "carol");
      });
    });
  });
}

test("start --people --control: the file of the people has a new person", async () => {
  await inFolder(async (path) => {
    await writeFile(path("postern.json"), JSON.stringify(configuration));
    await writeFile(path("people.json"), JSON.stringify({ people: [{ username: "alice" }] }));
    const flags = ["--config", path("postern.json"), "--people", path("people.json"), "--control"];
    await withServer(flags, async ({ issuer }) => {
      await present(issuer, 1);
      const { people } = JSON.parse(await readFile(path("people.json"), "utf8"));
      assertEquals(people.map(({ username }: { readonly username: string }) => username), ["alice", "carol"]);
    });
  });
});
