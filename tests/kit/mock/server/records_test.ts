/** A test kit over a store that outlives it, as `postern start --control --store` has one. */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import type { Mock } from "../../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../../src/kit/mock/started_mock.ts";
import { testKeysFor } from "../../../../src/kit/mock/server/test_keys.ts";
import type { MockOptions } from "../../../../src/kit/mock/terms/mock_options.ts";
import { fixedKeySet, keySets } from "../../../../src/server/setup/key_set.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { never, partOfStore, type Store } from "../../../../src/server/store/store.ts";
import { test } from "../../../runner.ts";
import { authorizeUrl as authorizeUrlOf } from "../authorize_url.ts";
import { createSignal } from "../../../signal.ts";
import { type Browser, createBrowser, type World } from "../../../world.ts";

const options: MockOptions = { alg: "ES256", firstUse: true };

async function open(store?: Store): Promise<Mock> {
  return (await createStartedMock(options, { store })).mock;
}

const authorizeUrl = ({ issuer }: Mock, changed: Readonly<Record<string, string>> = {}) =>
  authorizeUrlOf(issuer, {
    client_id: "app-confidential",
    redirect_uri: "http://127.0.0.1/callback",
    ...changed,
  }).href;

/** A store that already has signing keys, because making an RSA key takes long. */
async function storeWithKeys(): Promise<Store> {
  const store = memoryStore();
  const keySet = fixedKeySet(testKeysFor(["ES256", "RS256"]), "ES256");
  await store.put(keySets, "signing", keySet, { expiresAt: never, now: 0 });
  return store;
}

/** A browser at the mock, with the cookies of an earlier one. */
function browse(as: Mock, earlier?: Browser): Browser {
  const world = { issuer: as.issuer, fetch: (request: Request) => as.fetch(request, { redirect: "manual" }) };
  const browser = createBrowser(world as World);
  for (const [name, value] of earlier?.cookies ?? []) browser.cookies.set(name, value);
  return browser;
}

test("records: grants, sign-ins, consents and clients outlive the test kit, and what a test turned does not", async () => {
  const store = await storeWithKeys();
  const first = await open(store);
  const tokens = await first.login("bob", { client: "app-confidential" });
  const browser = browse(first);
  const signIn = await browser.open(authorizeUrl(first));
  const consent = await browser.submit(signIn, { person: "alice" });
  await browser.submit(consent, { decision: "approve" });
  const registered = await first.register();
  const newcomer = { client_id: "newcomer", redirect_uri: "http://localhost:3000/cb" };
  await first.authorize(authorizeUrl(first, newcomer), { as: "alice" });
  first.clock.advance("1h");
  first.on("userinfo", () => ({ sub: "changed" }));
  const kid = await firstKeyOf(first);
  await first.close();

  const second = await open(store);
  assertEquals([second.clock.now < first.clock.now, second.requests.length], [true, 0]);
  assertEquals(await firstKeyOf(second), kid);
  const { leftFor } = await browse(second, browser).open(authorizeUrl(second, { prompt: "none" }));
  assert(new URL(leftFor!).searchParams.has("code"), leftFor);
  const refreshed = await second.refresh(tokens.refresh_token!, { client: "app-confidential" });
  const userinfo = await second.fetch(`${second.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${refreshed.access_token}` },
  });
  assertEquals((await userinfo.json()).sub, "bob");
  const loaded = await second.fetch(`${registered["registration_client_uri"]}`, {
    headers: { authorization: `Bearer ${registered["registration_access_token"]}` },
  });
  assertEquals((await loaded.json()).client_id, registered.client_id);
  const page = await (await second.fetch(`${second.issuer}/`)).text();
  assert(page.includes(">newcomer<"), page);
  await second.close();
  await store.close();
});

