/** The fetch of the test kit behaves as the runtime's own does over a socket. */
import { assertEquals } from "@std/assert";
import type { Fetch } from "../../../../src/kit/mock/network/fetch.ts";
import { runtime, test } from "../../../runner.ts";
import { type Case, describeError, findDifferences, type Sites, streamOf } from "./both_fetches.ts";

interface Departure {
  readonly on: readonly (typeof runtime)[];
  readonly cases: readonly string[];
  readonly reason: string;
}

// Node refuses each of them, and the other runtimes ignore it.
const connectionHeaders = [
  "content-length:5",
  "transfer-encoding:chunked",
  "keep-alive:a",
  "upgrade:a",
];

/** Cases that the test kit does not imitate, each with the reason. Elsewhere it obeys the Fetch Standard. */
const departures: readonly Departure[] = [
  {
    on: ["bun"],
    cases: ["/to#part", "a URL with a fragment"],
    reason: "The URL of a response has its fragment, although Fetch Standard §5.5 removes it",
  },
  { on: ["bun"], cases: ["endless"], reason: "It follows 127 redirects instead of 20 (Fetch Standard §4.4)" },
  { on: ["bun"], cases: ["an empty Location"], reason: "It is no redirect, although it resolves to a URL" },
  { on: ["deno"], cases: ["no Location"], reason: "The body of the answer is lost" },
  {
    on: ["deno", "bun"],
    cases: ["a URL with credentials"],
    reason: "They are sent, although a Request refuses them (Fetch Standard §5.4)",
  },
  {
    on: ["bun"],
    cases: ["POST", "PUT"].flatMap((method) =>
      ["a stream", "an async iterable"].flatMap((kind) => [
        `${method}, a Request of ${kind}`,
        `${method}, a copied Request of ${kind}`,
        `${method}, a Request of ${kind} and other headers`,
      ])
    ),
    reason: "A Request does not tell what its body was made of",
  },
  {
    on: ["bun"],
    cases: ["the method CONNECT", "an empty URL"],
    reason: "fetch refuses what a Request takes, or by another error",
  },
  {
    on: ["bun"],
    cases: ["GET with a body", "HEAD with a body", "a Request that was read", "a Request that was sent"],
    reason: "The error has a code",
  },
  {
    on: ["node"],
    cases: ["an error as the reason", "text as the reason"].flatMap((name) => [
      `${name}, before the body is read`,
      `${name}, before the body of a Request is read`,
    ]),
    reason: "The reason is lost on Node 20 and 22, if the whole body has arrived",
  },
  {
    on: ["node"],
    cases: connectionHeaders.map((header) => `the header ${header}`),
    reason: "They are for the connection, and there is none",
  },
  {
    on: ["node", "deno"],
    cases: ["changed headers"],
    reason: "A test may change the headers of an answer, to see what its client does",
  },
];

const departing = new Set(departures.filter(({ on }) => on.includes(runtime)).flatMap(({ cases }) => cases));

async function assertSame(cases: Readonly<Record<string, Case>>): Promise<void> {
  const compared = Object.entries(cases).filter(([name]) => !departing.has(name));
  assertEquals(await findDifferences(Object.fromEntries(compared)), []);
}

const textBody: Readonly<Record<string, () => RequestInit>> = { "text": () => ({ body: "x=y" }) };

const bodies: typeof textBody = {
  ...textBody,
  "URLSearchParams": () => ({ body: new URLSearchParams("x=y") }),
  "a Uint8Array": () => ({ body: new TextEncoder().encode("x=y") }),
  "an ArrayBuffer": () => ({ body: new TextEncoder().encode("x=y").buffer }),
  "a form": () => ({ body: createForm() }),
  "a blob": () => ({ body: new Blob(["x=y"], { type: "text/x" }) }),
  "a stream": createStreamInit,
  "an async iterable": () => ({ ...createStreamInit(), body: createIterable() as never }),
};

async function* createIterable(): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode("x=y");
}

function createForm(): FormData {
  const form = new FormData();
  form.set("x", "y");
  return form;
}

function createStreamInit(): RequestInit {
  const init: RequestInit & { readonly duplex: "half" } = { body: streamOf("x=y"), duplex: "half" };
  return init;
}

const headers = {
  ...{ authorization: "Basic YTpi", cookie: "a=b", "proxy-authorization": "Basic YTpi" },
  ...{ "content-language": "en", "x-known": "1" },
};

