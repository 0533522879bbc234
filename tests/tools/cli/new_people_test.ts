/** `postern start` with people whom it creates at first use of a JWT about them. */

import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { test } from "../../runner.ts";
import { asAgent, forPeople, grantClients, jwtBearer, personJwt } from "../../server/tokens/jwt_grants.ts";
import { withFile } from "./command.ts";
import { withConfiguredServer } from "./in_process.ts";

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
  test(`start ${flags}: the line of a request says that its person is new (RFC 7523 §3)`, async () => {
    await withConfiguredServer(configuration, async ({ issuer, printed }) => {
      const [, token] = await present(issuer, 2);
      await printed(
        / agent {2}urn:\S+:jwt-bearer {2}carol \(new\)\n.* agent {2}urn:\S+:jwt-bearer {2}carol\n/,
      );
      const userinfo = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
      assertEquals((await userinfo.json()).sub, "carol");
    }, flags);
  });
}

test("start --people --control: the file of the people has a new person", async () => {
  await withFile({ people: [{ username: "alice" }] }, async (file) => {
    await withConfiguredServer(configuration, async ({ issuer }) => {
      await present(issuer, 1);
      const { people } = JSON.parse(await readFile(file, "utf8"));
      assertEquals(people.map(({ username }: { readonly username: string }) => username), ["alice", "carol"]);
    }, ["--people", file, "--control"]);
  });
});
