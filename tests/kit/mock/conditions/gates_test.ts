/** Gates: which requests wait, in which order they are released, which are delayed, and which answers are lost. */

import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { createGates, type Gates } from "../../../../src/kit/mock/conditions/gates.ts";
import { createMock, Refused } from "../../../../src/kit/mod.ts";
import type { EndpointName } from "../../../../src/kit/mock/endpoints.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";

/** Gates before a server that only notes the order of its work. */
function createGated(): {
  readonly gates: Gates;
  readonly worked: string[];
  ask(name: string, endpoint?: EndpointName): Promise<"answer" | "lost">;
} {
  const gates = createGates();
  const worked: string[] = [];
  return {
    gates,
    worked,
    async ask(name, endpoint = "token") {
      await gates.arrive(endpoint);
      worked.push(name);
      await Promise.resolve();
      return gates.takeDrop(endpoint) ? "lost" : "answer";
    },
  };
}

/** Long enough for every request that nothing holds. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("hold: the server works in the order in which requests are released", async () => {
  for (const order of [[1, 2, 3], [3, 2, 1], [2, 3, 1]]) {
    const { gates, worked, ask } = createGated();
    const gate = gates.hold("token");
    const asked = [ask("1"), ask("2"), ask("3")];
    await gate.arrived(3);
    for (const [at, number] of order.entries()) {
      gate.release(number);
      // The others still wait, also if a request is released again.
      assertEquals(await asked[number - 1], "answer");
      gate.release(number);
      assertEquals(gate.waiting, 2 - at);
    }
    assertEquals(worked, order.map(String));
  }
});

test("release: the page lets the oldest waiting request go", async () => {
  const { gates, worked, ask } = createGated();
  gates.hold("token");
  const asked = ["1", "2", "3"].map((name) => ask(name));
  await settle();
  for (const _ of asked) gates.closed[0]!.releaseOldest!();
  await Promise.all(asked);
  assertEquals(worked, ["1", "2", "3"]);
});

test("release: without a number, all requests go in the order of their arrival, and later ones pass", async () => {
  const { gates, worked, ask } = createGated();
  const gate = gates.hold("token");
  const asked = [ask("1"), ask("2"), ask("3")];
  gate.release();
  assertEquals(gate.waiting, 0);
  await Promise.all(asked);
  await ask("4");
  assertEquals(worked, ["1", "2", "3", "4"]);
});

test("release: a request released before it arrives does not wait, and the others do", async () => {
  const { gates, worked, ask } = createGated();
  const gate = gates.hold("token");
  gate.release(2);
  const asked = [ask("1"), ask("2"), ask("3")];
  await settle();
  assertEquals([worked, gate.waiting], [["2"], 2]);
  gate.release();
  await Promise.all(asked);
});

test("release: a request released before it arrives counts as one that was held", async () => {
  const { gates, worked, ask } = createGated();
  const gate = gates.hold("token", { count: 1 });
  gate.release(1);
  const asked = [ask("1"), ask("2")];
  await settle();
  assertEquals([worked, gate.waiting], [["1", "2"], 0]);
  await Promise.all(asked);
});

test("hold: with a count, that many requests are held, each at one gate, and later ones pass", async () => {
  const { gates, worked, ask } = createGated();
  const [first, second] = [gates.hold("token", { count: 1 }), gates.hold("token", { count: 1 })];
  const asked = [ask("1"), ask("2")];
  await ask("3");
  await first.arrived(2);
  assertEquals([first.waiting, second.waiting], [1, 1]);
  second.release();
  await asked[1];
  first.release(1);
  await asked[0];
  assertEquals(worked, ["3", "2", "1"]);
});

test("release: a request that its gate lets pass waits at no other gate", async () => {
  const { gates, ask } = createGated();
  const [first, second] = [gates.hold("token"), gates.hold("token")];
  first.release(1);
  await ask("1");
  assertEquals([first.waiting, second.waiting], [0, 0]);
  await assertRejects(() => second.arrived(1, "2ms"), Error, "none arrived");
});

test("arrived: resolves when the last request of the number arrives, and not before", async () => {
  const { gates, ask } = createGated();
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

const it = testIn(withTimers);

it("arrived: rejects after its timeout in real time, and says how many arrived and what to do", async () => {
  const { gates, ask } = createGated();
  using gate = gates.hold("token");
  const { message: none } = await assertRejects(() => gate.arrived(1, "2ms"), Error);
  assertEquals(
    none,
    'Waited at the gate for 1 request to "token": 0.002 seconds are over, and none arrived. ' +
      "Start the requests before awaiting arrived(), and await their answers after release()",
  );
  const asked = ask("1");
  const one = '2 requests to "token": 0.002 seconds are over, and 1 arrived';
  await assertRejects(() => gate.arrived(2, 0.002), Error, one);
  gate.release();
  await asked;
});

test("dispose: releases waiting requests, rejects arrived(), and holds no more requests", async () => {
  const { gates, worked, ask } = createGated();
  const gate = gates.hold("token");
  const asked = ask("1");
  const both = gate.arrived(2);
  gate[Symbol.dispose]();
  gate[Symbol.dispose]();
  await asked;
  await ask("2");
  assertEquals(worked, ["1", "2"]);
  // A rejection that is awaited late is not unhandled.
  await new Promise((resolve) => setTimeout(resolve));
  const disposed = '2 requests to "token": it was disposed of, and until then 1 arrived';
  await assertRejects(() => both, Error, disposed);
  await gate.arrived(1);
  await assertRejects(() => gate.arrived(2), Error, "until then 1 arrived");
});

interface Timers {
  readonly milliseconds: readonly number[];
  /** Runs all timers. */
  run(): void;
}