test("records: a reset deletes them, also those of tenants that no call has named yet, but not the signing keys", async () => {
  const store = await storeWithKeys();
  const first = await open(store);
  const ofTenant = await first.tenant("acme").login("bob");
  await first.close();

  const second = await open(store);
  const own = await second.login("bob");
  const kid = await firstKeyOf(second);
  second.reset();
  await assertRejects(() => second.refresh(own), Error, "refresh token");
  await assertRejects(
    () => second.tenant("acme").refresh(ofTenant.refresh_token!, { client: "app" }),
    Error,
    "refresh token",
  );
  assertEquals(await firstKeyOf(second), kid);
  const kinds = [];
  for await (const kind of store.kinds!()) kinds.push(kind);
  assertEquals(kinds.filter((kind) => /grant|session|client$/.test(kind)), []);
  assertEquals((await second.refresh(await second.login("bob"))).token_type, "Bearer");
  await second.close();
});

test("records: a reset deletes them, also if the tenant is closed immediately and nothing else is used", async () => {
  const store = await storeWithKeys();
  const as = await open(store);
  const acme = as.tenant("acme");
  await acme.login("bob");
  acme.reset();
  await acme.close();
  const kinds = [];
  for await (const kind of store.kinds!()) kinds.push(kind);
  assertEquals(kinds.filter((kind) => /grant|session/.test(kind)), []);
  await as.close();
  await store.close();
});

test("records: where each name is an issuer, the test kit has the same part of the store as the server without it", async () => {
  const store = memoryStore();
  const keySet = fixedKeySet(testKeysFor(["ES256", "RS256"]), "ES256");
  await partOfStore(store, "default").put(keySets, "signing", keySet, { expiresAt: never, now: 0 });
  const navikt = { ...options, paths: "navikt", issuer: "http://localhost:9000/default" } as const;
  const { mock } = await createStartedMock(navikt, { store });
  assertEquals((await mock.login("bob")).token_type, "Bearer");
  await mock.close();
  const kinds = [];
  for await (const kind of store.kinds!()) kinds.push(kind);
  assertEquals(kinds.filter((kind) => !kind.startsWith("default/")), []);
  assert(kinds.includes("default/grant"), `${kinds}`);
});

test("records: a reset of a tenant keeps those of the mock and of other tenants", async () => {
  const store = await storeWithKeys();
  const as = await open(store);
  const [own, acme, blue] = [as, as.tenant("acme"), as.tenant("blue")];
  const logins = [await own.login("bob"), await acme.login("bob"), await blue.login("bob")] as const;
  acme.reset();
  await assertRejects(() => acme.refresh(logins[1]), Error, "refresh token");
  assertEquals((await own.refresh(logins[0])).token_type, "Bearer");
  assertEquals((await blue.refresh(logins[2])).token_type, "Bearer");
  await as.close();
});

for (const slowKind of ["session", "grant"]) {
  test(`records: a request that was writing a ${slowKind} during a reset leaves nothing behind`, async () => {
    const slow = createSignal();
    const arrival = createSignal();
    const memory = await storeWithKeys();
    const store: Store = {
      ...memory,
      async put(kind, id, value, terms) {
        if (kind.name === slowKind) {
          arrival.give();
          await slow.given;
        }
        return await memory.put(kind, id, value, terms);
      },
    };
    const as = await open(store);
    const login = as.login("bob").catch(() => "refused");
    await arrival.given;
    as.reset();
    const next = as.login("alice");
    slow.give();
    assertEquals(await login, "refused");
    await next;
    const subjects = [];
    for await (const { value } of memory.list!<{ readonly subject: string }>({ name: "grant" })) {
      subjects.push(value.subject);
    }
    assertEquals(subjects, ["alice"]);
    await as.close();
  });
}

async function openWith(verb: "put" | "delete", before: () => Promise<void>): Promise<Mock> {
  const memory = await storeWithKeys();
  const call: Store["put"] = memory[verb].bind(memory) as Store["put"];
  return await open({
    ...memory,
    async [verb](...terms: Parameters<Store["put"]>) {
      await before();
      return await call(...terms);
    },
  });
}