const movedTo = (status: number, to: string) => `/moved/${status}?to=${encodeURIComponent(to)}`;

/** All methods with these bodies. */
function createSendings(
  url: (sites: Sites) => string,
  bodies: Readonly<Record<string, () => RequestInit>>,
): Record<string, Case> {
  const cases: Record<string, Case> = {};
  for (const method of ["GET", "HEAD", "POST", "PUT"]) {
    const mayHaveBody = method !== "GET" && method !== "HEAD";
    for (
      const [kind, body] of Object.entries(
        mayHaveBody ? { nothing: () => ({}), ...bodies } : { nothing: () => ({}) },
      )
    ) {
      const init = () => ({ method, headers, ...body() });
      const request = (sites: Sites) => new Request(url(sites), init());
      cases[`${method} ${kind}`] = (fetch, sites) => fetch(url(sites), init());
      cases[`${method}, a Request of ${kind}`] = (fetch, sites) => fetch(request(sites));
      cases[`${method}, a copied Request of ${kind}`] = (fetch, sites) => fetch(request(sites).clone());
      cases[`${method}, a Request of ${kind} and other headers`] = (fetch, sites) =>
        fetch(request(sites), { headers: { "x-known": "2" } });
    }
  }
  return cases;
}

// 301 changes a method as 302 does, and 307 keeps a body as 308 does.
const statuses = { 301: textBody, 302: bodies, 303: bodies, 307: textBody, 308: bodies };

for (const [name, sent] of Object.entries(statuses)) {
  const status = Number(name);

  test(`fetch: follows ${status} at one origin as over a socket (Fetch Standard §4.4)`, async () => {
    await assertSame(createSendings(({ here }) => here + movedTo(status, "/to"), sent));
  });

  test(`fetch: follows ${status} to another origin as over a socket (Fetch Standard §4.4)`, async () => {
    await assertSame(createSendings(({ here, there }) => here + movedTo(status, `${there}/to`), textBody));
  });
}

test("fetch: returns or refuses a redirect as over a socket, if `redirect` says so", async () => {
  const cases: Record<string, Case> = {};
  for (const redirect of ["manual", "error"] as const) {
    for (const status of [200, 201, 300, 301, 302, 303, 304, 307, 308]) {
      cases[`${redirect}, ${status}`] = (fetch, { here }) =>
        fetch(here + movedTo(status, "/to"), { redirect });
      cases[`${redirect}, ${status} without a Location`] = (fetch, { here }) =>
        fetch(`${here}/moved/${status}`, { redirect });
    }
    for (const to of ["https://[", "data:,x"]) {
      cases[`${redirect}, to ${to}`] = (fetch, { here }) => fetch(here + movedTo(302, to), { redirect });
    }
    cases[`${redirect}, of POST`] = (fetch, { here }) =>
      fetch(here + movedTo(302, "/to"), { redirect, method: "POST", body: "x=y" });
  }
  await assertSame(cases);
});

test("fetch: reads a Location as over a socket", async () => {
  const cases: Record<string, Case> = {};
  const locations = ["to", "./to", "/to?a=b", "/to#part", "https://[/", "data:,x", "file:///x", "mailto:a@b"];
  for (const to of locations) {
    cases[to] = (fetch, { here }) => fetch(here + movedTo(302, to));
  }
  await assertSame({
    ...cases,
    "without a scheme": (fetch, { here, there }) =>
      fetch(here + movedTo(302, `${there.replace("http:", "")}/to`)),
    "twice": (fetch, { here }) => fetch(here + movedTo(302, movedTo(303, "/to"))),
    "twice with a body": (fetch, { here }) =>
      fetch(here + movedTo(307, movedTo(308, "/to")), { method: "POST", body: "x=y" }),
    "away and back": (fetch, { here, there }) =>
      fetch(here + movedTo(307, there + movedTo(307, `${here}/to`)), { headers }),
    "endless": (fetch, { here }) => fetch(here + movedTo(302, "#again")),
    "an empty Location": (fetch, { here }) => fetch(here + movedTo(302, "")),
    "no Location": (fetch, { here }) => fetch(`${here}/moved/302`),
  });
});