/** Global timers that run only when the test says so, like a test runner's fake timers. */
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

it("delay: delays a request by the global timers, and no request to another endpoint", async (timers) => {
  const { gates, worked, ask } = createGated();
  gates.delay("token", "2s");
  const asked = [ask("1"), ask("2")];
  await ask("other", "jwks");
  await settle();
  assertEquals([worked, timers.milliseconds], [["other"], [2000, 2000]]);
  timers.run();
  await Promise.all(asked);
  assertEquals([worked, timers.milliseconds], [["other", "1", "2"], []]);
});

it("delay: with a count, that many requests are delayed, by one delay after the other", async (timers) => {
  const { gates, worked, ask } = createGated();
  gates.delay("token", 1, { count: 1 });
  gates.delay("token", "250ms", { count: 1 });
  const asked = [ask("1"), ask("2")];
  await ask("3");
  assertEquals([worked, timers.milliseconds], [["3"], [1000, 250]]);
  timers.run();
  await Promise.all(asked);
});

it("delay: its disposal also ends the delay of waiting requests", async (timers) => {
  const { gates, ask } = createGated();
  const delay = gates.delay("token", "1h");
  const asked = ask("1");
  delay[Symbol.dispose]();
  await asked;
  await ask("2");
  assertEquals(timers.milliseconds, []);
});

test("delay: stops its timer even if the global timers have been replaced since", async () => {
  const { gates, ask } = createGated();
  gates.delay("token", "1h");
  let asked: Promise<unknown> | undefined;
  await withTimers(async (timers) => {
    asked = ask("1");
    await withTimers(() => Promise.resolve(gates.clear()));
    assertEquals(timers.milliseconds, []);
  });
  await asked;
});

it("delay: begins when the gate releases the request", async (timers) => {
  const { gates, worked, ask } = createGated();
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
});

test("drop: with a count, the server works and that many answers are lost", async () => {
  const { gates, worked, ask } = createGated();
  gates.drop("token", { count: 2 });
  assertEquals(await ask("other", "jwks"), "answer");
  assertEquals([await ask("1"), await ask("2"), await ask("3")], ["lost", "lost", "answer"]);
  assertEquals(worked, ["other", "1", "2", "3"]);
});

