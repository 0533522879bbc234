/** sector_identifier_uri: one sector for redirect URIs on several hosts (Core §8.1, Registration §5). */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ClientMetadata, createServer } from "../../../src/mod.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  register,
  send,
} from "../features/registration.ts";
import {
  clientId,
  type DocumentHost,
  documentOf,
  fetchFrom,
  outcomeOf,
  withDocuments,
} from "../features/client_documents.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { createBrowser, type World } from "../../world.ts";
import { claimsOf, clientOf, inOpenId, introspect, requestUrl, signIn } from "./openid_world.ts";

const sectorUri = "https://sector.example/redirect_uris.json";
const elsewhereUri = "https://elsewhere.example/redirect_uris.json";
const appUris = { redirect_uris: ["https://app.example/cb", "https://other.example/cb"] };
const inSector = (id: string, more: Partial<ClientMetadata> = {}) =>
  clientOf(id, { subject_type: "pairwise", sector_identifier_uri: sectorUri, ...more });
const clients = [
  inSector("app", appUris),
  inSector("shop"),
  inSector("port", { sector_identifier_uri: "https://sector.example:8443/other.json" }),
  inSector("elsewhere", { sector_identifier_uri: elsewhereUri }),
  inSector("twin", { ...appUris, sector_identifier_uri: elsewhereUri }),
];
const allUris = clients.flatMap(({ redirect_uris = [] }) => redirect_uris);

/** Answers with an array of all redirect URIs. */
function createSectorHost(): DocumentHost {
  return { urls: [], answer: () => Response.json(allUris) };
}

test("sector_identifier_uri: its host is the sector, for redirect URIs on any hosts (Core §8.1)", () =>
  inOpenId({ clients, fetch: fetchFrom(createSectorHost()) }, async (world) => {
    const subOf = async (id: string) =>
      (await claimsOf(world, await signIn(world, createBrowser(world), "alice", { client_id: id }), id)).sub;
    const [app, shop, port, elsewhere] = [
      await subOf("app"),
      await subOf("shop"),
      await subOf("port"),
      await subOf("elsewhere"),
    ];
    assertEquals([shop, port], [app, app]);
    assert(elsewhere !== app);
    // The username would say whom the sub of a sector hides.
    const { access_token } = await signIn(world, createBrowser(world), "alice");
    const told = await introspect(world, access_token);
    assertEquals([told["active"], told["sub"], told["username"]], [true, app, undefined]);
  }));

test("sector_identifier_uri: the array of a configured client is fetched once in a day (OpenID Connect Registration §5)", async () => {
  const host = createSectorHost();
  await inOpenId({ clients, fetch: fetchFrom(host) }, async (world, browser) => {
    assertEquals(host.urls, []);
    await signIn(world, browser, "alice");
    world.clock.advance(24 * 3600 - 60);
    await signIn(world, createBrowser(world), "bob");
    assertEquals(host.urls, [sectorUri]);
    world.clock.advance(61);
    await signIn(world, createBrowser(world), "bob");
    assertEquals(host.urls, [sectorUri, sectorUri]);
    // The array may lack the redirect URI of another client.
    await signIn(world, createBrowser(world), "bob", { client_id: "shop" });
    assertEquals(host.urls.length, 3);
    // The same redirect URIs at another address.
    await createBrowser(world).open(
      requestUrl(world, { client_id: "twin", redirect_uri: "https://app.example/cb" }),
    );
    assertEquals(host.urls.slice(3), [elsewhereUri]);
  });
});

/** Asks for a code of the client `app`, and resolves to the error that the client receives. */
async function errorOf(world: World): Promise<string | null> {
  const page = await createBrowser(world).open(requestUrl(world));
  return page.leftFor === undefined ? null : new URL(page.leftFor).searchParams.get("error");
}

const wrongAnswers: Readonly<Record<string, readonly [answer: () => Response, expected: RegExp]>> = {
  "an array without one of the URIs": [
    () => Response.json(["https://app.example/cb", "canary"]),
    /https:\/\/other\.example\/cb is not in it$/,
  ],
  "a URI that differs in its path": [
    () => Response.json(["https://app.example/cb", "https://other.example/cb/"]),
    /https:\/\/other\.example\/cb is not in it$/,
  ],
  "an object": [() => Response.json({ canary: allUris }), /not an array$/],
  "a redirect": [() => Response.redirect("https://canary.example/"), /without a redirect/],
  "too many octets": [() => Response.json([...allUris, "canary".repeat(11_000)]), /at most 65536 octets/],
};

test("sector_identifier_uri: a wrong array is refused, shown nowhere, and not cached (RFC 7591 §5)", async () => {
  for (const [name, [answer, expected]] of Object.entries(wrongAnswers)) {
    const host = createSectorHost();
    await inOpenId({ clients, fetch: fetchFrom(host) }, async (world) => {
      host.answer = answer;
      assertEquals(await errorOf(world), "unauthorized_client", name);
      const refusal = world.lastRefusal()!;
      assertEquals([refusal.reason, refusal.received], ["sector_unverified", sectorUri], name);
      assertMatch(`${refusal.expected}`, expected, name);
      assert(!JSON.stringify(refusal).includes("canary"), name);
      host.answer = () => Response.json(allUris);
      assertEquals(await errorOf(world), null, name);
    });
  }
});

