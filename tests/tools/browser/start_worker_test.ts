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

/** A page whose browser has one worker, and whose worker answers each call with `answer`. */
function createPage(
  { href = `${origin}/shop/`, controlledBy = scriptURL, answer = () => new Response('{"version":"1"}') }: {
    readonly href?: string;
    /** The script of the worker that controls the page, also after a claim. */
    readonly controlledBy?: string | null;
    readonly answer?: () => Response;
  } = {},
) {
  const did: string[] = [];
  const worker = {
    state: "activated",
    scriptURL,
    addEventListener() {},
    postMessage: (text: string, [port]: MessagePort[]) => (did.push(text), port!.postMessage("claimed")),
  };
  const registration = {
    ...{ installing: null as object | null, waiting: null as object | null, active: worker as object | null },
    unregister: () => Promise.resolve(void did.push("unregister")),
  };
  const serviceWorker = {
    controller: controlledBy === null ? null : { scriptURL: controlledBy },
    register: (
      url: URL,
      { scope }: { readonly scope: string },
    ) => (did.push(`${url} ${scope}`), registration),
    getRegistration: () => Promise.resolve(),
  };
  const globals = {
    navigator: { serviceWorker },
    location: new URL(href),
    fetch: (url: string, { method, body }: RequestInit) => {
      did.push([method, url, body].filter((each) => each !== undefined).join(" "));
      return Promise.resolve(answer());
    },
  };
  return { did, worker, registration, globals };
}

const places: readonly (readonly [
  terms: Parameters<typeof startWorker>[0],
  registered: string,
  issuer: string,
])[] = [
  [undefined, `${scriptURL}?issuer=%2Fidp ${origin}/`, `${origin}/idp`],
  [{ paths: "auth0" }, `${scriptURL}?issuer=%2Fidp%2F ${origin}/`, `${origin}/idp/`],
  [
    { paths: "keycloak" },
    `${scriptURL}?issuer=%2Fidp%2Frealms%2Fmaster ${origin}/`,
    `${origin}/idp/realms/master`,
  ],
  [{ issuer: "/idp///" }, `${scriptURL}?issuer=%2Fidp%2F ${origin}/`, `${origin}/idp/`],
  [{ scope: "/shop/" }, `${scriptURL}?issuer=%2Fshop%2Fidp ${origin}/shop/`, `${origin}/shop/idp`],
  [
    { script: "/shop/postern-worker.js" },
    `${origin}/shop/postern-worker.js?issuer=%2Fshop%2Fidp ${origin}/shop/`,
    `${origin}/shop/idp`,
  ],
  [
    { script: "../postern-worker.js", issuer: `${origin}/as` },
    `${scriptURL}?issuer=%2Fas ${origin}/`,
    `${origin}/as`,
  ],
];

for (const [terms, registered, issuer] of places) {
  test(`page: the worker of ${JSON.stringify(terms)} is registered in its folder, and its issuer is below`, async () => {
    const controlledBy = registered.split("?")[0]!;
    const { did, globals } = createPage({ href: `${origin}/shop/cart`, controlledBy });
    using _page = replaceGlobals(globals);
    const started = await startWorker(terms);
    assertEquals([did[0], started.issuer], [registered, issuer]);
    const { paths } = terms ?? {};
    const options = JSON.stringify(paths === undefined ? {} : { paths });
    assertEquals(did.slice(1), [`PUT ${issuer.replace(/\/$/, "")}/_postern/worker ${options}`]);
    await started.remove();
    assertEquals(did.slice(2), ["unregister"]);
  });
}

test("page: an issuer has a path of this site, and an option is no function", async () => {
  const { did, globals } = createPage();
  using _page = replaceGlobals(globals);
  const others = ["/", "https://other.test/idp", "/idp?a=1", "/idp#a", "http://app.test/idp"];
  for (const issuer of others) {
    const message = `Cannot start the worker for the issuer ${issuer}: expected a path of ${origin}`;
    await assertRejects(() => startWorker({ issuer }), TypeError, message);
  }
  const withFunction = { issuer: "/idp", people: [{ username: "zoe", claims: { name: () => "Zoe" } }] };
  await assertRejects(
    () => startWorker(withFunction as never),
    TypeError,
    "Cannot start the worker with name: a function cannot be sent to the worker",
  );
  assertEquals(did, []);
});

test("page: a worker that cannot control the page says why", async () => {
  const none = createPage({ controlledBy: null });
  using _none = replaceGlobals(none.globals);
  await assertRejects(() => startWorker(), Error, "loaded this page past it, as after a forced reload");
  assertEquals(none.did.slice(1), ["claim"]);
  const other = createPage({ controlledBy: `${origin}/shop-worker.js` });
  using _other = replaceGlobals(other.globals);
  await assertRejects(
    () => startWorker(),
    Error,
    `another service worker, ${origin}/shop-worker.js, controls this page`,
  );
  await assertRejects(
    () => startWorker({ scope: "/till/" }),
    TypeError,
    `this page is not below its scope ${origin}/till/`,
  );
  assertEquals([...none.did, ...other.did].filter((each) => each.startsWith("PUT")), []);
});

test("page: the worker that is coming counts before the one that is there, and a refusal has its reason", async () => {
  const answers = ['{"version":"2"}', '{"error_description":"no such step"}'];
  const { did, worker, registration, globals } = createPage({
    answer: () => new Response(answers.shift(), { status: answers.length === 0 ? 400 : 200 }),
  });
  using _page = replaceGlobals(globals);
  for (const place of ["installing", "waiting"] as const) {
    Object.assign(registration, { installing: null, waiting: null, active: worker });
    registration[place] = { ...worker, state: "redundant" };
    registration.active = null;
    await assertRejects(() => startWorker(), Error, "the browser could not install it");
  }
  Object.assign(registration, { installing: null, waiting: null, active: worker });
  const { version, control } = await startWorker();
  assertEquals(version, "2");
  const error = await assertRejects(() => control("GET /clock"), Error);
  assertEquals([error.message, did.at(-1)], ["no such step", `GET ${origin}/idp/_postern/clock`]);
});
