/** People and clients of a mock change only through its own calls, which check each change. */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
import { InvalidEntry } from "../../../../src/kit/mock/terms/directory.ts";
import { test } from "../../../runner.ts";
import {
  exchangeGrant,
  exchanger,
  gateway,
  orders,
  secretOf,
  typeOf,
  web,
} from "../../../server/tokens/exchange_world.ts";

const quick: MockOptions = { alg: "ES256" };

function createClient(id: string): { client_id: string; redirect_uris: string[] } {
  return { client_id: id, redirect_uris: ["https://app.test/cb"] };
}

test("directory: later changes to the original do not reach the mock", async () => {
  const clients = [createClient("app")];
  const [added, uris] = [createClient("added"), ["https://changed.test/cb"]];
  await using as = await createMock({ ...quick, clients });
  as.clients.add(added);
  as.clients.add(createClient("changed"));
  as.clients.change("changed", { redirect_uris: uris });
  for (const list of [clients[0]!.redirect_uris, added.redirect_uris, uris]) {
    list.push("https://evil.test/cb");
  }
  clients.push(createClient("late"));
  added.client_id = "renamed";
  const known = () => as.clients.all.map(({ client_id: id, redirect_uris: [...each] = [] }) => [id, ...each]);
  const app = ["app", "https://app.test/cb"];
  assertEquals(known(), [app, ["added", "https://app.test/cb"], ["changed", "https://changed.test/cb"]]);
  as.reset();
  assertEquals(known(), [app]);
});

test("directory: entries that are read from it are frozen", async () => {
  await using as = await createMock({ ...quick, clients: [createClient("app")] });
  as.clients.add(createClient("added"));
  as.clients.change("app", { client_name: "The app" });
  const loose = (id: string) => as.clients.get(id) as unknown as ReturnType<typeof createClient>;
  for (const id of ["app", "added"]) {
    assertThrows(() => loose(id).redirect_uris.push("javascript:alert(1)"), TypeError);
    assertThrows(() => void (loose(id).client_id = "other"), TypeError);
  }
  assertThrows(() => (as.clients.all as unknown[]).pop(), TypeError);
  as.people.remove("alice");
  assertThrows(() => (as.people.all as unknown[]).pop(), TypeError);
  assertEquals(as.clients.all.length, 2);
});

test("directory: an error about a change has the place, and the error of the server as its cause", async () => {
  await using as = await createMock({ ...quick, clients: [createClient("app")] });
  const error = assertThrows(() => as.people.add({ username: "alice" }), InvalidEntry);
  assertEquals(error.place, "people[2].username");
  assertEquals(error.message, `Cannot change people: ${error.place} ${error.expected}`);
  assertMatch((error.cause as Error).message, /^Cannot create server: people\[2\]\.username must be unique/);
});

for (const removed of ["web", "gateway"]) {
  test(`directory: an exchanged token ends when its client or that of its login is removed, ${removed} (RFC 8693 §5)`, async () => {
    await using as = await createMock({
      ...quick,
      clients: [web, gateway, exchanger("orders", undefined, { introspects: [orders] })],
    });
    const post = async (path: string, form: Record<string, string>, client: string) =>
      await (await as.fetch(`${as.issuer}${path}`, {
        method: "POST",
        headers: secretOf(client),
        body: new URLSearchParams(form),
      })).json();
    const { access_token: subject } = await as.login("alice", { client: "web" });
    const { access_token: token } = await post("/oauth2/token", {
      grant_type: exchangeGrant,
      subject_token: subject,
      subject_token_type: typeOf("access_token"),
    }, "gateway");
    const isActive = async () => (await post("/oauth2/introspect", { token }, "orders")).active;
    assertEquals(await isActive(), true);
    as.clients.remove(removed);
    assertEquals(await isActive(), false);
  });
}
