/** Client documents: ids, documents, caching, bounds, pages. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { exportJWK, generateKeyPair } from "jose";
import { createServer, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { documentSource } from "../../../src/server/oauth/clients/records/cached_document.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { never } from "../../../src/server/store/store.ts";
import { assertion, show } from "../tokens/assertions.ts";
import { byId, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { basic, createBrowser, createWorld, inWorld, sampleKey, type World } from "../../world.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { countingStore } from "../../security/counting_store.ts";
import { takeSeats } from "./client_seats.ts";
import {
  clientId,
  createHost,
  documentOf,
  fetchFrom,
  outcomeOf,
  redirectUri,
  tokensOf,
  usual,
  withDocument,
  withDocuments,
} from "./client_documents.ts";
import { assertRefused, readTokens, refresh } from "../tokens/bearer.ts";

const { d: _private, ...publicKey } = sampleKey;

const it = testIn(withDocuments);

it("client documents: a client with a document gets tokens, with no configuration (CIMD §4.2)", async ({ world, host: { urls } }) => {
  const tokens = await tokensOf(world);
  assertEquals([tokens["status"], typeof tokens["refresh_token"]], [200, "string"]);
  // The two requests share the document.
  assertEquals(urls, [clientId]);
  const refreshed = await refresh(world, String(tokens["refresh_token"]), { client_id: clientId });
  assertEquals(refreshed.status, 200);
  const authorization = `Bearer ${tokens["access_token"]}`;
  assertEquals((await world.get("/userinfo", { authorization })).status, 403);
});

test("client documents: by default, they are on only if other machines cannot reach the server", async () => {
  const issuers: Readonly<Record<string, boolean | undefined>> = {
    "http://localhost:9000": true,
    "http://127.0.0.1:9000": true,
    "https://as.test": true,
    "https://as.example.com": undefined,
  };
  for (const [issuer, expected] of Object.entries(issuers)) {
    const server = createServer({ issuer, alg: "ES256", signingKeys: [sampleKey], clients: [], people: [] });
    const response = await server.fetch(new Request(`${issuer}/.well-known/oauth-authorization-server`));
    assertEquals((await response.json())["client_id_metadata_document_supported"], expected, issuer);
    await server.close();
  }
});

const acceptedIds = [
  clientId,
  "https://client.example/",
  "https://client.example:8443/c",
  "https://client.example:443/c",
  "https://client.example/c?v=1",
];

const refusedIds = [
  "https://client.example",
  "https://client.example?c",
  "http://client.example/c",
  "https://u:p@client.example/c",
  "https://client.example/c#",
  "https://client.example/a/../c",
  "https://client.example/a/%2e%2E/c",
  "https://client.example\\c",
  "https://client.example/a b",
  "https://Client.example/c",
  "HTTPS://client.example/c",
  "https://client.example./c",
  "https://127.0.0.1/c",
  "https://2130706433/c",
  "https://[::ffff:7f00:1]/c",
  "https://localhost/c",
  "http://localhost:3000/c",
  `https://client.example/${"c".repeat(1000)}`,
];

it("client documents: an id is an https URL with a path, in one form only (CIMD §3)", async ({ world, host }) => {
  for (const id of [...acceptedIds, ...refusedIds]) {
    const isAccepted = acceptedIds.includes(id);
    // Ten documents a minute come from one host.
    world.clock.advance(61);
    host.urls.splice(0);
    host.answer = () => Response.json(documentOf({ client_id: id }));
    const expected = isAccepted ? "code" : "400 client_document_url";
    assertEquals(await outcomeOf(world, { client_id: id }), expected, id);
    assertEquals(host.urls, isAccepted ? [id] : [], id);
  }
});

const unavailable: Readonly<Record<string, () => Response>> = {
  "the status 404": () => Response.json({ canary: 1 }, { status: 404 }),
  "the status 500": () => Response.json({ canary: 1 }, { status: 500 }),
  "the status 201": () => Response.json(documentOf(), { status: 201 }),
  "a redirect": () => Response.redirect("https://canary.example/", 302),
  "HTML": () => new Response(JSON.stringify(documentOf()), { headers: { "content-type": "text/html" } }),
  "no JSON": () => new Response("canary", { headers: { "content-type": "application/json" } }),
  "more than 5 KB": () => Response.json(documentOf({ canary: "x".repeat(5200) })),
  "no answer": () => {
    throw new TypeError("canary");
  },
};

test("client documents: a document that cannot be fetched is refused, shown nowhere, not cached (CIMD §4, §8.6)", async () => {
  for (const [name, answer] of Object.entries(unavailable)) {
    await withDocuments(async ({ world, host }) => {
      host.answer = answer;
      const response = await world.authorize(usual);
      const refusal = world.lastRefusal();
      assertEquals([response.status, refusal?.reason], [400, "client_document_unavailable"], name);
      const status = name === "a redirect" ? 302 : /^the status (\d+)/.exec(name)?.[1];
      const more = status === undefined ? undefined : { client_document: `answered ${status}` };
      assertEquals(world.journal.at(-1)?.facts.more, more, name);
      assert(!`${await response.text()}${JSON.stringify(refusal)}`.includes("canary"), name);
      host.answer = () => Response.json(documentOf());
      assertEquals(await outcomeOf(world), "code", name);
    });
  }
});

/** Each line: the changed members of the document, and the place that the refusal names. */
const invalid: readonly (readonly [changed: Readonly<Record<string, unknown>>, place: string])[] = [
  [{ client_id: undefined }, "client_id must"],
  [{ client_id: "https://client.example/oauth/other.json" }, "client_id must"],
  [{ client_id: clientId.toUpperCase() }, "client_id must"],
  [{ client_secret: "s" }, "client_secret must"],
  [{ client_secret: null }, "client_secret must"],
  [{ client_secret_expires_at: 0 }, "client_secret_expires_at must"],
  [{ token_endpoint_auth_method: "client_secret_basic" }, "token_endpoint_auth_method must"],
  [{ token_endpoint_auth_method: "client_secret_jwt" }, "token_endpoint_auth_method must"],
  [{ token_endpoint_auth_method: "unknown" }, "token_endpoint_auth_method must"],
  [{ token_endpoint_auth_method: "private_key_jwt" }, "jwks or jwks_uri must"],
  [{ jwks: { keys: [sampleKey] } }, "jwks.keys[0] must"],
  [{ jwks: { keys: [publicKey, { kty: "oct", k: "c2VjcmV0" }] } }, "jwks.keys[1] must"],
  [{ jwks: { keys: [publicKey] }, jwks_uri: "https://client.example/jwks" }, "jwks must"],
  [{ jwks_uri: "http://10.0.0.1/jwks" }, "jwks_uri must"],
  [{ jwks_uri: "data:application/json,{}" }, "jwks_uri must"],
  [{ backchannel_logout_uri: "file:///etc/passwd" }, "backchannel_logout_uri must"],
  [{ redirect_uris: [] }, "redirect_uris must"],
  [{ redirect_uris: "https://client.example/cb" }, "redirect_uris must"],
  [{ redirect_uris: ["http://client.example/cb"] }, "redirect_uris[0] must"],
  [{ redirect_uris: [redirectUri, "javascript:alert(1)"] }, "redirect_uris[1] must"],
  [{ client_name: 7 }, "client_name must"],
];

