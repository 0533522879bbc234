/** What the mock of a service worker keeps, for the next start of the worker. */

import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { forgetState, restoreState, type StateKeeper } from "../../../src/tools/browser/worker/kept_state.ts";
import { test } from "../../runner.ts";

test("kept state: a misbehaviour with times goes on after each start of the worker, and begins with none again", async () => {
  const store = memoryStore();
  /** Starts the worker, and ends it after `work`. */
  const runWorker = async (work: (as: Mock, keeper: StateKeeper) => Promise<void>) => {
    const started = await createStartedMock({ alg: "ES256" });
    await using as = started.mock;
    const keeper = await restoreState(started.partsOf(as), store);
    await work(as, keeper);
    await keeper.save();
  };
  const isWrong = async (as: Mock) => {
    const { id_token: token = "" } = await as.login("alice", { scope: "openid" });
    return decodeJwt(token).aud === "another-client";
  };
  await runWorker(async (as) => {
    as.misbehave("id_token.aud_wrong", { times: 3 });
    assertEquals(await isWrong(as), true);
  });
  await runWorker(async (as) => assertEquals(await isWrong(as), true));
  // Nothing has happened between these two starts.
  await runWorker(() => Promise.resolve());
  await runWorker(async (as) => assertEquals([await isWrong(as), await isWrong(as)], [true, false]));
  await runWorker(async (as) => assertEquals(await isWrong(as), false));
});

test("kept state: what the options name, and was switched off or removed, stays so", async () => {
  const store = memoryStore();
  const runWorker = async (work: (parts: ReturnType<typeof partsOf>) => void) => {
    const started = await createStartedMock({
      alg: "ES256",
      misbehave: ["id_token.aud_wrong"],
      lookLike: "github",
    });
    await using as = started.mock;
    const keeper = await restoreState(started.partsOf(as), store);
    work(partsOf(started.partsOf(as)));
    await keeper.save();
  };
  const partsOf = ({ switchedOn, tenant: { people } }: Parameters<typeof restoreState>[0]) => ({
    people,
    switchedOn,
    all: [...switchedOn.misbehaviours, ...switchedOn.lookAlikes].length,
  });
  await runWorker(({ all, people, switchedOn }) => {
    assertEquals([all, people.get("bob")?.username], [2, "bob"]);
    people.remove("bob");
    for (const { misbehaving } of [...switchedOn.misbehaviours]) misbehaving[Symbol.dispose]();
    for (const { looking } of [...switchedOn.lookAlikes]) looking[Symbol.dispose]();
  });
  await runWorker(({ all, people }) => assertEquals([all, people.get("bob")], [0, undefined]));
});

test("kept state: of the exchanges, the last 300 are kept, and a reset of the journal forgets all before it", async () => {
  const store = memoryStore();
  const started = await createStartedMock({ alg: "ES256" });
  await using as = started.mock;
  const keeper = await restoreState(started.partsOf(as), store);
  const listKept = async () => {
    const ids: string[] = [];
    for await (const { id } of store.list!({ name: "exchange" })) ids.push(id);
    // Other stores list them in this order.
    assertEquals(ids, ids.toSorted());
    return [ids.length, Number(ids[0]), Number(ids.at(-1))];
  };
  for (const [count, kept] of [[299, [299, 1, 299]], [1, [300, 1, 300]], [2, [300, 3, 302]]] as const) {
    for (let sent = 0; sent < count; sent++) await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
    await keeper.save();
    assertEquals(await listKept(), [...kept]);
  }
  const other = await createStartedMock({ alg: "ES256" });
  await using again = other.mock;
  await restoreState(other.partsOf(again), store);
  assertEquals([again.requests.length, again.requests.jwks.length], [300, 300]);
  as.reset();
  await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
  await keeper.save();
  assertEquals(await listKept(), [1, 303, 303]);
  const next = await createStartedMock({ alg: "ES256" });
  await using later = next.mock;
  const laterKeeper = await restoreState(next.partsOf(later), store);
  assertEquals(later.requests.jwks.map(({ status }) => status), [200]);
  await (await later.fetch(`${later.issuer}/oauth2/jwks`)).text();
  await laterKeeper.save();
  assertEquals(await listKept(), [2, 303, 304]);
});

test("kept state: people and clients that the next server refuses are gone, and those of the options serve", async () => {
  const store = memoryStore();
  const started = await createStartedMock({ alg: "ES256" });
  await using as = started.mock;
  const running = started.partsOf(as);
  const keeper = await restoreState(running, store);
  as.people.add({ username: "zoe" });
  await keeper.save();
  const { value } = (await store.get<{ clients: readonly object[] }>({ name: "state" }, "", 0))!;
  const unfit = { client_id: "shop", redirect_uris: ["no address"] };
  await store.put({ name: "state" }, "", { ...value, clients: [...value.clients, unfit] }, {
    ...{ now: 0, expiresAt: Number.MAX_SAFE_INTEGER },
  });
  const next = await createStartedMock({ alg: "ES256" });
  await using later = next.mock;
  await assertRejects(() => restoreState(next.partsOf(later), store), Error, "redirect_uris");
  assertEquals([later.people.get("zoe"), later.clients.get("shop")], [undefined, undefined]);
  // a directory with refused entries would fail at the next change
  later.people.add({ username: "yan" });
  later.clients.add({ client_id: "till", redirect_uris: ["http://localhost:3000/callback"] });
  assertEquals(typeof (await later.login("yan", { scope: "openid" })).id_token, "string");
});

test("kept state: the next start has each part as it was, also after a write has failed", async () => {
  const kept = memoryStore();
  let hasFailed = false;
  const put: typeof kept.put = async (kind, ...record) => {
    if (kind.name === "state" && !hasFailed) throw new Error(`The disk is full: ${hasFailed = true}`);
    return await kept.put(kind, ...record);
  };
  const store = { ...kept, put };
  const start = async () => {
    const started = await createStartedMock({ alg: "ES256" });
    const running = started.partsOf(started.mock);
    return { as: started.mock, running, keeper: await restoreState(running, store) };
  };
  const describe = ({ tenant, conditions, switchedOn }: Parameters<typeof restoreState>[0]) => ({
    people: tenant.people.all,
    clients: tenant.clients.all,
    clock: conditions.clock.state,
    wrong: switchedOn.misbehaviours.map(({ terms, misbehaving: { name } }) => [name, terms]),
    like: switchedOn.lookAlikes.map(({ terms, looking: { name } }) => [name, terms]),
    requests: [...tenant.requests].map(({ endpoint, path, status, lost }) => [endpoint, path, status, lost]),
  });
  const usual = await start();
  await using _usual = usual.as;
  const before = describe(usual.running);
  const first = await start();
  await using as = first.as;
  as.people.change("alice", { claims: { name: "Alicia" } });
  as.clients.add({ client_id: "late", redirect_uris: ["https://late.test/cb"] });
  as.clock.set("2031-02-03");
  as.clock.skew("1m");
  as.lookLike("okta", { client: "app", host: "acme.okta.com" });
  as.lookLike("google", { client: "late" });
  as.misbehave("id_token.aud_wrong", { client: "late", username: "bob" });
  as.misbehave("id_token.alg_none", { client: "app" });
  await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
  await assertRejects(() => first.keeper.save(), Error, "The disk is full");
  await first.keeper.save();
  const second = await start();
  await using _second = second.as;
  assertEquals(inJson(describe(second.running)), inJson(describe(first.running)));
  await forgetState(store);
  const third = await start();
  await using _third = third.as;
  assertEquals(inJson({ ...describe(third.running), requests: [] }), inJson(before));
});

const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