test("sector_identifier_uri: a client with public subjects needs no fetch", async () => {
  const host = createSectorHost();
  const { subject_type: _, ...client } = inSector("app");
  await inOpenId({ clients: [client], fetch: fetchFrom(host) }, async (world, browser) => {
    assertEquals((await claimsOf(world, await signIn(world, browser, "alice"))).sub, "subject-of-a");
    assertEquals(host.urls, []);
  });
});

test("sector_identifier_uri: an address that is not https is refused at start (RFC 7591 §5)", async () => {
  const create = (more: Partial<ClientMetadata>) => () => createServer({ clients: [clientOf("app", more)] });
  const addresses = ["http://localhost/uris", "data:application/json,[]", "https://u:p@app.example/uris"];
  for (const sector_identifier_uri of addresses) {
    await assertCannotCreate(create({ sector_identifier_uri }), "clients[0].sector_identifier_uri must");
  }
  await assertCannotCreate(
    create({ subject_type: "pairwise", redirect_uris: ["https://a.example/cb", "https://b.example/cb"] }),
    "clients[0].subject_type can be pairwise only if all redirect_uris have the same host, or with " +
      "sector_identifier_uri",
  );
});

const registration = {
  redirect_uris: ["https://app.example/cb", "https://other.example/cb"],
  subject_type: "pairwise",
  sector_identifier_uri: sectorUri,
};

function createSectorRegistration(host: DocumentHost): World {
  return createRegistrationWorld({
    fetch: fetchFrom(host),
    registration: { initialAccessTokens: [initialToken] },
  });
}

test("sector_identifier_uri: registration fetches the array and compares it (Registration §5)", async () => {
  const host = createSectorHost();
  const world = createSectorRegistration(host);
  const { status, body } = await register(world, registration, { token: initialToken });
  assertEquals([status, body["sector_identifier_uri"], host.urls], [201, sectorUri, [sectorUri]]);
  // The server has checked the registration, so that a request needs no fetch.
  world.clock.advance(24 * 3600 + 1);
  const [redirect_uri] = registration.redirect_uris;
  const params = { client_id: `${body["client_id"]}`, redirect_uri, scope: "openid" };
  const response = await world.get(world.authorizeUrl(params));
  assertEquals([response.status, host.urls.length], [200, 1], await response.text());
});

test("sector_identifier_uri: registration refuses a wrong array, with any subjects (OpenID Connect Registration §5)", async () => {
  const host = createSectorHost();
  const world = createSectorRegistration(host);
  host.answer = () => Response.json(["https://app.example/cb", "canary"]);
  for (const subject_type of ["pairwise", "public"]) {
    const refused = await register(world, { ...registration, subject_type }, { token: initialToken });
    assertRefused(world, refused, { error: "invalid_client_metadata", reason: "metadata_invalid" });
    const description = `${refused.body["error_description"]}`;
    assertMatch(description, /^sector_identifier_uri must lead to a JSON array.* is not in it$/);
    assert(!description.includes("canary"));
  }
});

test("sector_identifier_uri: each registration and update fetches the array again (Registration §5)", async () => {
  const host = createSectorHost();
  const world = createSectorRegistration(host);
  const { status, body } = await register(world, registration, { token: initialToken });
  assertEquals(status, 201);
  host.answer = () => Response.json(registration.redirect_uris.slice(1));
  const refusal = { error: "invalid_client_metadata", reason: "metadata_invalid" };
  assertRefused(world, await register(world, registration, { token: initialToken }), refusal);
  const update = await send(world, "PUT", `${body["registration_client_uri"]}`, {
    body: { ...registration, client_id: body["client_id"] },
    token: `${body["registration_access_token"]}`,
  });
  assertRefused(world, update, refusal);
  assertEquals(host.urls, [sectorUri, sectorUri, sectorUri]);
});

test("sector_identifier_uri: a registration cannot make the server call this machine or a private network (RFC 7591 §5)", async () => {
  const host = createSectorHost();
  const world = createSectorRegistration(host);
  for (const address of ["10.0.0.1", "[::ffff:10.0.0.1]"]) {
    const sector_identifier_uri = `https://${address}/uris`;
    const refused = await register(world, { ...registration, sector_identifier_uri }, {
      token: initialToken,
    });
    assertRefused(world, refused, { error: "invalid_client_metadata", reason: "metadata_invalid" });
  }
  const refused = await register(
    world,
    { ...registration, sector_identifier_uri: "https://localhost:4000/uris" },
    { token: initialToken, headers: { "sec-fetch-site": "cross-site" } },
  );
  assertRefused(world, refused, { error: "invalid_client_metadata", reason: "metadata_invalid" });
  assertEquals(host.urls, []);
});

test("sector_identifier_uri: the client of a document is checked at its authorization request (OpenID Connect Registration §5)", async () => {
  const metadata = { subject_type: "pairwise", sector_identifier_uri: sectorUri };
  const { redirect_uris } = documentOf(metadata) as { redirect_uris: readonly string[] };
  for (const [listed, outcome] of [[redirect_uris, "code"], [[], "400 sector_unverified"]] as const) {
    await withDocuments(async ({ world, host }) => {
      host.answer = (url) => Response.json(url === sectorUri ? listed : documentOf(metadata));
      assertEquals(await outcomeOf(world), outcome);
      assertEquals(host.urls, [clientId, sectorUri]);
    });
  }
});
