/** Tests that every store must pass. They are exported for the authors of other stores. */
import { deepStrictEqual, notDeepStrictEqual, ok, rejects } from "node:assert/strict";
import { ended, type Entry, type Kind, type Store, sweepDelay } from "./store.ts";

/** The store of one test. */
export interface OpenedStore {
  /** A new and empty store. */
  readonly store: Store;
  /** Opens a second handle on the same records, if the store can. */
  readonly openAgain?: () => Promise<Store>;
  /** Removes the files of the store. It is called after all handles are closed. */
  readonly discard?: () => Promise<void>;
}

/** Options of the contract tests. */
export interface StoreContractOptions {
  /** The function of the test runner: `Deno.test`, or `test` from `bun:test`, `node:test` or `vitest`. */
  readonly test: (name: string, fn: () => Promise<void>) => void;
  /** The optional methods that the store does not have. */
  readonly without?: readonly ("sweep" | "list" | "kinds")[];
}

const note: Kind<unknown> = { name: "note" };
// Far from today, so that a store that reads a clock fails.
const now = 1_000_000;
const soon = { now, expiresAt: now + 60 };

const hostileNames = [
  ...["", " ", "a", "A", "a ", " a", "a\0", "a\0b", "a\0c", "\0"],
  ...["0", "1", "01", "1.0", "1e0", "null", "undefined"],
  ...["'", "''", '"', "`", "\\", "\\\\", "\\u0000", "\\'", "%", "_", "%_", "a%", "?", "$1", ":id", "@", ";"],
  ...["--", "/*", "'; DROP TABLE record; --", "' OR '1'='1"],
  ...["../../etc/passwd", "a/b", "a:b", "a.b", "a|b", "\n", "\r\n", "\t"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["\u00e9", "e\u0301", "ß", "ss", "İ", "i", "I", "ı", "😀", "👩‍👩‍👧"],
  ...["\ud800", "\udfff", "\ud83d", "\udfff\ud800", "\ufffd", "\uffff", "\u2028", "\u200b", "\ufeff", "\x7f"],
  "long ".repeat(400),
];

const hostileValues: readonly unknown[] = [
  ...hostileNames,
  ...[null, false, 0, -1.5, 2 ** 53 - 1, 1e300, [], {}, [null], [[[]]]],
  Object.fromEntries(hostileNames.map((name, index) => [name, index])),
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": null}'),
  "x".repeat(1_000_000),
  "\0😀\ud800".repeat(50_000),
];

/** Registers the tests. `open` creates a new store for each test. */
export function storeContract(
  name: string,
  open: () => Promise<OpenedStore>,
  options: StoreContractOptions,
): void {
  const without = new Set(options.without);

  function testBehaviour(behaviour: string, body: (opened: OpenedStore) => Promise<void>): void {
    options.test(`${name}: ${behaviour}`, async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.store.close();
        await opened.discard?.();
      }
    });
  }

  testBehaviour("get returns what was put, with its version and its end", async ({ store }) => {
    deepStrictEqual(await store.get(note, "a", now), undefined);
    const version = await store.put(note, "a", { text: "first" }, soon);
    requireValue(version);
    const entry = { value: { text: "first" }, version, expiresAt: now + 60 };
    deepStrictEqual(await store.get(note, "a", now), entry);
  });

  testBehaviour("a put without a condition always writes", async ({ store }) => {
    const first = await store.put(note, "a", 1, soon);
    const second = await store.put(note, "a", 2, { now, expiresAt: now + 90 });
    requireValue(second);
    notDeepStrictEqual(second, first);
    deepStrictEqual(await store.get(note, "a", now), { value: 2, version: second, expiresAt: now + 90 });
    const late = await store.put(note, "a", 3, { now: now + 200, expiresAt: now + 300 });
    deepStrictEqual(await findVersion(store, "a", now + 200), late);
  });

  testBehaviour("a put with `if: null` writes only when the id is free", async ({ store }) => {
    const first = await store.put(note, "a", 1, { ...soon, if: null });
    requireValue(first);
    deepStrictEqual(await store.put(note, "a", 2, { now, expiresAt: now + 999, if: null }), undefined);
    deepStrictEqual(await store.get(note, "a", now), { value: 1, version: first, expiresAt: now + 60 });
  });

  testBehaviour("a put with a version replaces that version, and no other", async ({ store }) => {
    const first = await store.put(note, "a", 1, soon) as string;
    const second = await store.put(note, "a", 2, { now, expiresAt: now + 90, if: first }) as string;
    requireValue(second);
    notDeepStrictEqual(second, first);
    for (const stale of [first, "", "0", "1", "null", `${second} `, ` ${second}`, `${second}\0`, "%"]) {
      const written = await store.put(note, "a", 3, { now, expiresAt: now + 999, if: stale });
      deepStrictEqual(written, undefined, stale);
    }
    deepStrictEqual(await store.get(note, "a", now), { value: 2, version: second, expiresAt: now + 90 });
  });

  testBehaviour("a put with a version creates nothing", async ({ store }) => {
    const version = await store.put(note, "a", 1, soon) as string;
    deepStrictEqual(await store.put(note, "b", 2, { ...soon, if: version }), undefined);
    deepStrictEqual(await store.get(note, "b", now), undefined);
    await store.delete(note, "a");
    deepStrictEqual(await store.put(note, "a", 3, { ...soon, if: version }), undefined);
    deepStrictEqual(await store.get(note, "a", now), undefined);
  });

  testBehaviour("delete removes one record; deleting an absent record does nothing", async ({ store }) => {
    await store.put(note, "a", 1, soon);
    await store.put(note, "b", 2, soon);
    await store.delete(note, "a");
    await store.delete(note, "a");
    await store.delete(note, "never");
    await store.delete({ name: "another" }, "b");
    deepStrictEqual(await store.get(note, "a", now), undefined);
    deepStrictEqual((await store.get(note, "b", now))?.value, 2);
    requireValue(await store.put(note, "a", 3, { ...soon, if: null }));
  });

  testBehaviour("a version never comes back for an id: not by delete, expiry or sweep", async ({ store }) => {
    const seen = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const start = now + round * 1000;
      const terms = { now: start, expiresAt: start + 10 };
      const created = await store.put(note, "a", "same", { ...terms, if: null }) as string;
      for (const earlier of seen) {
        deepStrictEqual(await store.put(note, "a", "stale", { ...terms, if: earlier }), undefined);
      }
      const replaced = await store.put(note, "a", "same", { ...terms, if: created }) as string;
      seen.add(created).add(replaced);
      deepStrictEqual(seen.size, 2 * round + 2);
      if (round % 3 === 0) await store.delete(note, "a");
      if (round % 3 === 1) await store.sweep?.(10, start + 10 + sweepDelay);
    }
  });

  testBehaviour("a record is absent from the second of `expiresAt` on, swept or not", async ({ store }) => {
    const version = await store.put(note, "a", 1, { now, expiresAt: now + 10 }) as string;
    requireValue(await store.get(note, "a", now + 9));
    requireValue(await store.get(note, "a", now + 9.999));
    deepStrictEqual(await store.get(note, "a", now + 10), undefined);
    deepStrictEqual(await store.get(note, "a", now + 11), undefined);
    const terms = { now: now + 10, expiresAt: now + 99 };
    const replaced = await store.put(note, "a", 2, { ...terms, if: version });
    deepStrictEqual(replaced, undefined, "a put with the old version fails");
    deepStrictEqual((await store.get(note, "a", now + 9))?.value, 1, "the failed put changed nothing");
    const early = await store.put(note, "a", 3, { ...terms, now: now + 9, if: null });
    deepStrictEqual(early, undefined, "one second earlier the id is taken");
    requireValue(await store.put(note, "a", 4, { ...terms, if: null }), "a put with `if: null` succeeds");
    deepStrictEqual((await store.get(note, "a", now + 98))?.value, 4);
  });

  testBehaviour("a put with a version can make the lifetime longer or shorter", async ({ store }) => {
    const first = await store.put(note, "a", 1, { now, expiresAt: now + 10 }) as string;
    const longer = await store.put(note, "a", 2, { now, expiresAt: now + 1000, if: first }) as string;
    deepStrictEqual((await store.get(note, "a", now + 999))?.value, 2);
    requireValue(await store.put(note, "a", 3, { now, expiresAt: now + 5, if: longer }));
    deepStrictEqual(await store.get(note, "a", now + 5), undefined);
  });

  testBehaviour("time comes from the caller alone", async ({ store }) => {
    for (const start of [0, now, 1e11, 0.5]) {
      await store.put(note, "a", start, { now: start, expiresAt: start + 2 });
      deepStrictEqual((await store.get(note, "a", start + 1))?.value, start);
      deepStrictEqual(await store.get(note, "a", start + 2), undefined);
      deepStrictEqual((await store.get(note, "a", start + 1))?.value, start, "the clock may be turned back");
    }
    await store.put(note, "ever", 1, { now, expiresAt: Number.MAX_SAFE_INTEGER });
    deepStrictEqual((await store.get(note, "ever", 1e12))?.expiresAt, Number.MAX_SAFE_INTEGER);
  });

  testBehaviour(
    "an expired record stays for an hour, because another clock may be behind",
    async ({ store }) => {
      const version = await store.put(note, "a", 1, { now, expiresAt: now + 10 }) as string;
      const late = now + 10 + sweepDelay - 1;
      // Many puts, because some stores remove expired records during a put.
      await Promise.all(
        upTo(300).map((id) => store.put(note, `${id}`, id, { now: late, expiresAt: late + 60 })),
      );
      deepStrictEqual(await store.get(note, "a", late), undefined);
      deepStrictEqual(await findVersion(store, "a", now + 9), version);
      const written = await store.put(note, "a", 2, { ...soon, if: null });
      deepStrictEqual(written, undefined, "the id is still taken");
    },
  );

  testBehaviour("a put with the end `ended` makes a record absent at every clock", async ({ store }) => {
    const version = await store.put(note, "a", 1, soon) as string;
    requireValue(await store.put(note, "a", 1, { now, expiresAt: ended, if: version }));
    for (const time of [1, now - 1e5, now, now + 1e5]) {
      deepStrictEqual(await store.get(note, "a", time), undefined);
    }
    requireValue(await store.put(note, "a", 2, { ...soon, if: null }), "the id is free");
  });

  testBehaviour("a time that is NaN is refused, or finds nothing", async ({ store }) => {
    await store.put(note, "a", 1, soon);
    await rejects(() => store.put(note, "a", 2, { now: NaN, expiresAt: now + 60, if: null }));
    await rejects(() => store.put(note, "a", 2, { now, expiresAt: NaN }));
    deepStrictEqual(await store.get(note, "a", NaN), undefined);
    await store.sweep?.(10, NaN);
    deepStrictEqual((await store.get(note, "a", now))?.value, 1);
  });

  testBehaviour("of 50 simultaneous puts with `if: null`, one wins", async ({ store }) => {
    const results = await Promise.all(
      upTo(50).map((value) => store.put(note, "a", value, { ...soon, if: null })),
    );
    await assertOneWinner(store, results);
  });

  testBehaviour("of 50 simultaneous puts with one version, one wins", async ({ store }) => {
    const version = await store.put(note, "a", "first", soon) as string;
    const results = await Promise.all(
      upTo(50).map((value) => store.put(note, "a", value, { ...soon, if: version })),
    );
    await assertOneWinner(store, results);
  });

  testBehaviour("50 simultaneous writers that read, add one and retry lose no count", async ({ store }) => {
    await store.put(note, "a", 0, soon);
    await Promise.all(
      upTo(50).map(async () => {
        for (;;) {
          const { value, version } = await store.get(note, "a", now) as Entry<unknown>;
          if (await store.put(note, "a", value as number + 1, { ...soon, if: version }) !== undefined) return;
        }
      }),
    );
    deepStrictEqual((await store.get(note, "a", now))?.value, 50);
  });

  testBehaviour("kinds do not share ids, with any names", async ({ store }) => {
    const kinds = hostileNames.map((name): Kind<unknown> => ({ name }));
    for (const [index, each] of kinds.entries()) await store.put(each, "c", index, soon);
    await store.put({ name: "a" }, "b:c", -1, soon);
    for (const [index, each] of kinds.entries()) {
      deepStrictEqual((await store.get(each, "c", now))?.value, index, `kind ${index}`);
    }
    await store.delete({ name: "a" }, "c");
    deepStrictEqual((await store.get({ name: "A" }, "c", now))?.value, hostileNames.indexOf("A"));
    deepStrictEqual((await store.get({ name: "a" }, "b:c", now))?.value, -1);
  });

  testBehaviour("an id is any text, and different texts are different ids", async ({ store }) => {
    for (const [index, id] of hostileNames.entries()) {
      requireValue(await store.put(note, id, index, { ...soon, if: null }), `id ${index} was taken`);
    }
    for (const [index, id] of hostileNames.entries()) {
      const entry = await store.get(note, id, now) as Entry<unknown>;
      deepStrictEqual(entry.value, index);
      requireValue(await store.put(note, id, 100 + index, { ...soon, if: entry.version }));
    }
    for (const [index, id] of hostileNames.entries()) {
      deepStrictEqual((await store.get(note, id, now))?.value, 100 + index);
      await store.delete(note, id);
      deepStrictEqual(await store.get(note, id, now), undefined);
    }
  });

  testBehaviour("kinds of up to 400 octets and ids of up to 2,000 are kept apart", async ({ store }) => {
    const kind = { name: createText(400) };
    for (
      const id of [createText(2000), createText(2000, '"\\'), createText(2000, "\u0001\u0002\u0003\u0004")]
    ) {
      const ids = [id, `${id.slice(0, -1)}!`, id.slice(0, -1)];
      for (const [index, each] of ids.entries()) requireValue(await store.put(kind, each, index, soon));
      for (const [index, each] of ids.entries()) {
        deepStrictEqual((await store.get(kind, each, now))?.value, index);
        deepStrictEqual(await store.put(kind, each, "taken", { ...soon, if: null }), undefined);
      }
      if (!without.has("list")) deepStrictEqual((await list(store, kind)).length, ids.length);
      for (const each of ids) await store.delete(kind, each);
    }
  });

  testBehaviour("a value is any JSON, and comes back as it was", async ({ store }) => {
    await Promise.all(hostileValues.map((value, index) => store.put(note, `${index}`, value, soon)));
    for (const [index, value] of hostileValues.entries()) {
      const found = (await store.get(note, `${index}`, now))?.value;
      // Compared as text: a comparison of objects might miss a `__proto__`.
      ok(JSON.stringify(found) === JSON.stringify(value), `value ${index}`);
    }
    deepStrictEqual(({} as { polluted?: unknown }).polluted, undefined);
  });

  testBehaviour("values are copies, made by JSON when they are put", async ({ store }) => {
    const value = { list: [1], gone: undefined as unknown, at: new Date(0) };
    const putting = store.put(note, "a", value, soon);
    value.list.push(2);
    await putting;
    const found = (await store.get(note, "a", now))?.value as { list: number[] };
    deepStrictEqual(Object.keys(found), ["list", "at"]);
    const stored = { list: [1], at: "1970-01-01T00:00:00.000Z" };
    deepStrictEqual<unknown>(found, stored);
    found.list.push(3);
    deepStrictEqual<unknown>((await store.get(note, "a", now))?.value, stored);
  });

  testBehaviour("a value that JSON cannot represent is refused", async ({ store }) => {
    await store.put(note, "a", 1, soon);
    const circular: unknown[] = [];
    circular.push(circular);
    for (const value of [undefined, () => {}, Symbol("s"), 1n, circular]) {
      await rejects(() => store.put(note, "a", value, soon), TypeError);
    }
    deepStrictEqual((await store.get(note, "a", now))?.value, 1);
  });

  testBehaviour("two stores share nothing", async ({ store }) => {
    const other = await open();
    try {
      const version = await store.put(note, "a", 1, soon) as string;
      deepStrictEqual(await other.store.get(note, "a", now), undefined);
      requireValue(await other.store.put(note, "a", 2, { ...soon, if: null }));
      await other.store.delete(note, "a");
      deepStrictEqual((await store.get(note, "a", now))?.version, version);
    } finally {
      await other.store.close();
      await other.discard?.();
    }
    deepStrictEqual((await store.get(note, "a", now))?.value, 1, "closing one does not close the other");
  });

  testBehaviour("a closed store refuses all work, and may be closed again", async ({ store }) => {
    await store.put(note, "a", 1, soon);
    await Promise.all([store.close(), store.close()]);
    await rejects(() => store.get(note, "a", now), /closed/);
    await rejects(() => store.put(note, "a", 1, soon), /closed/);
    await rejects(() => store.delete(note, "a"), /closed/);
    if (!without.has("sweep")) await rejects(() => sweep(store, 1, now), /closed/);
    if (!without.has("list")) await rejects(() => list(store, note), /closed/);
    if (!without.has("kinds")) await rejects(() => listKinds(store), /closed/);
  });

  if (!without.has("sweep")) {
    testBehaviour(
      "sweep removes records that ended an hour ago, up to its limit, and returns their number",
      async ({ store }) => {
        for (const value of upTo(10)) {
          await store.put(note, `${value}`, value, { now, expiresAt: now + value });
        }
        const swept = now + sweepDelay;
        deepStrictEqual(await sweep(store, 100, swept - 0.001), 0, "no record ended an hour ago");
        deepStrictEqual(await sweep(store, 100, swept), 1, "the record that ended in this second");
        deepStrictEqual(await sweep(store, 100, swept), 0);
        deepStrictEqual(await sweep(store, 0, swept + 5), 0);
        deepStrictEqual(await sweep(store, 2, swept + 5), 2);
        deepStrictEqual(await sweep(store, 100, swept + 5), 3);
        for (const value of upTo(10)) {
          deepStrictEqual((await store.get(note, `${value}`, now - 1))?.value, value > 5 ? value : undefined);
        }
        deepStrictEqual(await sweep(store, 100, now + 1e6), 4);
      },
    );

    testBehaviour("sweep keeps records that were renewed or never expire", async ({ store }) => {
      await store.put(note, "renewed", 1, { now, expiresAt: now + 1 });
      await store.put(note, "renewed", 2, { now, expiresAt: now + 100 });
      await store.put(note, "ever", 3, { now, expiresAt: Number.MAX_SAFE_INTEGER });
      await store.put(note, "shortened", 4, { now, expiresAt: now + 100 });
      await store.put(note, "shortened", 5, { now, expiresAt: now + 1 });
      await store.put(note, "deleted", 6, { now, expiresAt: now + 1 });
      await store.delete(note, "deleted");
      deepStrictEqual(await sweep(store, 100, now + 50 + sweepDelay), 1);
      deepStrictEqual((await store.get(note, "renewed", now + 50))?.value, 2);
      deepStrictEqual(await sweep(store, 100, now + 100 + sweepDelay), 1);
      deepStrictEqual((await store.get(note, "ever", now + 100))?.value, 3);
    });
  }

  if (!without.has("list")) {
    testBehaviour("list shows all records of one kind, with any ids", async ({ store }) => {
      deepStrictEqual(await list(store, note), []);
      const ids = [...hostileNames, ...upTo(250).map((number) => `id ${number}`)];
      const versions = new Map<string, string | undefined>();
      await Promise.all(
        ids.map(async (id, index) => versions.set(id, await store.put(note, id, index, soon))),
      );
      await store.put({ name: "another" }, "a", -1, soon);
      const listed = await list(store, note);
      deepStrictEqual(listed.length, ids.length);
      const byId = new Map(listed.map((entry) => [entry.id, entry]));
      for (const [index, id] of ids.entries()) {
        const entry = { id, value: index, version: versions.get(id) as string, expiresAt: now + 60 };
        deepStrictEqual(byId.get(id), entry);
      }
    });

    testBehaviour("list may be stopped early, and records may change during it", async ({ store }) => {
      await Promise.all(upTo(150).map((number) => store.put(note, `${number}`, number, soon)));
      for await (const { id } of store.list?.(note) ?? []) {
        await store.delete(note, id);
        break;
      }
      deepStrictEqual((await list(store, note)).length, 149);
      let seen = 0;
      for await (const { id } of store.list?.(note) ?? []) {
        await store.delete(note, id);
        await store.put(note, id, "seen", soon);
        ok(++seen <= 149, "each is shown once");
      }
      ok((await list(store, note)).every(({ value }) => value === "seen"));
    });
  }

  if (!without.has("kinds")) {
    testBehaviour("kinds names each kind that has records once", async ({ store }) => {
      deepStrictEqual(await listKinds(store), []);
      for (const name of hostileNames) {
        await store.put({ name }, "a", 1, soon);
        await store.put({ name }, "b", 2, soon);
      }
      await store.put(note, "a", 1, soon);
      await store.delete(note, "a");
      deepStrictEqual(await listKinds(store), [...hostileNames].sort());
    });
  }

  if (!without.has("list")) {
    testBehaviour("after 500 random steps the store holds the same as a Map", async ({ store }) => {
      const table = new Map<string, Entry<unknown>>();
      const random = createRandom(7);
      let time = now;
      for (let step = 0; step < 500; step++) {
        const id = `${random(20)}`;
        const known = table.get(id);
        const live = known !== undefined && known.expiresAt > time ? known : undefined;
        const verb = random(12);
        if (verb < 8) {
          const condition = [undefined, null, known?.version, "stale"][random(4)];
          const terms = { now: time, expiresAt: time + random(300) };
          const putTerms = condition === undefined ? terms : { ...terms, if: condition };
          const version = await store.put(note, id, step, putTerms);
          const wins = condition === undefined || condition === (live?.version ?? null);
          deepStrictEqual(version !== undefined, wins, `step ${step}`);
          if (version !== undefined) table.set(id, { value: step, version, expiresAt: terms.expiresAt });
        } else if (verb === 8) {
          await store.delete(note, id);
          table.delete(id);
        } else if (verb === 9 && !without.has("sweep")) {
          const before = (await list(store, note)).length;
          const limit = random(6);
          const removed = await sweep(store, limit, time + sweepDelay);
          const after = await list(store, note);
          deepStrictEqual(removed, before - after.length, `step ${step}`);
          const expired = after.filter(({ expiresAt }) => expiresAt <= time);
          ok(removed === limit || expired.length === 0, `step ${step} left expired records`);
        } else {
          time += random(40);
        }
        // A list compares all records in one call. Reads of each would cost as many round trips.
        const isLive = ({ expiresAt }: Entry<unknown>) => expiresAt > time;
        const expected = new Map([...table].filter(([, entry]) => isLive(entry)));
        const stored = (await list(store, note)).filter(isLive).map(({ id, ...entry }) =>
          [id, entry] as const
        );
        deepStrictEqual(new Map(stored), expected, `step ${step}`);
        for (const each of [id, `${step % 20}`]) {
          deepStrictEqual(await store.get(note, each, time), expected.get(each), `step ${step}, id ${each}`);
        }
      }
    });
  }

  // These tests are always registered, because only an opened store can say whether it has a second handle.
  testBehaviour("all handles see each change immediately", async ({ store, openAgain }) => {
    const other = await openAgain?.() ?? store;
    try {
      const first = await store.put(note, "a", 1, soon) as string;
      deepStrictEqual(await findVersion(other, "a", now), first);
      const second = await other.put(note, "a", 2, { ...soon, if: first }) as string;
      deepStrictEqual(await store.put(note, "a", 3, { ...soon, if: first }), undefined);
      deepStrictEqual(await findVersion(store, "a", now), second);
      await other.delete(note, "a");
      deepStrictEqual(await store.get(note, "a", now), undefined);
      const puts = upTo(50).map((value) =>
        (value % 2 ? store : other).put(note, "a", value, { ...soon, if: null })
      );
      await assertOneWinner(store, await Promise.all(puts));
      deepStrictEqual(await other.get(note, "a", now), await store.get(note, "a", now));
    } finally {
      if (other !== store) await other.close();
    }
  });

  testBehaviour("close waits for running puts and keeps their records", async ({ store, openAgain }) => {
    const other = await openAgain?.();
    try {
      const putting = upTo(20).map((value) => store.put(note, `${value}`, value, soon));
      await store.close();
      const versions = await Promise.all(putting);
      for (const [value, expected] of versions.entries()) {
        requireValue(expected);
        if (other !== undefined) deepStrictEqual(await findVersion(other, `${value}`, now), expected);
      }
    } finally {
      await other?.close();
    }
  });
}

