/** The service worker, with a scope and a database of its own: what it answers, what it leaves alone, and what it keeps. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { replaceGlobals } from "../../replace_globals.ts";
import { test } from "../../runner.ts";
import { formTokenOf } from "../dashboard/open_dashboard.ts";

const origin = "https://app.test", issuer = `${origin}/idp`;

interface Sent extends RequestInit {
  readonly mode?: RequestMode;
  readonly referrer?: string;
}

interface RunningWorker {
  /** Resolves to `undefined` if the worker leaves the request to the browser. */
  send(url: string, sent?: Sent): Promise<Response | undefined>;
  /** Sends an event that may last, and resolves when its work is done. */
  tell(type: string, own?: object): Promise<void>;
  /** What the worker has asked of the browser. */
  readonly asked: string[];
}

let starts = 0;

/** Starts a worker, as a browser does anew for the same database. */
async function runWorker(
  work: (worker: RunningWorker) => Promise<void>,
  { indexedDB = new IDBFactory(), path = "/idp" }: {
    readonly indexedDB?: object;
    /** The path of the issuer. */
    readonly path?: string;
  } = {},
): Promise<void> {
  const listeners = new Map<string, (event: object) => void>();
  const asked: string[] = [];
  using _scope = replaceGlobals({
    indexedDB,
    IDBKeyRange,
    location: new URL(`${origin}/postern-worker.js?issuer=${path}`),
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    skipWaiting: () => Promise.resolve().then(() => asked.push("skipWaiting")),
    clients: { claim: () => Promise.resolve().then(() => asked.push("claim")) },
    fetch: ({ url }: Request) => (asked.push(url), Promise.resolve(new Response("of the browser"))),
  });
  // a worker that starts anew evaluates its file anew
  await import(`../../../src/tools/browser/worker/worker.ts?${starts++}`);
  const dispatch = (type: string, own: object) => {
    let work = undefined as Promise<unknown> | undefined;
    const last = (given: Promise<unknown>) => work = given;
    listeners.get(type)!({ waitUntil: last, respondWith: last, ...own });
    return work;
  };
  let isOpen = false;
  const worker: RunningWorker = {
    asked,
    async send(url, { mode = "cors", referrer = "", ...init } = {}) {
      const request = new Request(new URL(url, issuer), init);
      const ofBrowser = { mode, referrer, destination: mode === "navigate" ? "document" : "" };
      for (const [name, value] of Object.entries(ofBrowser)) Object.defineProperty(request, name, { value });
      const answer = await dispatch("fetch", { request }) as Response | undefined;
      isOpen ||= answer !== undefined;
      return answer;
    },
    tell: async (type, own = {}) => void await dispatch(type, own),
  };
  await work(worker);
  if (isOpen) await waitForKeys(worker, path.replace(/\/$/, ""));
}

/** A server makes its keys while it answers, and a test must not end before. */
async function waitForKeys({ send }: RunningWorker, path = "/idp"): Promise<void> {
  await send(`${path}/oauth2/jwks`);
}

test("worker: it takes over at once, and claims each page that asks for it (Service Workers §4.1.4, §4.2.1)", () =>
  runWorker(async ({ tell, asked }) => {
    await tell("install");
    await tell("activate");
    assertEquals(asked, ["skipWaiting", "claim"]);
    const told: string[] = [];
    await tell("message", { ports: [{ postMessage: (text: string) => told.push(text) }] });
    await tell("message", { ports: [] });
    assertEquals([asked.slice(2), told], [["claim", "claim"], ["claimed"]]);
  }));

test("worker: it answers for its issuer, and asks the browser only where a look-alike might answer", () =>
  runWorker(async ({ send, asked }) => {
    const others = ["/", "/idpx", "/shop/idp", `${origin}:8443/idp`, "https://other.test/idp"];
    for (const url of others) assertEquals(await send(url, { mode: "navigate" }), undefined, url);
    assertEquals(await send("/shop/api"), undefined);
    assertEquals(asked, []);
    // until the records are read, each call of another origin may be to a provider
    assertEquals(await (await send("https://api.test/a"))?.text(), "of the browser");
    assertEquals(asked, ["https://api.test/a"]);
    for (const path of ["/idp/.well-known/openid-configuration", "/.well-known/openid-configuration/idp"]) {
      assertEquals((await (await send(path))?.json())?.issuer, issuer, path);
    }
    assertEquals(await send("https://api.test/b"), undefined);
    assertEquals(asked.length, 1);
  }));

