/** as.clientDocument: a test hosts, changes and breaks the document of a client. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { replaceGlobals } from "../../../replace_globals.ts";

test("clientDocument: its client signs people in, and the document is fetched once", async () => {
  await using as = await createMock();
  const client = as.clientDocument();
  const tokens = await as.login("alice", { client: client.client_id });
  assertEquals(as.requests.token.last?.clientId, client.client_id);
  await as.refresh(tokens);
  assertEquals(client.requests, 1);
  const ids = [client, as.clientDocument(), as.clientDocument()].map((each) => each.client_id);
  assertEquals(ids, [1, 2, 3].map((number) => `https://client.test/${number}.json`));
});

test("clientDocument: a reset removes its client, and another one can have its address", async () => {
  await using as = await createMock();
  const client = as.clientDocument();
  as.reset();
  await assertRejects(() => as.login("alice", { client: client.client_id }), Error, "There is no client");
  const again = as.clientDocument({}, { url: client.client_id });
  await as.login("alice", { client: again.client_id });
  assertEquals([client.requests, again.requests], [0, 1]);
});

test("clientDocument: a change counts at the next use", async () => {
  await using as = await createMock();
  const client = as.clientDocument({ client_name: "Before" }, { url: "https://app.test/oauth/client.json" });
  assertEquals(client.client_id, "https://app.test/oauth/client.json");
  await as.login("alice", { client: client.client_id });
  await client.change({ redirect_uris: ["https://app.test/new"] });
  const tokens = await as.login("alice", { client: client.client_id });
  assertEquals(client.requests, 2);
  assertEquals(client.metadata["redirect_uris"], ["https://app.test/new"]);
  await client.change({ grant_types: "refresh_token" });
  await assertRejects(() => as.refresh(tokens), Error, "The document of this client is not valid");
  await client.change({ grant_types: undefined });
  await as.refresh(tokens);
});

test("clientDocument: a test answers for the document's host", async () => {
  await using as = await createMock();
  const client = as.clientDocument();
  await client.respond(() => new Response("", { status: 404 }));
  await assertRejects(() => as.login("alice", { client: client.client_id }), Error);
  assertEquals(as.requests.last?.refusal?.reason, "client_document_unavailable");
  await client.respond(undefined);
  await as.login("alice", { client: client.client_id });
  assertEquals(client.requests, 2);
});

test("clientDocument: a reset forgets it, and tenants have their own", async () => {
  await using as = await createMock();
  const { client_id } = as.clientDocument();
  await assertRejects(() => as.tenant("other").login("alice", { client: client_id }));
  await as.login("alice", { client: client_id });
  as.reset();
  await assertRejects(() => as.login("alice", { client: client_id }));
});

test("clientDocument: wrong terms are explained", async () => {
  await using as = await createMock();
  as.clientDocument({}, { url: "https://app.test/c" });
  assertThrows(() => as.clientDocument({}, { url: "https://app.test/c" }), TypeError, "Change that one");
  assertThrows(() => as.clientDocument({}, { url: "app" }), TypeError, "must be an https URL");
  const wrong = {
    "http://app.test/c": "url must be https, not http://app.test/c",
    "https://app.test": "url must have a path, for example /client.json, not https://app.test",
    "https://app.test/a/../c": "url must be written as URL parsers write it",
    "https://localhost:3000/c": "url must not lead to this machine",
  };
  for (const [url, expected] of Object.entries(wrong)) {
    const message = `Cannot host a client document: ${expected}`;
    assertThrows(() => as.clientDocument({}, { url }), TypeError, message);
  }
  assertThrows(() => as.clientDocument({}, { uri: "x" } as never), TypeError, "url");
  await using off = await createMock({ clientDocuments: false });
  assertThrows(() => off.clientDocument(), TypeError, "clientDocuments: true");
});

test("mock: the server's own requests to names reserved for tests reach a replaced global fetch", async () => {
  const urls: string[] = [];
  using _ = replaceGlobals({
    fetch(input: string) {
      urls.push(String(input));
      return Promise.resolve(Response.json({}));
    },
  });
  await using as = await createMock();
  await assertRejects(() => as.authorize(`${as.issuer}/oauth2/authorize?client_id=https://app.test/c`));
  assertEquals(urls, ["https://app.test/c"]);
});