it("client documents: an invalid document is refused with the place of its mistake, and not cached (CIMD §4)", async ({ world, host }) => {
  for (const [changed, place] of invalid) {
    world.clock.advance(61);
    host.answer = () => Response.json(documentOf(changed));
    assertEquals(await outcomeOf(world), "400 client_document_invalid", JSON.stringify(changed));
    const expected = world.lastRefusal()?.expected;
    assert(expected?.startsWith(place), `${expected} for ${JSON.stringify(changed)}`);
    assert(expected?.endsWith(`in the document at ${clientId}`), expected);
  }
  for (const value of [[], "text", 7, null, true]) {
    host.answer = () => Response.json(value);
    assertMatch(await outcomeOf(world), /^400 client_document_(invalid|unavailable)$/, String(value));
  }
  host.answer = () => Response.json(documentOf());
  assertEquals(await outcomeOf(world), "code");
});

test("client documents: members that only an operator may set have no effect", async () => {
  const changed = {
    ...{ allow_private_http: true, require_pkce: false, remember_consent: true, oauth_version: "2.0" },
    ...{ introspects: ["https://api.example/"], unknown: { deep: [1] }, client_uri: null },
    grant_types: ["authorization_code", "refresh_token", "client_credentials", "urn:unknown"],
    response_types: ["code", "token"],
  };
  await withDocument(documentOf(changed), async (world) => {
    const withoutPkce = {
      code_challenge: undefined,
      code_challenge_method: undefined,
      nonce: "n",
      scope: "openid",
    };
    assertEquals(await outcomeOf(world, withoutPkce), "400 challenge_missing");
    assertEquals((await tokensOf(world))["status"], 200);
    const own = await world.post("/oauth2/token", {
      grant_type: "client_credentials",
      client_id: clientId,
    });
    assertEquals((await own.json()).error, "unauthorized_client");
  });
});