test("fetch: a lost answer looks as over a socket", async () => {
  /** Without the requests that have arrived: Deno and Bun repeat one if its connection was used before. */
  const send = (path: string, init: () => RequestInit): Case => async (fetch, { here, seen }) => {
    const result = await fetch(here + path, init()).catch(describeError);
    seen.length = 0;
    return result;
  };
  await assertSame({
    "GET": send("/lost", () => ({})),
    "POST": send("/lost", () => ({ method: "POST", body: "x=y" })),
    "POST a stream": send("/lost", () => ({ method: "POST", ...createStreamInit() })),
    "after a redirect": send(movedTo(307, "/lost"), () => ({ method: "POST", body: "x=y" })),
  });
});

test("fetch: an answer that is cut in its body looks as over a socket", async () => {
  const read = (how: (response: Response) => Promise<unknown>): Case => async (fetch, { here, cut }) => {
    const response = await fetch(`${here}/cut`);
    const reading = how(response).catch(describeError);
    await cut();
    return await reading;
  };
  await assertSame({
    "text": read((response) => response.text()),
    "json": read((response) => response.json()),
    "arrayBuffer": read((response) => response.arrayBuffer()),
    "a clone": read((response) => response.clone().text()),
    "chunks": async (fetch, { here, cut }) => {
      const reader = (await fetch(`${here}/cut`)).body!.getReader();
      const { value } = await reader.read();
      await cut();
      return [new TextDecoder().decode(value), await reader.read().catch(describeError)];
    },
  });
});

/** Aborts a request at each moment. */
function createAborts(name: string, reason: unknown): Readonly<Record<string, Case>> {
  const describe = (thrown: unknown) => thrown === reason ? "the reason" : describeError(thrown);
  const abortLate =
    (path: string, create: (url: string, signal: AbortSignal) => Parameters<Fetch>): Case =>
    async (fetch, { here, arrived }) => {
      const abort = new AbortController();
      const arrival = arrived();
      const sent = fetch(...create(here + path, abort.signal)).catch(describe);
      await arrival;
      abort.abort(reason);
      return await sent;
    };
  const abortAnswer =
    (path: string, abortAndRead: (response: Response, abort: () => void) => Promise<string>): Case =>
    async (fetch, { here }) => {
      const abort = new AbortController();
      const response = await fetch(here + path, { signal: abort.signal });
      return await abortAndRead(response, () => abort.abort(reason)).catch(describe);
    };
  return {
    [`${name}, before`]: (fetch, { here }) =>
      fetch(`${here}/to`, { signal: AbortSignal.abort(reason) }).catch(describe),
    [`${name}, before a Request is sent`]: async (fetch, { here }) => {
      const signal = AbortSignal.abort(reason);
      const request = new Request(`${here}/to`, { method: "POST", body: "x=y", signal });
      return [await fetch(request).catch(describe), request.bodyUsed];
    },
    [`${name}, during`]: abortLate("/late", (url, signal) => [url, { signal }]),
    [`${name}, during a Request`]: abortLate("/late", (url, signal) => [new Request(url, { signal })]),
    [`${name}, during a POST`]: abortLate(
      "/late",
      (url, signal) => [url, { signal, method: "POST", body: "x=y" }],
    ),
    [`${name}, after a redirect`]: abortLate(movedTo(307, "/late"), (url, signal) => [url, { signal }]),
    [`${name}, while the body is read`]: abortAnswer("/cut", (response, abort) => {
      const text = response.text();
      abort();
      return text;
    }),
    [`${name}, before the body is read`]: abortAnswer("/to", (response, abort) => {
      abort();
      return response.text();
    }),
    [`${name}, before the body of a Request is read`]: async (fetch, { here }) => {
      const abort = new AbortController();
      const request = new Request(`${here}/to`, { signal: abort.signal });
      const response = await fetch(request, { headers: { "x-known": "1" } });
      abort.abort(reason);
      return await response.text().catch(describe);
    },
    [`${name}, after the body is read`]: abortAnswer("/to", async (response, abort) => {
      const text = await response.text();
      abort();
      return text;
    }),
  };
}

