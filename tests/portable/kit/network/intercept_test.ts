/** Interception: which requests reach the mock, which pass, and that the global `fetch` is restored. */

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { createMock } from "../../../../src/kit/mod.ts";
import { interceptFetch } from "../../../../src/kit/mock/network/interceptions.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";

type FetchArguments = readonly unknown[];

/** A `fetch` that answers with its name, and keeps its arguments. */
function createNamed(name: string): { readonly fetch: typeof fetch; readonly calls: FetchArguments[] } {
  const calls: FetchArguments[] = [];
  const named = (...args: FetchArguments) => {
    calls.push(args);
    return Promise.resolve(new Response(name));
  };
  return { fetch: named as typeof fetch, calls };
}

/** Replaces the global `fetch` with a named one during the work. */
async function inPlace(
  work: (network: ReturnType<typeof createNamed>) => void | Promise<void>,
): Promise<void> {
  const original = globalThis.fetch;
  const network = createNamed("network");
  globalThis.fetch = network.fetch;
  try {
    await work(network);
  } finally {
    globalThis.fetch = original;
  }
}

function intercept(name: string, answering: typeof fetch = createNamed(name).fetch): Disposable {
  const origin = `https://${name}.test`;
  return interceptFetch({ origins: () => new Set([origin]), fetch: answering });
}

const ask = async (input: string | URL | Request, init?: RequestInit) =>
  await (await fetch(input, init)).text();

const dispose = (each: Disposable) => each[Symbol.dispose]();

const it = testIn(inPlace);

it("intercept: requests to the mock's origin are answered, others pass", async () => {
  using _one = intercept("one");
  assertEquals(await ask("https://one.test/path?query"), "one");
  assertEquals(await ask("HTTPS://ONE.TEST:443"), "one");
  const urls = [
    ...["https://two.test/", "http://one.test/", "https://one.test:8443/", "https://one.test.evil.test/"],
    ...["https://one.test@evil.test/", "data:,https://one.test/"],
  ];
  for (const url of urls) {
    assertEquals(await ask(url), "network", url);
  }
});

it("intercept: text, a URL and a Request reach the mock unchanged", async () => {
  const { fetch: answering, calls } = createNamed("one");
  using _one = intercept("one", answering);
  const init = { method: "POST", body: "a=b" };
  const url = new URL("https://one.test/");
  const request = new Request(url, init);
  await fetch(url.href);
  await fetch(url, init);
  await fetch(request);
  await fetch(request, { method: "PUT" });
  assertEquals(calls.map((call) => call.length), [1, 2, 1, 2]);
  assertStrictEquals(calls[1]![0], url);
  assertStrictEquals(calls[1]![1], init);
  assertStrictEquals(calls[2]![0], request);
  assertEquals([request.bodyUsed, await request.text()], [false, "a=b"]);
});

it("intercept: a request that passes is unchanged", async ({ calls }) => {
  using _one = intercept("one");
  const init = { method: "POST", body: "a=b" };
  const request = new Request("https://two.test/", init);
  await fetch("https://two.test/");
  await fetch(new URL("https://two.test/"), init);
  await fetch(request);
  assertEquals(calls.map((call) => call.length), [1, 2, 1]);
  assertStrictEquals(calls[1]![1], init);
  assertStrictEquals(calls[2]![0], request);
  assertEquals(request.bodyUsed, false);
});

it("intercept: a request that passes keeps its `this`", async () => {
  let calledOn: unknown;
  globalThis.fetch = function (this: unknown) {
    calledOn = this;
    return Promise.resolve(new Response("network"));
  } as typeof fetch;
  using _one = intercept("one");
  await globalThis.fetch("https://two.test/");
  assertStrictEquals(calledOn, globalThis);
});

test("intercept: an invalid URL fails as it would without a mock", async () => {
  const wrong = ["/relative", "https://", undefined, null, {}];
  const messages = async () =>
    await Promise.all(
      wrong.map((each) =>
        fetch(each as string).then(String, (error: Error) => `${error.name}: ${error.message}`)
      ),
    );
  const before = await messages();
  using _one = intercept("one");
  assertEquals(await messages(), before);
  await assertRejects(() => fetch("https://"), TypeError);
});

const three = ["one", "two", "three"];