test("client documents: private_key_jwt works with jwks and jwks_uri, also as one of the document's methods (CIMD §4.1)", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const { privateKey: other } = await generateKeyPair("ES256", { extractable: true });
  const keys = [{ kty: "EC", crv: "P-384" }, { ...await exportJWK(publicKey), kid: "es" }];
  const jwksUri = "https://keys.example/jwks";
  const method = { token_endpoint_auth_method: "private_key_jwt" };
  // RP Metadata Choices.
  const methods = {
    token_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt", "none"],
  };
  const sources = [
    { ...method, jwks: { keys } },
    { ...method, jwks_uri: jwksUri },
    { ...methods, jwks: { keys } },
  ];
  for (const source of sources) {
    await withDocuments(async ({ world, host }) => {
      host.answer = (url) => Response.json(url === jwksUri ? { keys } : documentOf(source));
      const code = await world.code(usual);
      const redeem = async (key?: CryptoKey) => {
        const proof = key === undefined ? { client_id: clientId } : {
          client_id: undefined,
          ...show(await assertion(world, { clientId, key })),
        };
        const response = await world.redeem(code, { ...usual, ...proof });
        return response.status === 200 ? 200 : world.lastRefusal()?.reason;
      };
      assertEquals([await redeem(), await redeem(other), await redeem(privateKey)], [
        "secret_missing",
        "assertion_signature",
        200,
      ]);
    });
  }
});

test("client documents: a document is used again for the lifetime that its answer gives, within bounds (CIMD §5.2)", async () => {
  const lines: readonly (readonly [cacheControl: string | undefined, seconds: number])[] = [
    [undefined, 900],
    ["max-age=300", 300],
    ["max-age=31536000", 86_400],
    ["max-age=0", 60],
    ["no-store", 60],
  ];
  for (const [cacheControl, seconds] of lines) {
    await withDocuments(async ({ world, host }) => {
      host.answer = () => {
        const response = Response.json(documentOf());
        if (cacheControl !== undefined) response.headers.set("cache-control", cacheControl);
        return response;
      };
      await outcomeOf(world);
      world.clock.advance(seconds - 1);
      await outcomeOf(world);
      assertEquals(host.urls.length, 1, `${cacheControl}`);
      world.clock.advance(2);
      await outcomeOf(world);
      assertEquals(host.urls.length, 2, `${cacheControl}`);
    });
  }
});

it("client documents: an approved client works while its host is out of reach, and no longer if the document is gone", async ({ world, host }) => {
  const { refresh_token } = await tokensOf(world);
  world.clock.advance(86_400);
  host.answer = unavailable["no answer"]!;
  const refresh = {
    grant_type: "refresh_token",
    refresh_token: String(refresh_token),
    client_id: clientId,
  };
  const refreshed = await world.post("/oauth2/token", refresh);
  assertEquals(refreshed.status, 200);
  const next = { ...refresh, refresh_token: (await refreshed.json()).refresh_token };
  host.answer = unavailable["the status 404"]!;
  await assertRefused(
    world,
    world.post("/oauth2/token", next),
    "400 invalid_client client_document_unavailable",
  );
  host.answer = () => Response.json(documentOf({ client_secret: "s" }));
  assertEquals(await outcomeOf(world), "400 client_document_invalid");
});

