/** Errors about unknown people and clients: a sentence for TypeScript, and its parts for the control plane. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { NotConfigured } from "../../../../src/kit/mock/terms/configured.ts";
import { test } from "../../../runner.ts";
import { redirectUri } from "../../../world.ts";

const quick: MockOptions = { alg: "ES256" };

test("configured: an error about an unknown person has the known ones, and an entry that would add it", async () => {
  await using as = await createMock(quick);
  const { message, missing } = await assertRejects(() => as.login("zed"), NotConfigured);
  assertEquals(missing, { kind: "person", name: "zed", known: ["alice", "bob"], entry: { username: "zed" } });
  assertEquals(
    message,
    'There is no person zed: known are alice, bob. Add one with as.people.add({ username: "zed" })',
  );
});

test("configured: an error about a misspelt name suggests the right one", async () => {
  await using as = await createMock(quick);
  const person = "There is no person alic: known are alice, bob. Did you mean alice? Add ";
  await assertRejects(() => as.login("alic"), NotConfigured, person);
  const client = "There is no client ap: known are app, app-confidential. Did you mean app? Add ";
  await assertRejects(() => as.mint({ client: "ap" }), NotConfigured, client);
});

test("configured: without people, the error has no name", async () => {
  await using as = await createMock({ ...quick, people: [] });
  const { missing } = await assertRejects(() => as.login(), NotConfigured);
  assertEquals(missing, { kind: "person", known: [], entry: { username: "alice" } });
});

test("configured: the entry in an error about a client adds it", async () => {
  await using as = await createMock(quick);
  const { missing } = await assertRejects(() => as.mint({ client: "shop" }), NotConfigured);
  assert(missing.kind === "client");
  assertEquals([missing.name, missing.known], ["shop", ["app", "app-confidential"]]);
  as.clients.add(missing.entry);
  assertEquals(decodeJwt(await as.mint({ client: "shop" }))["client_id"], "shop");
});

test("configured: the entry in an error about a missing client adds one that fits", async () => {
  const robot = { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] };
  const spa = { client_id: "spa", redirect_uris: ["https://spa.test/cb"] };
  const attempts = [
    { clients: [robot], attempt: (as: Mock) => as.login(), words: "No client has a redirect URI" },
    {
      clients: [spa],
      attempt: (as: Mock) => as.mint({ withoutPerson: true }),
      words: "No client can get a token without a person",
    },
    { clients: [], attempt: (as: Mock) => as.mint(), words: "No clients are configured" },
  ];
  for (const { clients, attempt, words } of attempts) {
    await using as = await createMock({ ...quick, clients });
    const { message, missing } = await assertRejects(() => attempt(as), NotConfigured);
    assert(missing.kind === "client");
    const members = Object.keys(missing.entry).join(", ");
    assertEquals(message, `${words}: add one with as.clients.add({ ${members} })`);
    assertEquals([missing.name, missing.known], [undefined, clients.map((client) => client.client_id)]);
    as.clients.add(missing.entry);
    await attempt(as);
  }
});

test("changed configuration: changes of the test kit's people and clients have the same effects", async () => {
  await using as = await createMock({
    people: [{ username: "carol", password: "first password" }, { username: "dave" }],
    clients: [{
      client_id: "app",
      client_secret: "app-secret",
      redirect_uris: [redirectUri],
      scope: "openid read",
    }],
  });
  const [carols, daves] = [await as.mint({ person: "carol" }), await as.mint({ person: "dave" })];
  const status = async (token: string) => {
    const request = new Request(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    return (await as.fetch(request)).status;
  };
  assertEquals([await status(carols), await status(daves)], [200, 200]);
  as.people.change("carol", { password: "second password" });
  assertEquals([await status(carols), await status(daves)], [401, 200]);
  as.clients.change("app", { scope: "read" });
  assertEquals(await status(daves), 403);
});