const control = "/idp/_postern";

const put = (options: object) => ({ method: "PUT", body: JSON.stringify(options) });

async function readJson(answer: Response | undefined): Promise<unknown> {
  return answer === undefined ? undefined : [answer.status, await answer.json()];
}

test("worker: options that are new begin anew, wrong ones change nothing, and a worker that starts again has the last", async () => {
  const indexedDB = new IDBFactory();
  const listPeople = async ({ send }: RunningWorker) => {
    const { people } = await (await send(`${control}/people`))!.json();
    return people.map(({ username }: { readonly username: string }) => username);
  };
  const add = ({ send }: RunningWorker, username: string) =>
    send(`${control}/people`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username }),
    });
  const first = { alg: "ES256", people: [{ username: "zoe" }] };
  await runWorker(async (worker) => {
    const { send } = worker;
    await waitForKeys(worker);
    const [status, about] = await readJson(await send(`${control}/worker`, put(first))) as [number, object];
    assertEquals([status, Object.keys(about)], [200, ["version", "issuer"]]);
    await add(worker, "yan");
    // the same once more
    await send(`${control}/worker`, put(first));
    assertEquals(await listPeople(worker), ["zoe", "yan"]);
    const [refused, problem] = await readJson(
      await send(`${control}/worker`, put({ clients: [{ client_id: "" }] })),
    ) as [number, { readonly error: string; readonly error_description: string }];
    assertEquals([refused, problem.error], [400, "invalid_request"]);
    assertMatch(problem.error_description, /client_id/);
    assertEquals(await listPeople(worker), ["zoe", "yan"]);
  }, { indexedDB });
  await runWorker(async (worker) => {
    assertEquals(await listPeople(worker), ["zoe", "yan"]);
    await worker.send(`${control}/worker`, put({ alg: "ES256", people: [{ username: "xia" }] }));
    assertEquals(await listPeople(worker), ["xia"]);
  }, { indexedDB });
  await runWorker(async (worker) => assertEquals(await listPeople(worker), ["xia"]), { indexedDB });
  // another issuer has records of its own, and may end with a slash
  await runWorker(async ({ send }) => {
    const { people } = await (await send("/other/_postern/people"))!.json();
    assertEquals(people.length, 2);
  }, { indexedDB, path: "/other/" });
});

test("worker: a navigation only reads the version, and does nothing else of the control plane", () =>
  runWorker(async ({ send }) => {
    const sent: readonly (readonly [path: string, sent: Sent, status: number])[] = [
      ["/worker", { mode: "navigate" }, 200],
      ["/worker", { mode: "navigate", ...put({ alg: "ES384" }) }, 403],
      ["/worker", { mode: "navigate", method: "POST" }, 403],
      ["", { mode: "navigate" }, 403],
      ["/clock", { mode: "navigate" }, 403],
      ["/reset", { mode: "navigate", method: "POST" }, 403],
      ["/clock", {}, 200],
      ["/clock", { mode: "same-origin" }, 200],
    ];
    for (const [path, request, status] of sent) {
      assertEquals([path, (await send(control + path, request))?.status], [path, status]);
    }
    // no route, but a path of the server
    assertEquals((await send(`${control}x`, { mode: "navigate" }))?.status, 404);
  }));

test("worker: the answer to HEAD has no body", () =>
  runWorker(async ({ send }) => {
    for (const path of ["/idp/.well-known/openid-configuration", `${control}/clock`]) {
      const { status, headers, body } = (await send(path, { method: "HEAD" }))!;
      assertEquals([status, headers.get("content-type"), body], [200, "application/json", null], path);
    }
  }));