test("fetch: an aborted request looks as over a socket", async () => {
  await assertSame({
    ...createAborts("no reason", undefined),
    ...createAborts("an error as the reason", new Error("enough")),
    ...createAborts("text as the reason", "enough"),
    "a time limit": async (fetch, { here }) => {
      const signal = AbortSignal.timeout(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return await fetch(`${here}/to`, { signal });
    },
  });
});

test("fetch: an answer without a body looks as over a socket (RFC 9110 §9.3.2, §15.3.5, §15.4.5)", async () => {
  const cases: Record<string, Case> = {};
  for (const method of ["GET", "HEAD", "POST"]) {
    for (const status of [200, 204, 205, 304, 404, 500]) {
      cases[`${method} ${status}`] = (fetch, { here }) => fetch(`${here}/status/${status}`, { method });
      cases[`${method} ${status}, a Request`] = (fetch, { here }) =>
        fetch(new Request(`${here}/status/${status}`, { method }));
    }
  }
  await assertSame(cases);
});

test("fetch: the headers and the coding of an answer look as over a socket", async () => {
  await assertSame({
    "headers": (fetch, { here }) => fetch(`${here}/headers`),
    "cookies": async (fetch, { here }) => {
      const response = await fetch(`${here}/headers`);
      return [response.headers.getSetCookie(), await response.text()];
    },
    "a clone": async (fetch, { here }) => {
      const response = await fetch(`${here}/headers`);
      const copy = response.clone();
      await response.text();
      return copy;
    },
    "text without a type": (fetch, { here }) => fetch(`${here}/status/200`),
    "changed headers": async (fetch, { here }) => {
      const response = await fetch(`${here}/headers`);
      await response.text();
      response.headers.set("x-known", "changed");
      return response.headers.get("x-known");
    },
    "gzip": (fetch, { here }) => fetch(`${here}/gzip`),
    "gzip twice": (fetch, { here }) => fetch(`${here}/gzip-2`),
    "gzip five times": (fetch, { here }) => fetch(`${here}/gzip-5`),
    "gzip six times": (fetch, { here }) => fetch(`${here}/gzip-6`),
    "HEAD gzip": (fetch, { here }) => fetch(`${here}/gzip`, { method: "HEAD" }),
  });
});

const messageHeaders = [
  "x-known:ä",
  "x-known:€",
  "x-known:a\nb",
  "x-known: a ",
  " x-known:a",
  "x known:a",
  "origin:a",
];

test("fetch: takes and refuses arguments as over a socket", async () => {
  const post = (here: string) => new Request(`${here}/to`, { method: "POST", body: "x=y" });
  const cases: Record<string, Case> = {
    "GET with a body": (fetch, { here }) => fetch(`${here}/to`, { body: "x=y" }),
    "HEAD with a body": (fetch, { here }) => fetch(`${here}/to`, { method: "HEAD", body: "x=y" }),
    "a Request with another body": (fetch, { here }) => fetch(post(here), { body: "other" }),
    "a Request that was read": async (fetch, { here }) => {
      const request = post(here);
      await request.text();
      return await fetch(request);
    },
    "a Request that was sent": async (fetch, { here }) => {
      const request = post(here);
      await (await fetch(request)).text();
      return [request.bodyUsed, await fetch(request).catch(describeError)];
    },
    "a stream that is read": (fetch, { here }) => {
      const init = createStreamInit();
      (init.body as ReadableStream).getReader();
      return fetch(`${here}/to`, { method: "POST", ...init });
    },
    "a stream without duplex": (fetch, { here }) =>
      fetch(`${here}/to`, { method: "POST", body: streamOf("x=y") }),
    "an empty body": (fetch, { here }) => fetch(`${here}/to`, { method: "POST", body: "" }),
    "a URL with a fragment": (fetch, { here }) => fetch(`${here}/to?a=b#part`),
    "a URL with credentials": (fetch, { here }) => fetch(`${here.replace("//", "//a:b@")}/to`),
    "a URL without a path": (fetch, { here }) => fetch(here),
    "a relative URL": (fetch) => fetch("/to"),
    "an invalid URL": (fetch) => fetch("http://["),
    "an empty URL": (fetch) => fetch(""),
  };
  for (const method of ["get", "post", "PATCH", "CONNECT", "b ad"]) {
    cases[`the method ${method}`] = (fetch, { here }) => fetch(`${here}/to`, { method });
  }
  for (const header of [...messageHeaders, ...connectionHeaders]) {
    const [name = "", value = ""] = header.split(":");
    cases[`the header ${header}`] = (fetch, { here }) =>
      fetch(`${here}/to`, { method: "POST", headers: { [name]: value } });
  }
  await assertSame(cases);
});