test("drop: without a count, answers are lost until it is disposed of", async () => {
  const { gates, ask } = createGated();
  const drop = gates.drop("token");
  assertEquals([await ask("1"), await ask("2")], ["lost", "lost"]);
  drop[Symbol.dispose]();
  assertEquals(await ask("3"), "answer");
});

it("clear: releases waiting requests and removes all gates, delays and drops", async (timers) => {
  const { gates, worked, ask } = createGated();
  gates.hold("token", { count: 1 });
  const gate = gates.hold("jwks");
  gates.delay("token", "1h");
  gates.drop("token");
  const asked = [ask("held"), ask("late"), ask("keys", "jwks")];
  const coming = gate.arrived(2);
  gates.clear();
  assertEquals(await Promise.all(asked), ["answer", "answer", "answer"]);
  assertEquals(await ask("after"), "answer");
  assertEquals([worked.toSorted(), timers.milliseconds], [["after", "held", "keys", "late"], []]);
  const { message } = await assertRejects(() => coming, Error) as Error;
  assertStringIncludes(
    message,
    '2 requests to "jwks": the mock was reset or disposed of, and until then 1 arrived',
  );
});

it("clear: a request from before it meets no delay that is added after it", async (timers) => {
  const { gates, ask } = createGated();
  const gate = gates.hold("token");
  const asked = ask("1");
  gates.clear();
  assertEquals(gate.waiting, 0);
  gates.delay("token", "1h");
  await settle();
  assertEquals(timers.milliseconds, []);
  await asked;
});

test("gates: wrong arguments are refused, and the error says what is expected", async () => {
  const gates = createGates();
  using gate = gates.hold("token");
  const tokens = "tokens" as EndpointName;
  const unknown = 'requests to "tokens": expected one of authorize, ';
  // Without the misspelt term, all requests would be selected.
  const misspelt = { counts: 2 } as object;
  const misspeltIn = (doing: string) =>
    `Cannot ${doing} requests to "token": counts is not known: did you mean count?`;
  const wrongStatus = "expected 429 or a status from 500 to 599";
  const attempts: readonly (readonly [attempt: () => unknown, message: string])[] = [
    [() => gates.hold(tokens), `Cannot hold ${unknown}`],
    [() => gates.delay(tokens, 1), `Cannot delay ${unknown}`],
    [() => gates.drop(tokens), `Cannot drop ${unknown}`],
    [() => gates.fail("tokn" as EndpointName), "page. Did you mean token?"],
    [() => gates.hold("token", misspelt), misspeltIn("hold")],
    [() => gates.delay("token", 1, misspelt), misspeltIn("delay")],
    [() => gates.fail("token", misspelt), misspeltIn("fail")],
    [() => gates.drop("token", misspelt), misspeltIn("drop")],
    [() => gates.hold("token", 2 as unknown as object), "an object with any of count, not 2"],
    [() => gates.drop("token", { count: 0 }), "a whole number from 1, but got 0"],
    [() => gates.drop("token", { count: 1.5 }), "a whole number from 1, but got 1.5"],
    [() => gates.delay("token", "-1s"), 'a duration of 0 or more, but got "-1s"'],
    [() => gates.fail("token", { status: 499 }), wrongStatus],
    [() => gates.fail("token", { status: 600 }), wrongStatus],
    [() => gates.fail("token", { status: "503" as unknown as number }), wrongStatus],
    [() => gates.fail("token", { retryAfter: -1 }), "a duration of 0 or more"],
    [() => gate.release(0), "where 1 is the first that arrived"],
    [() => gate.arrived(0), "the number of requests that must have arrived"],
    [() => gate.arrived(1, -1), "a duration of 0 or more, but got -1"],
  ];
  for (const [attempt, message] of attempts) assertThrows(attempt, TypeError, message);
  assertEquals(await gates.arrive("jwks"), undefined);
  gate.release();
  assertEquals(
    [gates.arrive("token"), gates.takeDrop("token"), gates.takeFailure("token")],
    [undefined, false, undefined],
  );
});