test("client documents: an approved client works while its host has no address, or is too slow", async () => {
  const store = memoryStore();
  // No name server has a label of 64 characters (RFC 1035 §2.3.4).
  const client_id = `https://${"c".repeat(64)}.example/c`;
  const { timeout } = AbortSignal;
  const patience = new AbortController();
  const never = () => {
    patience.abort();
    return new Promise<Response>(() => {});
  };
  const first = () => Promise.resolve(Response.json(documentOf({ client_id })));
  AbortSignal.timeout = () => patience.signal;
  try {
    for (const [days, options] of [{ fetch: first }, {}, { fetch: never }].entries()) {
      await inWorld({ store, clients: [], ...options }, async (world) => {
        world.clock.advance(days * 86_400);
        assertEquals(await outcomeOf(world, { client_id }), "code");
      });
    }
  } finally {
    AbortSignal.timeout = timeout;
  }
});

it("client documents: only if the host is out of reach, the refusal suggests to do without them", async ({ world, host }) => {
  for (
    const [name, remedy] of [["no answer", { clientDocuments: false }], [
      "the status 404",
      undefined,
    ]] as const
  ) {
    host.answer = unavailable[name]!;
    assertEquals(await outcomeOf(world), "400 client_document_unavailable");
    const refusal = world.lastRefusal()!;
    assertEquals(refusal.remedy === undefined ? undefined : JSON.parse(refusal.remedy), remedy, name);
    assertEquals(refusal.change?.includes("clientDocuments"), remedy !== undefined, name);
  }
});

it("client documents: a changed document keeps the grants, and its client is not approved any more (CIMD §8.4)", async ({ world, host }) => {
  const { refresh_token } = await tokensOf(world);
  // A client that a person has approved gets its errors at its redirect URI.
  const wrong = { ...usual, response_type: "token" };
  assertEquals(await outcomeOf(world, wrong), "unsupported_response_type");
  host.answer = () => Response.json(documentOf({ client_name: "Another name" }));
  world.clock.advance(901);
  assertEquals(await outcomeOf(world, wrong), "400 response_type_unsupported");
  const form = { grant_type: "refresh_token", refresh_token: String(refresh_token), client_id: clientId };
  assertEquals((await world.post("/oauth2/token", form)).status, 200);
});

test("client documents: a client is kept for seven days since its last use, and then its grants end", async () => {
  const day = 86_400;
  const store = memoryStore();
  let writes = 0;
  // Another server is always quicker, once.
  const put: Store["put"] = (kind, ...rest) =>
    kind.name === "client" && writes++ % 2 === 1 ? Promise.resolve(undefined) : store.put(kind, ...rest);
  await withDocuments(async ({ world }) => {
    let { refresh_token } = await tokensOf(world);
    const use = async () => {
      const response = await refresh(world, String(refresh_token), { client_id: clientId });
      if (response.status === 200) ({ refresh_token } = await response.json());
      return response.status;
    };
    for (let index = 0; index < 4; index++) {
      world.clock.advance(5 * day);
      assertEquals(await use(), 200);
    }
    world.clock.advance(7 * day);
    assertEquals(await use(), 400);
    // Nor does a new approval give them back.
    await tokensOf(world);
    assertEquals(await use(), 400);
  }, { store: { ...store, put } });
});

// Its time is twice as long as its tokens need it, and begins anew once a day at least.
const prolonging = [[600, [300, 300, 1], [0, 0, 1]], [864_000, [86_399, 1, 86_399, 1], [
  0,
  1,
  0,
  1,
]]] as const;

for (const [refreshIdle, steps, expected] of prolonging) {
  test(`client documents: with ${refreshIdle} s, only a refresh that prolongs the time of the client writes it`, () => {
    const store = countingStore();
    const count = (kind: string) => store.writes.filter((line) => line.startsWith(`put ${kind} `)).length;
    return withDocuments(async ({ world }) => {
      let tokens = await tokensOf(world);
      await world.code(usual);
      assertEquals(count("client_places"), 1);
      for (const [index, seconds] of steps.entries()) {
        store.forget();
        world.clock.advance(seconds);
        const sent = refresh(world, String(tokens["refresh_token"]), { client_id: clientId });
        tokens = { ...await readTokens(await sent) };
        assertEquals(count("client"), expected[index]);
      }
    }, { store, lifetimes: { refreshIdle, accessToken: 60 } });
  });
}

