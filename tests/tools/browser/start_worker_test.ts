/** What a page needs for a server, and how it gets under the control of the worker (Service Workers §3.1). */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createMock, createServer, startWorker } from "../../../src/tools/browser/mod.ts";
import { replaceGlobals } from "../../replace_globals.ts";
import { test } from "../../runner.ts";

test("page: without WebCrypto no server is created, and the error names the page", async () => {
  for (const location of [undefined, { origin: "http://app.test" }]) {
    using _page = replaceGlobals({ crypto: {}, location });
    const message =
      `Cannot create a server in a page of ${location?.origin}, because browsers give WebCrypto to https`;
    await assertRejects(() => createMock(), TypeError, message);
    assertThrows(() => createServer({ issuer: "https://as.test" }), TypeError, message);
  }
});

const origin = "https://app.test", scriptURL = `${origin}/postern-worker.js`;

test("page: it waits until its worker is active and controls it, and then sends the options and the calls", async () => {
  const done: string[] = [], answers = ['{"version":"1"}', "", "{}", "<html>"];
  const fetch = (url: string, { method, headers = {}, body = "" }: RequestInit) => {
    done.push([method, url.replace(origin, ""), ...Object.values(headers), body].join(" "));
    return Promise.resolve(new Response(answers.shift(), { status: answers.length === 1 ? 500 : 200 }));
  };
  const create = (state: string) => Object.assign(new EventTarget(), { state, scriptURL });
  type Worker = ReturnType<typeof create> | null;
  const installing = create("installing"), active: Worker = null;
  const registration = { installing, waiting: null, active: active as Worker };
  const container = {
    controller: null as Worker,
    register: (
      url: URL,
      { scope }: RequestInit & { scope: string },
    ) => (done.push(`${url} ${scope}`), registration),
    // The browser says a little later who controls the page.
    getRegistration: () => Promise.resolve().then(() => container.controller = create("activated")),
  };
  const move = (state: string) => {
    installing.state = state;
    installing.dispatchEvent(new Event("statechange"));
  };
  using _page = replaceGlobals({
    navigator: { serviceWorker: container },
    location: new URL(`${origin}/shop/`),
    fetch,
  });
  const starting = startWorker({ issuer: "/idp/", scope: "/shop/", alg: "ES256" });
  for (const state of ["installed", "activating"]) move(state);
  await Promise.resolve();
  assertEquals(done, [`${scriptURL}?issuer=%2Fidp%2F ${origin}/shop/`]);
  move("activated");
  const { issuer, version, control } = await starting;
  assertEquals([issuer, version, await control("POST /reset", { a: 1 })], [`${origin}/idp/`, "1", {}]);
  await assertRejects(() => control("GET /clock"), Error, `GET ${origin}/idp/_postern/clock: 500`);
  await assertRejects(() => control("GET /clock"), Error, "went past the worker");
  assertEquals(done.slice(1, 3), [
    'PUT /idp/_postern/worker {"alg":"ES256"}',
    'POST /idp/_postern/reset application/json {"a":1}',
  ]);
  const failing = startWorker();
  move("redundant");
  await assertRejects(() => failing, Error, "Cannot start the worker: the browser could not install it");
  // A later release has replaced it.
  registration.active = create("activated");
  answers.push('{"version":"2"}', "", "");
  assertEquals((await startWorker()).version, "2");
});

test("page: a worker that does not control the page yet is asked to take it, and its answer counts", async () => {
  const asked: unknown[] = [];
  const worker = {
    state: "activated",
    scriptURL,
    addEventListener() {},
    postMessage(text: string, [port]: MessagePort[]) {
      asked.push(text);
      setTimeout(() => {
        container.controller = worker;
        port!.postMessage("claimed");
      });
    },
  };
  const container = {
    controller: null as unknown,
    register: () => ({ installing: null, waiting: null, active: worker }),
    getRegistration: () => Promise.resolve(),
  };
  using _page = replaceGlobals({
    navigator: { serviceWorker: container },
    location: new URL(`${origin}/`),
    fetch: () => Promise.resolve(new Response('{"version":"1"}')),
  });
  assertEquals([(await startWorker()).version, asked], ["1", ["claim"]]);
});

test("page: without a worker, the error says what the page or the browser lacks", async () => {
  const pages = [
    [
      "file:///home/app/index.html",
      "Cannot start the worker in a file: serve the page at localhost or with https",
    ],
    [
      "http://app.test/",
      "Cannot start the worker in a page of http://app.test, because browsers give service",
    ],
    [`${origin}/`, "Cannot start the worker: this browser has no service workers here"],
  ] as const;
  for (const [href, message] of pages) {
    const location = new URL(href), isSecureContext = location.protocol === "https:";
    using _page = replaceGlobals({ navigator: {}, location, isSecureContext });
    await assertRejects(() => startWorker(), TypeError, message);
  }
  const register = () => Promise.reject(new Error("The script app.test/x.js is gone."));
  using _page = replaceGlobals({
    navigator: { serviceWorker: { register } },
    location: new URL(`${origin}/`),
  });
  const message = "for /: The script app.test/x.js is gone. Copy postern-worker.js";
  await assertRejects(() => startWorker(), Error, message);
});
