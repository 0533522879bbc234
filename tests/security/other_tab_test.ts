/** What a page in the developer's other tab tries: the threats that no test of a feature covers. The list is other_tab.md. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromRequest } from "../../src/ground/http/message.ts";
import { createMock } from "../../src/kit/mod.ts";
import {
  clientId,
  createHost,
  documentOf,
  outcomeOf,
  withDocuments,
} from "../server/features/client_documents.ts";
import { createRegistrationWorld, nativeUri, registered } from "../server/features/registration.ts";
import { test } from "../runner.ts";
import { createBrowser, encodeForm } from "../world.ts";
import { countingStore } from "./counting_store.ts";

const issuer = "http://localhost:9000";
const localId = "http://localhost:3000/client.json";
const evilId = "https://evil.example/client.json";
const firstUse = { client_id: "invented", redirect_uri: "http://localhost:3000/cb" };

/** Chromium sends no Sec-Fetch-Site when a page opens a WebSocket. */
const webSocketOf = (origin: string) => ({ origin, upgrade: "websocket", "sec-websocket-version": "13" });

test("other tab: a WebSocket gets no code, keeps no client and makes the server fetch nothing", async () => {
  const store = countingStore();
  await withDocuments(
    async ({ world, host }) => {
      for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
        const headers = webSocketOf(origin);
        assertEquals(await outcomeOf(world, firstUse, headers), "403 cross_site_request", origin);
        assertStringIncludes(world.lastRefusal()!.received!, `Origin: ${origin}`);
        for (const client_id of [localId, evilId]) {
          const { status } = await world.get(`/start?${encodeForm({ client_id })}`, headers);
          assertEquals([status, host.urls], [403, []], client_id);
        }
      }
      assertEquals(store.writes, []);
      assertEquals(await outcomeOf(world, firstUse, webSocketOf("http://localhost:3000")), "code");
    },
    { issuer, store, firstUse: true },
  );
});

test("other tab: an image of a start link, or of a signed request, makes the server fetch nothing", () =>
  withDocuments(async ({ world, host }) => {
    const image = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" };
    for (const client_id of [localId, evilId]) {
      for (const path of ["/start", "/oauth2/authorize"]) {
        const { status } = await world.get(
          `${path}?${encodeForm({ client_id, request: "e30.e30.e30" })}`,
          image,
        );
        const refusal = [status, world.lastRefusal()?.reason, host.urls];
        assertEquals(refusal, [403, "client_document_unavailable", []], `${path} ${client_id}`);
      }
    }
  }, { issuer }));

const uris = { backchannel_logout_uri: "http://localhost:6379/", jwks_uri: "http://localhost:6379/keys" };

/** Approves the client of a document, and signs out. Returns the URLs that the server has called. */
async function approveAndSignOut(
  id: string,
  members: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const redirect_uri = new URL("/cb", id).href;
  const host = createHost(documentOf({ client_id: id, redirect_uris: [redirect_uri], ...members }));
  await withDocuments(
    async ({ world }) => {
      const browser = createBrowser(world);
      const first = await browser.open(world.authorizeUrl({ client_id: id, redirect_uri }));
      const answer = first.leftFor === undefined
        ? await browser.submit(first, { decision: "approve" })
        : first;
      assertStringIncludes(answer.leftFor ?? "", "code=");
      await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
    },
    { issuer },
    host,
  );
  return host.urls;
}

test("other tab: an approved client of another host cannot make a sign-out call this machine", async () => {
  const { backchannel_logout_uri } = uris;
  assertEquals(await approveAndSignOut(evilId, { backchannel_logout_uri }), [evilId]);
  const atHome = "https://evil.example/signed-out";
  assertEquals(await approveAndSignOut(evilId, { backchannel_logout_uri: atHome }), [evilId, atHome]);
  // The developer's own document may.
  assertEquals(await approveAndSignOut(localId, { backchannel_logout_uri }), [
    localId,
    backchannel_logout_uri,
  ]);
});