for (const order of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
  it(`intercept: three at once, disposed of as ${order.join(", ")}, restore the original fetch`, async (network) => {
    const all = three.map((name) => intercept(name));
    const left = new Set(three);
    for (const index of order) {
      for (const name of three) {
        assertEquals(await ask(`https://${name}.test/`), left.has(name) ? name : "network");
      }
      dispose(all[index]!);
      dispose(all[index]!);
      left.delete(three[index]!);
    }
    assertStrictEquals(globalThis.fetch, network.fetch);
  });
}

it("intercept: another fetch that was put over ours stays, and ours then passes all requests", async (network) => {
  const one = intercept("one");
  const ours = globalThis.fetch;
  const theirs = ((...args: Parameters<typeof fetch>) => ours(...args)) as typeof fetch;
  globalThis.fetch = theirs;
  assertEquals(await ask("https://one.test/"), "one");
  dispose(one);
  assertStrictEquals(globalThis.fetch, theirs);
  assertEquals(await ask("https://one.test/"), "network");
  // They restore the fetch that they found: ours, which is no longer active.
  globalThis.fetch = ours;
  dispose(intercept("two"));
  assertStrictEquals(globalThis.fetch, network.fetch);
});

it("intercept: a proxy that a test runner puts around our fetch is not removed", async (network) => {
  const one = intercept("one");
  const ours = globalThis.fetch;
  const spy = new Proxy(ours, {});
  globalThis.fetch = spy;
  assertThrows(() => intercept("one"), Error, "already");
  dispose(one);
  assertStrictEquals(globalThis.fetch, spy);
  assertEquals(await ask("https://one.test/"), "network");
  globalThis.fetch = ours;
  dispose(intercept("two"));
  assertStrictEquals(globalThis.fetch, network.fetch);
});

it("intercept: other members of fetch stay usable", ({ fetch: network }) => {
  Object.assign(network, { preconnect: () => "connected" });
  using _one = intercept("one");
  assertEquals((globalThis.fetch as unknown as { preconnect(): string }).preconnect(), "connected");
  assertEquals(globalThis.fetch.name, network.name);
});

it("intercept: a second interception of the same origin is refused until the first is disposed of", async () => {
  const first = intercept("one");
  const two = intercept("two");
  const { message } = assertThrows(() => intercept("one"), Error);
  assertEquals(
    message,
    "Cannot intercept https://one.test: another mock already intercepts it. Dispose of that interception first, " +
      "or give one of the two mocks another issuer",
  );
  dispose(first);
  const again = intercept("one", createNamed("again").fetch);
  assertEquals(await ask("https://one.test/"), "again");
  dispose(two);
  dispose(again);
});

it("intercept: two copies of the kit recognize each other, because the mark is global to the process", (network) => {
  using _one = intercept("one");
  const marked = globalThis.fetch as unknown as Readonly<Record<symbol, unknown>>;
  const interception = Object(marked[Symbol.for("postern.mock.interception")]);
  assertEquals(interception.origins(), new Set(["https://one.test"]));
  assertStrictEquals(interception.wrapped, network.fetch);
  assert(interception.active);
});

it("intercept: two mocks at once, each for its own issuer, until they are disposed of", async (network) => {
  const read = async (origin: string) => {
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server`);
    return response.headers.get("content-type")?.includes("json")
      ? (await response.json()).issuer
      : await response.text();
  };
  const first = await createMock({ alg: "ES256" });
  const second = await createMock({ alg: "ES256", issuer: "https://second.test/below" });
  first.intercept();
  second.intercept();
  assertEquals(await read("https://as.test"), "https://as.test");
  assertEquals((await fetch("https://second.test/below/oauth2/jwks")).status, 200);
  assertThrows(() => first.intercept(), Error, "Cannot intercept https://as.test");
  await first[Symbol.asyncDispose]();
  assertEquals(await read("https://as.test"), "network");
  await second[Symbol.asyncDispose]();
  assertStrictEquals(globalThis.fetch, network.fetch);
});

test("intercept: a connection of node:http ends with its last response", async () => {
  await using as = await createMock({ issuer: "http://localhost:9000", alg: "ES256" });
  using _intercepted = as.intercept({ node: true });
  const request = get(`${as.issuer}/health`, { agent: false, headers: { connection: "close" } });
  const [response] = await once(request, "response") as [IncomingMessage];
  await once(response.resume(), "end");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals([request.socket?.writableFinished, request.socket?.destroyed], [true, true]);
});