test("client documents: a client that ends while its code is redeemed gets no tokens", () => {
  const interrupted = interruptedStore("get", "grant");
  const { store } = interrupted;
  return withDocuments(async ({ world }) => {
    const code = await world.code(usual);
    interrupted.meanwhile = () => store.delete({ name: "client" }, clientId);
    await assertRefused(world, world.redeem(code, usual), "400 invalid_grant code_of_another_client");
  }, { store });
});

test("client documents: a document that the store cannot keep is an error of the server", () => {
  const interrupted = interruptedStore("put", "client_document");
  interrupted.meanwhile = () => Promise.reject(new StoreUnavailable("full"));
  return withDocuments(async ({ world }) => {
    assertEquals(await outcomeOf(world), "503 store_unavailable");
  }, { store: interrupted.store });
});

test("client documents: two servers on one store share documents, approvals and grants", async () => {
  const store = memoryStore();
  const hosts = [createHost(), createHost()] as const;
  const [one, two] = hosts.map((host) => createWorld({ store, clients: [], fetch: fetchFrom(host) })) as [
    World,
    World,
  ];
  const code = await one.code(usual);
  const response = await two.redeem(code, usual);
  assertEquals(response.status, 200);
  const { refresh_token } = await response.json();
  const form = { grant_type: "refresh_token", refresh_token, client_id: clientId };
  assertEquals((await one.post("/oauth2/token", form)).status, 200);
  assertEquals(hosts.map(({ urls }) => urls.length), [1, 0]);
  await Promise.all([one.close(), two.close()]);
});

it("client documents: two approvals at the same time give grants that both stay valid", async ({ world }) => {
  await outcomeOf(world, { response_type: "token" });
  const codes = await Promise.all([world.code(usual), world.code(usual)]);
  for (const code of codes) assertEquals((await world.redeem(code, usual)).status, 200);
});

test("client documents: 200 clients are kept, and the next one gets 429", async () => {
  const store = memoryStore();
  await withDocuments(async ({ world, host }) => {
    host.answer = (url) => Response.json(documentOf({ client_id: url }));
    const clientOf = (name: string) => ({ ...usual, client_id: `https://client.example/${name}` });
    await takeSeats(store, documentSource, 199, never);
    const first = clientOf("first");
    assertEquals((await world.redeem(await world.code(first), first)).status, 200);
    const refuse = async (name: string) => {
      const response = await world.authorize(clientOf(name));
      assertEquals([response.status, world.lastRefusal()?.reason], [429, "client_documents_full"]);
    };
    await refuse("next");
    // A second login whose code expires takes nothing from the tokens of the first one.
    await world.code(first);
    world.clock.advance(1000);
    await refuse("later");
    // The last token of the first one has ended, and the time in which it could have got another one.
    world.clock.advance(2 * 3600);
    // But a new code of it is valid for five minutes, and for two more at a server whose clock is behind.
    await world.code(first);
    await refuse("later");
    world.clock.advance(419);
    await refuse("later");
    world.clock.advance(1);
    assertEquals((await world.authorize(clientOf("later"))).status, 303);
  }, { store, lifetimes: { accessToken: "1h", refreshIdle: "1h" } });
});

it("client documents: more than ten fetches a minute get 429, with Retry-After", async ({ world, host }) => {
  host.answer = (url) => Response.json({}, { status: url.length > 0 ? 404 : 200 });
  for (let index = 0; index < 10; index++) {
    await outcomeOf(world, { client_id: `https://h${index}.example/c` });
  }
  const response = await world.authorize(usual);
  assertEquals([response.status, response.headers.get("retry-after")], [429, "60"]);
  assertEquals([world.lastRefusal()?.reason, host.urls.length], ["client_document_limit", 10]);
});

