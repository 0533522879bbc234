/** Gates: who waits, who goes and in which order, what comes late, and which answers are lost. */

import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { createGates, type Gates } from "../../../src/mock/conditions/gates.ts";
import { createMock } from "../../../src/mock/mod.ts";
import type { EndpointName } from "../../../src/mock/endpoints.ts";
import { test } from "../../runner.ts";

/** An engine that only notes what it works on, in the order in which it gets to it. */
function createEngine(gates: Gates): {
  readonly worked: string[];
  ask(name: string, endpoint?: EndpointName): Promise<"answer" | "lost">;
} {
  const worked: string[] = [];
  return {
    worked,
    async ask(name, endpoint = "token") {
      await gates.arrive(endpoint);
      worked.push(name);
      await Promise.resolve();
      return gates.loses(endpoint) ? "lost" : "answer";
    },
  };
}

/** Long enough for whatever need not wait for anybody. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("gates: where there are none, nobody waits and nothing is lost", () => {
  const gates = createGates();
  assertEquals([gates.arrive("token"), gates.loses("token")], [undefined, false]);
});

test("hold: a request waits before anything is done for it, and others' endpoints do not", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token");
  const first = ask("first");
  await ask("other", "jwks");
  await gate.arrived();
  assertEquals([worked, gate.waiting], [["other"], 1]);
  gate.release();
  assertEquals(await first, "answer");
  assertEquals([worked, gate.waiting], [["other", "first"], 0]);
});

for (const order of [[1, 2, 3], [3, 2, 1], [2, 3, 1]]) {
  test(`hold: released as ${order.join(", ")}, the engine works in that order`, async () => {
    const gates = createGates();
    const { worked, ask } = createEngine(gates);
    const gate = gates.hold("token");
    const asked = [ask("1"), ask("2"), ask("3")];
    await gate.arrived(3);
    for (const index of order) gate.release(index);
    await Promise.all(asked);
    assertEquals(worked, order.map(String));
  });
}

test("hold: one that is released finishes while the others still wait", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token");
  const asked = [ask("1"), ask("2")];
  gate.release(2);
  assertEquals(await asked[1], "answer");
  assertEquals([worked, gate.waiting], [["2"], 1]);
  gate.release(2);
  assertEquals(gate.waiting, 1);
  gate.release(1);
  await asked[0];
});

test("release: without a number all go in the order they came, and whoever comes later passes", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token");
  const asked = [ask("1"), ask("2"), ask("3")];
  gate.release();
  await Promise.all(asked);
  await ask("4");
  assertEquals(worked, ["1", "2", "3", "4"]);
});

test("release: one that is still to come does not wait, and those around it do", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token");
  gate.release(2);
  const asked = [ask("1"), ask("2"), ask("3")];
  await settle();
  assertEquals([worked, gate.waiting], [["2"], 2]);
  gate.release();
  await Promise.all(asked);
});

test("hold: with a count, as many are held and later ones pass", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token", { count: 2 });
  const asked = [ask("1"), ask("2")];
  await ask("3");
  assertEquals([worked, gate.waiting], [["3"], 2]);
  await gate.arrived(3);
  gate.release();
  await Promise.all(asked);
});

test("hold: a request waits at one gate only, the oldest that still holds", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const [first, second] = [gates.hold("token", { count: 1 }), gates.hold("token", { count: 1 })];
  const asked = [ask("1"), ask("2")];
  await ask("3");
  assertEquals([first.waiting, second.waiting], [1, 1]);
  second.release();
  await asked[1];
  first.release(1);
  await asked[0];
  assertEquals(worked, ["3", "2", "1"]);
});

test("hold: a gate that was released is in nobody's way, and another one holds", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  const first = gates.hold("token");
  first.release();
  const second = gates.hold("token");
  const asked = ask("1");
  await second.arrived(1);
  await first.arrived(1);
  assertEquals([first.waiting, second.waiting], [0, 1]);
  second.release(1);
  await asked;
});

test("release: one that need not wait at its gate waits at no other", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  const [first, second] = [gates.hold("token"), gates.hold("token")];
  first.release(1);
  await ask("1");
  assertEquals([first.waiting, second.waiting], [0, 0]);
  await assertRejects(() => second.arrived(1, "2ms"), Error, "none came");
});

test("arrived: resolves with the request that makes up the number, and not before", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  const gate = gates.hold("token");
  let resolved = false;
  const both = gate.arrived(2).then(() => resolved = true);
  const asked = [ask("1")];
  await settle();
  assertEquals(resolved, false);
  asked.push(ask("2"));
  await both;
  gate.release();
  await Promise.all(asked);
  await gate.arrived(2);
});

test("arrived: rejects after its timeout, and says how many came and what to do", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  using gate = gates.hold("token");
  const { message: none } = await assertRejects(() => gate.arrived(1, "2ms"), Error) as Error;
  assertEquals(
    none,
    'Waited at the gate for 1 request to "token": 0.002 seconds are over, and none came. ' +
      "Start the requests before arrived() is awaited, and await their answers after release()",
  );
  const asked = ask("1");
  await assertRejects(
    () => gate.arrived(2, 0.002),
    Error,
    '2 requests to "token": 0.002 seconds are over, and 1 came',
  );
  gate.release();
  await asked;
});

test("arrived: may be awaited long after it has failed", async () => {
  const gates = createGates();
  const gate = gates.hold("token");
  const coming = gate.arrived();
  gate[Symbol.dispose]();
  await new Promise((resolve) => setTimeout(resolve, 2));
  await assertRejects(() => coming, Error, "none came");
});

test("arrived: waits in real time, whatever a runner has made of the timers", async () => {
  const gates = createGates();
  using gate = gates.hold("token");
  await withTimers(async () => {
    await assertRejects(() => gate.arrived(1, "2ms"), Error, "none came");
  });
});

test("dispose: lets go whoever waits, tells whoever counts on more, and is in nobody's way", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  const gate = gates.hold("token");
  const asked = ask("1");
  const both = gate.arrived(2);
  gate[Symbol.dispose]();
  gate[Symbol.dispose]();
  await asked;
  await ask("2");
  assertEquals(worked, ["1", "2"]);
  await assertRejects(() => both, Error, '2 requests to "token": it was disposed of, and until then 1 came');
  await gate.arrived(1);
  await assertRejects(() => gate.arrived(2), Error, "until then 1 came");
});

interface Timers {
  readonly milliseconds: readonly number[];
  /** Everything that is due. */
  run(): void;
}