test("other tab: the document of another host cannot name keys or a sector on this machine", async () => {
  const attempts = [
    [issuer, uris.jwks_uri],
    ["https://as.test", uris.jwks_uri],
    ["https://as.test", "https://127.0.0.1/x"],
    ["https://as.test", "https://169.254.169.254/x"],
  ] as const;
  for (const [at, jwks_uri] of attempts) {
    await withDocuments(
      async ({ world, host }) => {
        await outcomeOf(world);
        // The request of a program, so that only the document decides.
        await world.post("/oauth2/token", {
          grant_type: "authorization_code",
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: unsignedAssertionOf(clientId),
        });
        assertEquals([world.lastRefusal()?.reason, host.urls], ["client_keys_unavailable", [clientId]]);
      },
      { issuer: at },
      createHost(documentOf({ token_endpoint_auth_method: "private_key_jwt", jwks_uri })),
    );
  }
  const sector_identifier_uri = "https://localhost:8443/uris";
  await withDocuments(
    async ({ world, host }) => {
      assertEquals([await outcomeOf(world), host.urls], ["400 sector_unverified", [clientId]]);
    },
    { issuer },
    createHost(documentOf({ subject_type: "pairwise", sector_identifier_uri })),
  );
});

/** The server reads only its subject before it looks for the client's keys. */
function unsignedAssertionOf(sub: string): string {
  const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  return `${encode({ alg: "ES256" })}.${encode({ sub })}.c2ln`;
}

test("other tab: a page cannot make the server fetch the keys of a client on this machine", async () => {
  const jwks_uri = "http://localhost:3000/keys";
  const members = { client_id: localId, redirect_uris: ["http://localhost:3000/cb"], jwks_uri };
  const host = createHost(documentOf({ token_endpoint_auth_method: "private_key_jwt", ...members }));
  await withDocuments(
    async ({ world }) => {
      assertEquals(
        await outcomeOf(world, { client_id: localId, redirect_uri: members.redirect_uris[0] }),
        "code",
      );
      const form = {
        grant_type: "authorization_code",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: unsignedAssertionOf(localId),
      };
      for (const path of ["/oauth2/token", "/oauth2/par", "/oauth2/revoke", "/oauth2/introspect"]) {
        const page = {
          origin: "https://evil.example",
          "sec-fetch-site": "cross-site",
          "sec-fetch-dest": "empty",
        };
        await world.post(path, form, page);
        assertEquals([world.lastRefusal()?.reason, host.urls], ["client_keys_unavailable", [localId]], path);
      }
      await world.post("/oauth2/token", form);
      assertEquals(host.urls, [localId, jwks_uri]);
    },
    { issuer },
    host,
  );
});

test("other tab: a name that leads to this machine reaches no API of a test", async () => {
  await using as = await createMock({ alg: "ES256", issuer });
  as.resource("/mcp", {});
  const statusAt = async (origin: string) => {
    const headers = { origin, cookie: "session=x" };
    const request = new Request(`${origin}/mcp`, { method: "POST", headers, body: "{}" });
    return (await as.answer(fromRequest(request, "127.0.0.1"))).status;
  };
  for (const name of ["evil.example", "localhost.evil.example", "0.0.0.0", "127.0.0.2"]) {
    assertEquals(await statusAt(`http://${name}:9000`), 421, name);
  }
  for (const name of ["localhost", "127.0.0.1"]) {
    assertEquals(await statusAt(`http://${name}:9000`), 401, name);
  }
});

test("other tab: a page opens a registered client only by a link, which asks for consent", async () => {
  const world = createRegistrationWorld();
  const { client_id } = await registered(world, { token_endpoint_auth_method: "none" });
  const request = { client_id, redirect_uri: nativeUri };
  const from = (dest: string) => ({ "sec-fetch-site": "cross-site", "sec-fetch-dest": dest });
  for (const dest of ["image", "iframe", "empty", "object", "websocket"]) {
    assertEquals(await outcomeOf(world, request, from(dest)), "403 cross_site_request", dest);
  }
  assertEquals(
    await outcomeOf(world, request, webSocketOf("https://evil.example")),
    "403 cross_site_request",
  );
  assertEquals(await outcomeOf(world, request, from("document")), "consent page");
  assertEquals(await outcomeOf(world, { ...request, prompt: "none" }, from("iframe")), "login_required");
});
