/** What the mock of a service worker keeps, for the next start of the worker. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { restoreState, type StateKeeper } from "../../../src/tools/browser/worker/kept_state.ts";
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
    const ids: number[] = [];
    for await (const { id } of store.list!({ name: "exchange" })) ids.push(Number(id));
    return [ids.length, ids[0], ids.at(-1)];
  };
  for (const [count, kept] of [[299, [299, 1, 299]], [1, [300, 1, 300]], [2, [300, 3, 302]]] as const) {
    for (let sent = 0; sent < count; sent++) await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
    await keeper.save();
    assertEquals(await listKept(), [...kept]);
  }
  as.reset();
  await (await as.fetch(`${as.issuer}/oauth2/jwks`)).text();
  await keeper.save();
  assertEquals(await listKept(), [1, 303, 303]);
});