/** Global timers that stand still until the test lets them run, like a runner's fake ones. */
async function withTimers(work: (timers: Timers) => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const due = new Map<number, { readonly go: () => void; readonly milliseconds: number }>();
  let last = 0;
  Object.assign(globalThis, {
    setTimeout: (go: () => void, milliseconds: number) => {
      due.set(++last, { go, milliseconds });
      return last;
    },
    clearTimeout: (id: number) => due.delete(id),
  });
  try {
    await work({
      get milliseconds() {
        return [...due.values()].map((each) => each.milliseconds);
      },
      run() {
        for (const { go } of [...due.values()]) go();
      },
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

test("delay: a request comes late by the global timers, and other endpoints' in time", () =>
  withTimers(async (timers) => {
    const gates = createGates();
    const { worked, ask } = createEngine(gates);
    gates.delay("token", "2s");
    const asked = [ask("1"), ask("2")];
    await ask("other", "jwks");
    await settle();
    assertEquals([worked, timers.milliseconds], [["other"], [2000, 2000]]);
    timers.run();
    await Promise.all(asked);
    assertEquals([worked, timers.milliseconds], [["other", "1", "2"], []]);
  }));

test("delay: with a count, as many come late, one delay after the other", () =>
  withTimers(async (timers) => {
    const gates = createGates();
    const { worked, ask } = createEngine(gates);
    gates.delay("token", 1, { count: 1 });
    gates.delay("token", "250ms", { count: 1 });
    const asked = [ask("1"), ask("2")];
    await ask("3");
    assertEquals([worked, timers.milliseconds], [["3"], [1000, 250]]);
    timers.run();
    await Promise.all(asked);
  }));

test("delay: ends with its disposal for whoever waits already, too", () =>
  withTimers(async (timers) => {
    const gates = createGates();
    const { ask } = createEngine(gates);
    const delay = gates.delay("token", "1h");
    const asked = ask("1");
    delay[Symbol.dispose]();
    await asked;
    await ask("2");
    assertEquals(timers.milliseconds, []);
  }));

test("delay: stops the timer it started, whatever timers are global by then", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  gates.delay("token", "1h");
  let asked: Promise<unknown> | undefined;
  await withTimers(async (timers) => {
    asked = ask("1");
    await withTimers(() => Promise.resolve(gates.clear()));
    assertEquals(timers.milliseconds, []);
  });
  await asked;
});

test("delay: begins when the gate lets the request go", () =>
  withTimers(async (timers) => {
    const gates = createGates();
    const { worked, ask } = createEngine(gates);
    gates.delay("token", 1);
    const gate = gates.hold("token");
    const asked = ask("1");
    await settle();
    assertEquals(timers.milliseconds, []);
    gate.release();
    await settle();
    assertEquals([worked, timers.milliseconds], [[], [1000]]);
    timers.run();
    await asked;
  }));

test("drop: the work is done and the answer is lost, as often as it is said", async () => {
  const gates = createGates();
  const { worked, ask } = createEngine(gates);
  gates.drop("token", { count: 2 });
  assertEquals(await ask("other", "jwks"), "answer");
  assertEquals([await ask("1"), await ask("2"), await ask("3")], ["lost", "lost", "answer"]);
  assertEquals(worked, ["other", "1", "2", "3"]);
});

test("drop: without a count until it is disposed of", async () => {
  const gates = createGates();
  const { ask } = createEngine(gates);
  const drop = gates.drop("token");
  assertEquals([await ask("1"), await ask("2")], ["lost", "lost"]);
  drop[Symbol.dispose]();
  assertEquals(await ask("3"), "answer");
});

test("clear: whoever waits goes on, and nothing is held, late or lost any more", () =>
  withTimers(async (timers) => {
    const gates = createGates();
    const { worked, ask } = createEngine(gates);
    gates.hold("token", { count: 1 });
    const gate = gates.hold("jwks");
    gates.delay("token", "1h");
    gates.drop("token");
    const asked = [ask("held"), ask("late"), ask("keys", "jwks")];
    const coming = gate.arrived(2);
    gates.clear("the party is over");
    assertEquals(await Promise.all(asked), ["answer", "answer", "answer"]);
    assertEquals(await ask("after"), "answer");
    assertEquals([worked.toSorted(), timers.milliseconds], [["after", "held", "keys", "late"], []]);
    const { message } = await assertRejects(() => coming, Error) as Error;
    assertStringIncludes(message, '2 requests to "jwks": the party is over, and until then 1 came');
  }));

test("gates: what makes no sense is refused, and says what is expected", async () => {
  const gates = createGates();
  const endpoint = "tokens" as EndpointName;
  const words = 'requests to "tokens": expected one of authorize, token, userinfo';
  assertThrows(() => gates.hold(endpoint), TypeError, `Cannot hold ${words}`);
  assertThrows(() => gates.delay(endpoint, 1), TypeError, `Cannot delay ${words}`);
  assertThrows(() => gates.drop(endpoint), TypeError, `Cannot drop ${words}`);
  assertThrows(() => gates.hold("toString" as EndpointName), TypeError, 'requests to "toString"');
  for (const count of [0, -1, 1.5, NaN]) {
    assertThrows(() => gates.drop("token", { count }), TypeError, `a whole number from 1, but got ${count}`);
  }
  assertThrows(() => gates.delay("token", "-1s"), TypeError, 'a duration of 0 or more, but got "-1s"');
  assertThrows(() => gates.delay("token", "soon"), TypeError, 'but got "soon"');
  using gate = gates.hold("token");
  assertThrows(() => gate.release(0), TypeError, "where 1 is the first that came");
  assertThrows(() => gate.arrived(0), TypeError, "how many requests must have come");
  assertThrows(() => gate.arrived(1, -1), TypeError, "a duration of 0 or more, but got -1");
  assertEquals(await gates.arrive("jwks"), undefined);
});

test("hold: of two refreshes with one token, the one that is released first gets its answer", async () => {
  for (const [first, second] of [[0, 1], [1, 0]] as const) {
    await using as = await createMock({ alg: "ES256" });
    const tokens = await as.login("alice");
    using gate = as.hold("token", { count: 2 });
    const asked = [as.refresh(tokens), as.refresh(tokens)];
    const outcomes = asked.map((each) => each.then(() => "tokens", (error: Error) => error.name));
    await gate.arrived(2);
    gate.release(first + 1);
    assertEquals([await outcomes[first], gate.waiting], ["tokens", 1]);
    gate.release(second + 1);
    assertEquals(await outcomes[second], "Refused");
  }
});

test("drop: a refresh whose answer is lost has spent its token", async () => {
  await using as = await createMock({ alg: "ES256" });
  const tokens = await as.login("alice");
  as.drop("token", { count: 1 });
  await assertRejects(() => as.refresh(tokens), Error, "The answer is lost");
  assertEquals(as.requests.token.last?.status, 200);
  await assertRejects(() => as.refresh(tokens), Error, "invalid_grant");
});

test("dispose: a mock that goes while a request waits lets it finish", async () => {
  const as = await createMock({ alg: "ES256" });
  const gate = as.hold("jwks");
  const asked = as.fetch("https://as.test/oauth2/jwks");
  await gate.arrived();
  await as[Symbol.asyncDispose]();
  assertEquals((await asked).status, 200);
});

test("hold, delay and drop: a misspelt term is refused, because without it all requests would be meant", () => {
  const gates = createGates();
  const wrong = { counts: 2 } as object;
  const said = (doing: string) =>
    `Cannot ${doing} requests to "token": counts is not known: did you mean count?`;
  assertThrows(() => gates.hold("token", wrong), TypeError, said("hold"));
  assertThrows(() => gates.delay("token", 1, wrong), TypeError, said("delay"));
  assertThrows(() => gates.drop("token", wrong), TypeError, said("drop"));
  assertThrows(
    () => gates.hold("token", 2 as unknown as object),
    TypeError,
    'Cannot hold requests to "token": the terms must be an object with count, not 2',
  );
  assertEquals([gates.arrive("token"), gates.loses("token")], [undefined, false]);
});