test("fail: a refresh that fails has not used its token up, and the second try succeeds", async () => {
  await using as = await createMock({ alg: "ES256" });
  const tokens = await as.login("alice");
  as.fail("token", { count: 1 });
  const error = await assertRejects(() => as.refresh(tokens), Refused);
  assertEquals([error.error, error.reason], ["temporarily_unavailable", "failed_by_test"]);
  assertEquals((await as.refresh(tokens)).token_type, "Bearer");
  assertEquals(as.requests.token.map(({ status }) => status), [200, 503, 200]);
  assertStringIncludes(as.timeline("text"), "503 temporarily_unavailable (failed_by_test)");
  assertStringIncludes(as.explain() ?? "", "the server has not handled it");
});

test("fail: the journal has the form, the grant type and the client of a request that failed", async () => {
  await using as = await createMock({
    alg: "ES256",
    clients: [{ client_id: "app" }, { client_id: "shop", client_secret: "s3cret" }],
  });
  as.fail("token");
  const send = async (form: Record<string, string>, headers = {}) => {
    const init = { method: "POST", headers, body: new URLSearchParams(form) };
    assertEquals((await as.fetch(`${as.issuer}/oauth2/token`, init)).status, 503);
    const { grantType, clientId, params } = as.requests.token.last!;
    return [grantType, clientId, params];
  };
  const refresh = { grant_type: "refresh_token", refresh_token: "r-secret" };
  const shown = { grant_type: "refresh_token", refresh_token: "[redacted]" };
  assertEquals(
    await send({ ...refresh, client_id: "app" }),
    ["refresh_token", "app", { ...shown, client_id: "app" }],
  );
  const basic = { authorization: `Basic ${btoa("shop:s3cret")}` };
  assertEquals(await send(refresh, basic), ["refresh_token", "shop", shown]);
  // Text that the server does not know may be a secret in the wrong parameter.
  const [grantType, clientId] = await send({ grant_type: "p-secret", client_id: "c-secret" });
  assertEquals([grantType, clientId], [undefined, undefined]);
});

test("fail: the client gets JSON with the status, the error and Retry-After, which scripts may read", async () => {
  await using as = await createMock({ alg: "ES256" });
  const cases = [
    ["jwks", "/oauth2/jwks", {}, 503, "temporarily_unavailable", null],
    ["userinfo", "/userinfo", { status: 500, count: 1 }, 500, "server_error", null],
    ["token", "/oauth2/token", { status: 429, retryAfter: "1500ms" }, 429, "temporarily_unavailable", "2"],
  ] as const;
  const others = [429, 502, 504, 501, 599].map((status, at) =>
    ["jwks", "/oauth2/jwks", { status }, status, cases[at < 3 ? 0 : 1][4], null] as const
  );
  for (const [endpoint, path, terms, status, error, retryAfter] of [...cases, ...others]) {
    const failure = as.fail(endpoint, terms);
    const init = endpoint === "token" ? { method: "POST", body: new URLSearchParams() } : {};
    const response = await as.fetch(as.issuer + path, init);
    const { headers } = response;
    assertEquals([response.status, (await response.json()).error], [status, error]);
    assertEquals([headers.get("retry-after"), headers.get("access-control-allow-origin")], [retryAfter, "*"]);
    failure[Symbol.dispose]();
    const later = await as.fetch(as.issuer + path, init);
    assertEquals((await later.text()).includes(error), false);
  }
});

test("fail: a held request fails after its release, and a reset removes the failures", async () => {
  await using as = await createMock({ alg: "ES256" });
  const gate = as.hold("jwks", { count: 1 });
  const asked = as.fetch(`${as.issuer}/oauth2/jwks`);
  await gate.arrived();
  as.fail("jwks");
  gate.release();
  assertEquals((await asked).status, 503);
  as.reset();
  assertEquals((await as.fetch(`${as.issuer}/oauth2/jwks`)).status, 200);
});

test("gates: the id of one that has ended is not that of a later one", () => {
  const gates = createGates();
  const first = gates.hold("token");
  gates.delay("token", 1);
  first[Symbol.dispose]();
  gates.fail("token");
  assertEquals(gates.closed.map(({ id }) => id), ["gate-2", "gate-3"]);
});