it("client documents: an approved client works although its host gets too many fetches", async ({ world, host }) => {
  assertEquals(await outcomeOf(world), "code");
  world.clock.advance(86_400);
  for (let index = 0; index < 10; index++) await outcomeOf(world, { client_id: `${clientId}/${index}` });
  assertEquals(await outcomeOf(world, { client_id: `${clientId}/10` }), "429 client_document_limit");
  assertEquals([await outcomeOf(world), host.urls.length], ["code", 11]);
});

test("client documents: first use gives no client an id that is a URL", () =>
  withDocuments(async ({ world, host }) => {
    host.answer = unavailable["the status 404"]!;
    const outcome = await outcomeOf(world, { redirect_uri: "http://127.0.0.1:3000/cb" });
    assertEquals(outcome, "400 client_document_unavailable");
  }, { firstUse: true }));

// Parsers skip what stands before the scheme here, or read the rest as a URL although it has no slashes.
const leads = ["", "\r\n", ..." \t\n\f\v\0\x1f\x85\xa0\u2028\u3000\ufeff\u200b"];
const almostUrls = [
  "https:evil.example/x",
  "https:x",
  "http:",
  "https:\\\\x",
  "HTTPS:/x",
  "hTTp:\\x/y",
  "http:///x/y",
];

test("client documents: an id that begins with http: or https: is a document's URL or refused (CIMD §3)", async () => {
  const spellings = [...almostUrls, ...leads.map((lead) => `${lead}https:evil.example/x`)];
  for (const [clientDocuments, expected] of [[false, "client_id_is_url"], [true, "client_document_url"]]) {
    await withDocuments(async ({ world, host }) => {
      for (const id of [...spellings, " https://client.example/c", "\ufeffHttps://client.example/c"]) {
        const asked = { client_id: id, redirect_uri: "http://127.0.0.1:3000/cb" };
        const name = JSON.stringify([clientDocuments, id]);
        assertEquals(await outcomeOf(world, asked), `400 ${expected}`, name);
      }
      const pushed = await world.post("/oauth2/par", { ...usual, client_id: "https:x" });
      const { reason, remedy } = world.lastRefusal()!;
      assertEquals([pushed.status, reason], [400, expected]);
      const option = clientDocuments ? undefined : JSON.stringify({ clientDocuments: true }, null, 2);
      assertEquals(remedy, option);
      assertEquals(host.urls, []);
    }, { clientDocuments: clientDocuments as boolean, firstUse: true });
  }
});

it("client documents: a request with a secret fetches no document, because it has no secret (CIMD §4.1)", async ({ world, host: { urls } }) => {
  for (const path of ["/oauth2/token", "/oauth2/par"]) {
    for (const [id, secret] of [[clientId, "s"], ["https%3A app", "s"]] as const) {
      const { status } = await world.post(path, { grant_type: "client_credentials" }, basic(id, secret));
      assertEquals([status, world.lastRefusal()?.reason, urls], [401, "client_unknown", []], `${path} ${id}`);
    }
  }
});

test("client documents: a URL later in the id, or a scheme that only begins alike, leaves an id of first use", () =>
  withDocuments(async ({ world }) => {
    const ids = ["my https://client.example/c", "httpsx:app", "http", "xhttps://client.example/c"];
    for (const client_id of ids) {
      assertEquals(await outcomeOf(world, { client_id, redirect_uri: "http://127.0.0.1:3000/cb" }), "code");
    }
  }, { firstUse: true }));

test("client documents: a configured client may have a URL as its id, and nothing is fetched", async () => {
  const clients = [{ client_id: clientId, redirect_uris: [redirectUri] }];
  await withDocuments(async ({ world, host: { urls } }) => {
    assertEquals([await outcomeOf(world), urls.length], ["code", 0]);
  }, { clients });
});

test("client documents: no client has the sub of a person as its id (OpenID Connect Registration §3.2)", async () => {
  const people = [{ username: "alice", sub: clientId }];
  await withDocuments(async ({ world, host: { urls } }) => {
    assertEquals([await outcomeOf(world), urls.length], ["400 client_document_url", 0]);
  }, { people });
});