async function findVersion(store: Store, id: string, now: number): Promise<string | undefined> {
  return (await store.get(note, id, now))?.version;
}

async function assertOneWinner(store: Store, results: readonly (string | undefined)[]): Promise<void> {
  const winners = results.flatMap((version, value) => version === undefined ? [] : [{ value, version }]);
  deepStrictEqual(winners.length, 1);
  deepStrictEqual(await store.get(note, "a", now), { ...winners[0]!, expiresAt: now + 60 });
}

async function list(
  store: Store,
  kind: Kind<unknown>,
): Promise<(Entry<unknown> & { readonly id: string })[]> {
  const entries = [];
  requireFunction(store, "list");
  for await (const entry of store.list(kind)) entries.push(entry);
  return entries;
}

async function listKinds(store: Store): Promise<readonly string[]> {
  const names = [];
  requireFunction(store, "kinds");
  for await (const name of store.kinds()) names.push(name);
  return names.sort();
}

async function sweep(store: Store, limit: number, now: number): Promise<number> {
  requireFunction(store, "sweep");
  return await store.sweep(limit, now);
}

function requireFunction<Name extends "sweep" | "list" | "kinds">(
  store: Store,
  name: Name,
): asserts store is Store & Required<Pick<Store, Name>> {
  ok(store[name] !== undefined, `The store has no ${name}: add "${name}" to \`without\``);
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Creates a text of these characters that has this many octets as JSON, and that a database cannot compress well. */
function createText(
  octets: number,
  characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
): string {
  const each = JSON.stringify(characters[0]).length - 2;
  const random = createRandom(octets);
  return upTo(Math.floor(octets / each)).map(() => characters[random(characters.length)]).join("");
}

/** Creates a generator that returns the same numbers on every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

function requireValue<T>(value: T, message?: string): asserts value is NonNullable<T> {
  ok(value !== undefined && value !== null, message ?? "expected a value");
}