test("worker: while the browser gives no storage it says so, and other hosts get their calls", async () => {
  const whole = new IDBFactory();
  let isRefused = true;
  const open = (...args: Parameters<InstanceType<typeof IDBFactory>["open"]>) => {
    if (isRefused) throw new DOMException("<b>no</b>", "UnknownError");
    return whole.open(...args);
  };
  await runWorker(async ({ send }) => {
    const title = "This browser gives the server no storage";
    const description = `${title}. Cannot open the store "postern /idp": <b>no</b>`;
    assertEquals(await readJson(await send("/idp/oauth2/jwks")), [503, {
      error: "temporarily_unavailable",
      error_description: description,
    }]);
    const page = (await send("/idp/", { mode: "navigate" }))!;
    assertEquals([page.status, page.headers.get("content-type")], [503, "text/html; charset=utf-8"]);
    assertMatch(await page.text(), /<h1>This browser gives the server no storage<.*&#60;b&#62;no/);
    isRefused = false;
    assertEquals((await send("/idp/oauth2/jwks"))?.status, 200);
  }, { indexedDB: { open } });
  isRefused = true;
  await runWorker(async ({ send, asked }) => {
    assertEquals(await (await send("https://api.test/a"))?.text(), "of the browser");
    assertEquals(asked, ["https://api.test/a"]);
    isRefused = false;
    assertEquals((await send("/idp/oauth2/jwks"))?.status, 200);
  }, { indexedDB: { open } });
});

test("worker: a window keeps the page of its own site that opened it, and loses that of another (HTML §7.1.3)", () =>
  runWorker(async ({ send }) => {
    for (
      const [referrer, policy] of [[`${origin}/shop`, null], ["https://other.test/", "same-origin"]] as const
    ) {
      const page = (await send("/idp/", { mode: "navigate", referrer }))!;
      assertEquals([page.status, page.headers.get("cross-origin-opener-policy")], [200, policy], referrer);
    }
  }));

test("worker: pages of the dashboard are in frames of their own site only", () =>
  runWorker(async ({ send }) => {
    const { status, headers } = (await send("/idp/inspector", { mode: "navigate" }))!;
    assertEquals([status, headers.get("x-frame-options")], [200, null]);
    assertMatch(headers.get("content-security-policy")!, /frame-ancestors 'self'/);
    const signIn = (await send("/idp/", { mode: "navigate" }))!;
    assertMatch(signIn.headers.get("content-security-policy")!, /frame-ancestors 'none'/);
  }));

test("worker: a form of the dashboard outlives the worker, and a stream of its events ends with the old options", async () => {
  const indexedDB = new IDBFactory();
  const page = "/idp/misbehaviours/clock";
  let token = "";
  await runWorker(async (worker) => {
    const { send } = worker;
    await waitForKeys(worker);
    token = formTokenOf(await (await send(page, { mode: "navigate" }))!.text(), page);
    const stream = (await send("/idp/inspector/events"))!.body!.getReader();
    await stream.read();
    await send(`${control}/worker`, put({ alg: "ES256" }));
    assertEquals((await stream.read()).done, true);
  }, { indexedDB });
  await runWorker(async ({ send }) => {
    for (const [given, status] of [[token, 303], [`${token}x`, 403]] as const) {
      const body = new URLSearchParams({ form_token: given, step: "1h" });
      const answer = await send(page, { method: "POST", mode: "navigate", referrer: origin + page, body });
      assertEquals(answer?.status, status);
    }
  }, { indexedDB });
});

test("worker: it answers at the hosts of a provider that it looks like, also after it has started again", async () => {
  const indexedDB = new IDBFactory();
  const atProvider = "https://github.com/login/oauth/authorize?client_id=app";
  const json = { "content-type": "application/json" };
  await runWorker(async (worker) => {
    const { send } = worker;
    await waitForKeys(worker);
    await send(`${control}/worker`, put({ alg: "ES256" }));
    assertEquals(await send(atProvider, { mode: "navigate" }), undefined);
    await send(`${control}/look_alikes`, { method: "POST", headers: json, body: '{"name":"github"}' });
    const answer = await send(atProvider, { mode: "navigate" });
    assert(answer !== undefined);
    await answer.text();
  }, { indexedDB });
  await runWorker(async ({ send, asked }) => {
    const user = await send("https://api.github.com/user");
    assertEquals([user?.status, asked], [401, []]);
    // what is the provider's has no control plane
    assertEquals((await send(`https://api.github.com${control}/clock`))?.status, 501);
    await send(`${control}/reset`, { method: "POST", headers: json, body: "{}" });
    assertEquals(await send(atProvider, { mode: "navigate" }), undefined);
  }, { indexedDB });
});