test("client documents: the consent page shows the hosts of the client and of its redirect URI, escaped (CIMD §8.5)", async () => {
  const markup = "<img src=x onerror=alert(1)>";
  const document = documentOf({
    client_name: markup,
    logo_uri: "https://tracker.example/logo.png",
    redirect_uris: ["https://answers.example/cb"],
  });
  await withDocument(document, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(
      world.authorizeUrl({ ...usual, redirect_uri: "https://answers.example/cb" }),
    );
    const consent = await browser.submit(page, { person: "alice" });
    assertMatch(consent.html, /id="client-id">https:\/\/<strong class="host">client\.example</);
    assertMatch(consent.html, /id="redirect-uri">https:\/\/<strong class="host">answers\.example</);
    const warning = textOf(byId(readHtml(consent.html), "unverified"));
    assertMatch(warning, /^Unverified\. The document at this client's id describes it/);
    assert(!consent.html.includes("<img src=x"), "no markup of the document");
    assert(!consent.html.includes("tracker.example"));
  }, { login: "picker" });
});

test("client documents: the consent page warns if only this machine receives the code, but the document is elsewhere (CIMD §8.5)", async () => {
  const here = ["http://127.0.0.1:4000/cb", "http://localhost/cb"];
  const localId = "http://localhost:3000/client.json";
  const cases: readonly (readonly [id: string, redirectUris: readonly string[], hasWarning: boolean])[] = [
    [clientId, here, true],
    [clientId, [...here, redirectUri], false],
    [clientId, ["com.example.app:/cb", here[0]!], false],
    [localId, here, false],
  ];
  for (const [id, redirect_uris, hasWarning] of cases) {
    await withDocument(documentOf({ client_id: id, redirect_uris }), async (world) => {
      const browser = createBrowser(world);
      const url = world.authorizeUrl({ client_id: id, redirect_uri: here[0]! });
      const { html } = await browser.submit(await browser.open(url), { person: "alice" });
      assertMatch(html, /id="approve"/);
      const warning = findById(readHtml(html), "answers-on-loopback");
      assertEquals(
        warning && textOf(warning),
        hasWarning
          ? "The code goes to a program on this machine. The server cannot check that this program is from client.example."
          : undefined,
        redirect_uris.join(),
      );
    }, { login: "picker", ...(id === localId ? { issuer: "http://localhost:9000" } : {}) });
  }
});

test("client documents: a document without client_name works, with an advice in the journal", async () => {
  const adviceOf = async (changed: Readonly<Record<string, unknown>>) => {
    let advice: readonly (string | undefined)[] = [];
    await withDocument(documentOf(changed), async (world) => {
      assertEquals((await tokensOf(world))["status"], 200);
      advice = world.journal.map(({ facts }) => facts.advice?.reason);
    });
    return advice;
  };
  assertEquals(await adviceOf({ client_name: undefined }), ["client_document_without_name", undefined]);
  assertEquals(await adviceOf({}), [undefined, undefined]);
});

test("client documents: a document without a method is refused if clientAuthMethods excludes none (CIMD §4.1)", async () => {
  const clientAuthMethods = ["private_key_jwt"];
  await withDocuments(async ({ world }) => {
    assertEquals(await outcomeOf(world), "400 client_document_invalid");
    assertEquals(
      world.lastRefusal()?.expected,
      `token_endpoint_auth_method must be one of private_key_jwt, in the document at ${clientId}`,
    );
  }, { clientAuthMethods });
});

it("client documents: the front page says that the document describes the client", async ({ world }) => {
  await tokensOf(world);
  const clients = textOf(byId(readHtml(await (await world.get("/")).text()), "clients"));
  assertMatch(clients, /Client document.*https:\/\/client\.example\/oauth\/client\.json/);
});

test("client documents: consent is asked each time (CIMD §8.4)", () =>
  withDocuments(async ({ world }) => {
    const browser = createBrowser(world);
    for (let index = 0; index < 2; index++) {
      let page = await browser.open(world.authorizeUrl(usual));
      if (index === 0) page = await browser.submit(page, { person: "alice" });
      assertMatch(page.html, /id="approve"/);
      await browser.submit(page, { decision: "approve" });
    }
  }, { login: "picker" }));
