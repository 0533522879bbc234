/** A test in any language hosts, changes and breaks the document of a client. */

import { assertEquals, assertMatch } from "@std/assert";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: the client of a document logs in, and a change of the document counts at its next use", async ({ ask }) => {
  const created = await ask("POST", "/client_documents", {
    body: { metadata: { client_name: "Notes" }, url: "https://notes.test/client.json" },
  });
  const client_id = "https://notes.test/client.json";
  const { id, metadata } = created.body;
  assertEquals([created.status, created.body.client_id, metadata.client_name], [201, client_id, "Notes"]);
  const login = () => ask("POST", "/login", { body: { username: "alice", client: client_id } });
  assertEquals((await login()).status, 200);

  const changed = await ask("PATCH", `/client_documents/${id}`, {
    body: { metadata: { client_secret: "s", client_name: null } },
  });
  assertEquals([changed.status, changed.body.metadata.client_name], [200, undefined]);
  const refused = await login();
  assertEquals([refused.status, refused.body.refusal.reason], [422, "client_document_invalid"]);

  await ask("PATCH", `/client_documents/${id}`, { body: { metadata: { client_secret: null } } });
  assertEquals((await login()).status, 200);
  const { body } = await ask("GET", "/client_documents");
  assertEquals(
    body.client_documents.map(({ id, requests }: Record<string, unknown>) => [id, requests]),
    [["document-1", 3]],
  );
  await ask("POST", "/reset");
  assertEquals((await ask("GET", "/client_documents")).body.client_documents, []);
});

it("control: a caller answers for the host of a document, until null restores the document", async ({ ask }) => {
  const { body: { id, client_id } } = await ask("POST", "/client_documents");
  const twice = await ask("POST", "/client_documents", { body: { url: client_id } });
  assertMatch(twice.body.error_description, /there is one at https:/);
  const wrong = { answer: { status: 204, body: "x" } };
  assertEquals((await ask("PATCH", `/client_documents/${id}`, { body: wrong })).status, 400);
  const reasonAfter = async (answer: unknown) => {
    const { body } = await ask("PATCH", `/client_documents/${id}`, { body: { answer } });
    assertEquals(body.answer, answer ?? undefined);
    const login = await ask("POST", "/login", { body: { username: "alice", client: client_id } });
    return login.body.refusal?.reason;
  };
  assertEquals(await reasonAfter({ status: 503 }), "client_document_unavailable");
  assertEquals(await reasonAfter({ body: "{}" }), "client_document_invalid");
  assertEquals(await reasonAfter(null), undefined);
});
