/** The longest client ids work with every store, and longer ones are refused before a store sees them. */
import { assertEquals } from "@std/assert";
import { clientId, createHost, documentOf, fetchFrom, usual } from "../features/client_documents.ts";
import { sharedStores } from "../../servers/shared_stores.ts";
import { createWorld, sampleKey, type World } from "../../world.ts";

/** Adds characters that a database cannot compress, up to this length. */
function lengthen(start: string, length: number): string {
  const random = crypto.getRandomValues(new Uint8Array(length - start.length));
  return start + Array.from(random, (octet) => String.fromCharCode(65 + octet % 26 + (octet & 32))).join("");
}

async function requireTokens(
  world: World,
  client: { readonly client_id: string; readonly redirect_uri: string },
) {
  const response = await world.redeem(await world.code(client), client);
  assertEquals(response.status, 200, world.lastRefusal()?.reason);
}

for (const { name, test, open, connect } of sharedStores) {
  test(`a client_id of 1,000 characters works over ${name}, and a longer one is refused (RFC 6749 §2.2)`, async () => {
    const { url, discard } = await open();
    const store = await connect(url);
    const world = createWorld({ alg: "ES256", signingKeys: [sampleKey], login: "auto", store }, {});
    const redirect_uri = "http://127.0.0.1:4000/cb";
    await requireTokens(world, { client_id: lengthen("shop-", 1000), redirect_uri });
    const refused = await world.authorize({ client_id: lengthen("shop-", 1001), redirect_uri });
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, "client_unknown"]);
    await refused.body?.cancel();
    await world.close();
    await store.close();
    await discard();
  });

  test(`a document's URL of 1,000 characters works over ${name}, and a longer one is refused (CIMD §3)`, async () => {
    const { url, discard } = await open();
    const store = await connect(url);
    const host = createHost();
    host.answer = (client_id) => Response.json(documentOf({ client_id }));
    const world = createWorld({ clients: [], fetch: fetchFrom(host), store });
    const { redirect_uri } = usual as { readonly redirect_uri: string };
    await requireTokens(world, { client_id: lengthen(`${clientId}?`, 1000), redirect_uri });
    const refused = await world.authorize({ client_id: lengthen(`${clientId}?`, 1001), redirect_uri });
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, "client_document_url"]);
    await refused.body?.cancel();
    await world.close();
    await store.close();
    await discard();
  });
}