test("records: a reset while restored records are written deletes them, too", async () => {
  const [slow, arrival] = [createSignal(), createSignal()];
  let wait = async () => {};
  const as = await openWith("put", () => wait());
  const tokens = await as.login("bob");
  await as.restore(await as.snapshot());
  wait = () => (arrival.give(), slow.given);
  const login = as.login("alice").catch(() => "refused");
  await arrival.given;
  as.reset();
  slow.give();
  assertEquals(await login, "refused");
  await assertRejects(() => as.refresh(tokens), Error, "refresh token");
  await as.close();
});

test("records: a snapshot that is restored during the deletion of a reset returns, also that of a tenant", async () => {
  const [slow, arrival] = [createSignal(), createSignal()];
  const as = await openWith("delete", () => (arrival.give(), slow.given));
  const acme = as.tenant("acme");
  const tokens = [await as.login("bob"), await acme.login("bob")] as const;
  const snapshot = await as.snapshot();
  as.reset();
  await arrival.given;
  await as.restore(snapshot);
  slow.give();
  assertEquals((await Promise.all([as.refresh(tokens[0]), acme.refresh(tokens[1])])).length, 2);
  await as.close();
});

test("records: a reset deletes 250 records at a time", async () => {
  const memory = await storeWithKeys();
  const kind = { name: "many" };
  for (let count = 0; count < 600; count++) {
    await memory.put(kind, `${count}`, 1, { expiresAt: never, now: 0 });
  }
  let running = 0;
  let most = 0;
  const as = await open({
    ...memory,
    async delete(...args) {
      most = Math.max(most, ++running);
      // The list goes on meanwhile.
      await new Promise((resolve) => setTimeout(resolve));
      await memory.delete(...args);
      running--;
    },
  });
  as.reset();
  await as.login("bob");
  assertEquals([most, await memory.get(kind, "599", 0)], [250, undefined]);
  await as.close();
});

test("records: after a deletion that failed, requests are refused until the records are gone", async () => {
  const memory = await storeWithKeys();
  let isBroken = false;
  const store: Store = {
    ...memory,
    delete: (kind, id) => isBroken ? Promise.reject(new Error("disk full")) : memory.delete(kind, id),
  };
  const as = await open(store);
  const tokens = await as.login("bob");
  isBroken = true;
  as.reset();
  await assertRejects(() => as.login("alice"));
  isBroken = false;
  await assertRejects(() => as.refresh(tokens), Error, "refresh token");
  await as.close();
});

test("records: a store without keys gets keys of its own, not the published test keys", async () => {
  const left = await open(memoryStore());
  const embedded = await open();
  assertNotEquals(await firstKeyOf(left), await firstKeyOf(embedded));
  await Promise.all([left, embedded].map((as) => as.close()));
});

async function firstKeyOf(as: Mock): Promise<string> {
  const { keys } = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
  return keys[0].kid;
}

test("records: the end of the test kit waits for the keys of a server from before a reset", async () => {
  const { subtle } = crypto;
  const generate = subtle.generateKey;
  const slow = createSignal();
  const first = createSignal();
  let began = 0;
  const generateSlowly = async (...terms: Parameters<typeof generate>) => {
    if (began++ === 0) {
      first.give();
      await slow.given;
    }
    return await generate.apply(subtle, terms);
  };
  Object.defineProperty(subtle, "generateKey", { value: generateSlowly, configurable: true });
  try {
    const as = await open(memoryStore());
    await first.given;
    as.reset();
    await as.login("alice");
    let isClosed = false;
    const closing = as.close().then(() => isClosed = true);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
    assertEquals([began, isClosed], [2, false]);
    slow.give();
    await closing;
  } finally {
    Reflect.deleteProperty(subtle, "generateKey");
  }
});
