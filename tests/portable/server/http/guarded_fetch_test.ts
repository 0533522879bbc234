/** The guarded fetch against real sockets: addresses, redirects, size, time, type. */

import { assert, assertEquals } from "@std/assert";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchParts,
} from "../../../../src/ground/http/guarded_fetch.ts";
import { NotConnected } from "../../../../src/ground/http/outgoing_request.ts";
import { createSendToAddress } from "../../../../src/ground/http/send_to_address.ts";
import type { Reach } from "../../../../src/ground/http/outgoing_url.ts";
import { findOpenTls } from "../../../../src/server/runtime/open_tls.ts";
import { createCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import { faults, openFaultyHost } from "./faulty_host.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Canary {
  readonly origin: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
}

/** Runs a server on loopback for one test. With `tls`, it has a certificate for these hosts. */
async function withServer(
  handle: Handle,
  work: (server: Canary, ca: string) => Promise<void>,
  tls?: readonly string[],
): Promise<void> {
  const requests: IncomingMessage[] = [];
  const listener: Handle = (request, response) => {
    requests.push(request);
    handle(request, response);
  };
  const certificate = tls && await createCertificate({ hosts: tls, now: Date.now() / 1000 });
  const server = certificate === undefined
    ? createHttpServer(listener)
    : createHttpsServer({ key: certificate.key, cert: certificate.cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const origin = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
    await work({ origin, port, requests }, certificate?.ca ?? "");
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const answerJson: Handle = (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"ok":true}');
};

function createFetch(parts: Partial<GuardedFetchParts> = {}): GuardedFetch {
  return createGuardedFetch({ findFetch: () => undefined, now: () => 0, timeout: 3000, ...parts });
}

const largest = 5000;

async function failureOf(
  fetch: GuardedFetch,
  url: string,
  reach: Reach = "loopback",
): Promise<string | undefined> {
  const result = await fetch.getJson(url, { reach, largest });
  return "failure" in result ? result.failure : undefined;
}

const it = testIn<[Canary]>((work) => withServer(answerJson, work));

it("guarded fetch: gets JSON at a loopback address, and sends no credentials", async ({ origin, requests }) => {
  const result = await createFetch().getJson(`${origin}/c.json?x=1`, { reach: "loopback", largest });
  assert("value" in result);
  assertEquals(result.value, { ok: true });
  const [request] = requests;
  assertEquals([request?.method, request?.url, request?.headers.host], [
    "GET",
    "/c.json?x=1",
    origin.slice(7),
  ]);
  assertEquals([request?.headers.cookie, request?.headers.authorization], [undefined, undefined]);
  const { accept, "accept-encoding": encoding, "user-agent": agent } = request!.headers;
  assertEquals([accept, encoding, agent], ["application/json", "identity", "postern"]);
});

test("guarded fetch: connects to the checked address with the certificate of the name (CIMD §8.6)", async () => {
  const hosts = ["client.example"];
  await withServer(answerJson, async ({ port, requests }, ca) => {
    const looked: string[] = [];
    const toCanary = createSendToAddress({ ca, openTls: findOpenTls() });
    const fetch = createFetch({
      // The second answer is this machine, as that of an attacker's name server. It is never asked for.
      resolve: (name) => Promise.resolve(looked.push(name) === 1 ? ["8.8.8.8"] : ["127.0.0.1"]),
      send: (url, address, request) => {
        assertEquals(address, "8.8.8.8");
        return toCanary(url, "127.0.0.1", request);
      },
    });
    const url = `https://client.example:${port}/c`;
    assertEquals(await failureOf(fetch, url, "public"), undefined);
    assertEquals([looked, requests[0]?.headers.host], [["client.example"], `client.example:${port}`]);
    assertEquals(await failureOf(fetch, url, "public"), "address_not_allowed");
    assertEquals(requests.length, 1);
    const other = createFetch({
      resolve: () => Promise.resolve(["8.8.8.8"]),
      send: fetchFromLoopback(toCanary),
    });
    assertEquals(await failureOf(other, `https://other.example:${port}/c`, "public"), "unreachable");
    const untrusting = createFetch({
      resolve: () => Promise.resolve(["8.8.8.8"]),
      send: fetchFromLoopback(createSendToAddress({ openTls: findOpenTls() })),
    });
    assertEquals(await failureOf(untrusting, url, "public"), "unreachable");
    assertEquals(requests.length, 1);
  }, hosts);
});

test("guarded fetch: the name of the host is in the first message of TLS, and an address is not (RFC 6066 §3)", async () => {
  const isNamed = async (host: string, reach: Reach) => {
    const sent: (Buffer | string)[] = [];
    const server = createTcpServer((socket) =>
      socket.on("error", () => {}).once("data", (octets) => {
        sent.push(octets);
        socket.destroy();
      })
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const fetch = createFetch({
      resolve: () => Promise.resolve(["8.8.8.8"]),
      send: fetchFromLoopback(createSendToAddress()),
    });
    assertEquals(await failureOf(fetch, `https://${host}:${port}/c`, reach), "unreachable");
    await new Promise((resolve) => server.close(resolve));
    return sent.map((octets) => octets.includes(host));
  };
  assertEquals(await isNamed("client.example", "public"), [true]);
  assertEquals(await isNamed("127.0.0.1", "loopback"), [false]);
});

function fetchFromLoopback(send: ReturnType<typeof createSendToAddress>): typeof send {
  return (url, _address, request) => send(url, "127.0.0.1", request);
}

test("guarded fetch: a name with one special address is refused before connecting (CIMD §8.6)", async () => {
  let connections = 0;
  const answers: Readonly<Record<string, readonly string[]>> = {
    "loopback.example": ["127.0.0.1"],
    "private.example": ["10.0.0.1"],
    "metadata.example": ["169.254.169.254"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "mixed.example": ["8.8.8.8", "192.168.0.1"],
    "empty.example": [],
  };
  const fetch = createFetch({
    resolve: (name) =>
      name in answers ? Promise.resolve(answers[name]!) : Promise.reject(new Error("ENOTFOUND")),
    send: () => {
      connections++;
      throw new Error("a connection");
    },
  });
  const failures = new Set<string>();
  for (const name of [...Object.keys(answers), "unknown.example"]) {
    // A name that does not exist and a private name look the same, so that a stranger cannot explore a network.
    const result = await fetch.getJson(`https://${name}/c`, { reach: "loopback", largest });
    failures.add(JSON.stringify(result));
  }
  assertEquals([failures.size, connections], [1, 0]);
  assert([...failures][0]?.includes("address_not_allowed"));
});

it("guarded fetch: a public reach never calls this machine", async ({ port, requests }) => {
  const fetch = createFetch();
  for (const host of ["127.0.0.1", "localhost", "[::1]", "app.localhost", "0.0.0.0", "2130706433"]) {
    for (const scheme of ["http", "https"]) {
      assertEquals(await failureOf(fetch, `${scheme}://${host}:${port}/`, "public"), "url_not_allowed", host);
    }
  }
  assertEquals(requests.length, 0);
});

it("guarded fetch: the names of this machine need no resolver (RFC 6761 §6.3)", async ({ port }) => {
  const fetch = createFetch({ resolve: () => Promise.reject(new Error("asked")) });
  assertEquals(await failureOf(fetch, `http://localhost:${port}/`), undefined);
  assertEquals(await failureOf(fetch, `http://app.localhost:${port}/`), undefined);
});

test("guarded fetch: a request that may have arrived is sent to no other address (RFC 9110 §9.2.2)", async () => {
  const tried: string[] = [];
  const fetch = createFetch({
    resolve: () => Promise.resolve(["8.8.8.8", "8.8.4.4"]),
    send(_url, address) {
      tried.push(address);
      return Promise.reject(new Error("reset"));
    },
  });
  assertEquals(await failureOf(fetch, "https://client.example/", "public"), "unreachable");
  assertEquals(tried, ["8.8.8.8"]);
});

test("guarded fetch: a host of this machine that ends the connection gets the request once (RFC 9110 §9.2.2)", async () => {
  const hangUp: Handle = ({ socket }) => socket.destroy();
  await withServer(hangUp, async ({ port, requests }) => {
    const fetch = createFetch({ send: fetchFromLoopback(createSendToAddress()) });
    assertEquals(await failureOf(fetch, `http://app.localhost:${port}/`), "unreachable");
    assertEquals(requests.length, 1);
  });
});

test("guarded fetch: of this machine, it tries the address of IPv6, too", async () => {
  const tried: string[] = [];
  const fetch = createFetch({
    send(_url, address) {
      tried.push(address);
      return Promise.reject(new NotConnected("refused"));
    },
  });
  assertEquals(await failureOf(fetch, "http://app.localhost/"), "unreachable");
  assertEquals(tried, ["127.0.0.1", "::1"]);
});

test("guarded fetch: tries the next address of a host that is out of reach, and four at most", async () => {
  await withServer(answerJson, async ({ port }, ca) => {
    const toCanary = createSendToAddress({ ca, openTls: findOpenTls() });
    let outOfReach = ["2606:4700::1", "2606:4700::2", "2606:4700::3"];
    const fetch = createFetch({
      resolve: () => Promise.resolve([...outOfReach, "8.8.8.8"]),
      send: async (url, address, request) => {
        if (address.includes(":")) throw new NotConnected("no route");
        return await toCanary(url, "127.0.0.1", request);
      },
    });
    assertEquals(await failureOf(fetch, `https://client.example:${port}/`, "public"), undefined);
    outOfReach = [...outOfReach, "2606:4700::4"];
    assertEquals(await failureOf(fetch, `https://client.example:${port}/`, "public"), "unreachable");
  }, ["client.example"]);
});

for (const status of [301, 302, 303, 307, 308]) {
  test(`guarded fetch: a redirect with ${status} is not followed (CIMD §4)`, async () => {
    const redirect: Handle = (request, response) => {
      if (request.url !== "/from") return answerJson(request, response);
      response.writeHead(status, { location: "/to" }).end();
    };
    await withServer(redirect, async ({ origin, requests }) => {
      assertEquals(await failureOf(createFetch(), `${origin}/from`), "redirected");
      const form = new URLSearchParams({ logout_token: "x" });
      const posted = await createFetch().postForm(`${origin}/from`, form, { reach: "any" });
      assert("failure" in posted);
      assertEquals([posted.failure, posted.status], ["redirected", status]);
      assertEquals(requests.map(({ url }) => url), ["/from", "/from"]);
    });
  });
}

/** Each line: what a hostile server does, and the failure. */
const hostile: Readonly<Record<string, readonly [failure: string | undefined, handle: Handle]>> = {
  "one octet too many": ["too_large", (_, response) => json(response).end(`"${"x".repeat(largest - 1)}"`)],
  "the largest document": [undefined, (_, response) => json(response).end(`"${"x".repeat(largest - 2)}"`)],
  "an endless stream": ["too_large", (_, response) => {
    json(response);
    const push = (): void =>
      void (response.destroyed || response.write("x".repeat(1000), () => setImmediate(push)));
    push();
  }],
  "a gzip bomb": ["too_large", (_, response) => {
    json(response).setHeader("content-encoding", "gzip");
    response.end(gzipSync(new Uint8Array(5_000_000)));
  }],
  ...Object.fromEntries(
    Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, BR: brotliCompressSync })
      .map(([encoding, compress]) =>
        [`a document in ${encoding}`, [undefined, (_, response) => {
          json(response).setHeader("content-encoding", encoding);
          response.end(compress('{"ok":true}'));
        }]] as const satisfies readonly [string, readonly [undefined, Handle]]
      ),
  ),
  "a false encoding": ["unreachable", (_, response) => {
    json(response).setHeader("content-encoding", "gzip");
    response.end('{"ok":true}');
  }],
  "no answer": ["too_slow", () => {}],
  "a slow drip": ["too_slow", (_, response) => {
    json(response).write("{");
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  }],
  "a broken body": ["unreachable", (_, response) => {
    json(response).setHeader("content-length", "100");
    response.write("{", () => response.destroy());
  }],
  "HTML": ["wrong_content_type", (_, response) => response.setHeader("content-type", "text/html").end("{}")],
  "JSON with a suffix": [
    undefined,
    (_, response) => response.setHeader("content-type", "Application/JWK-Set+JSON ; charset=utf-8").end("{}"),
  ],
  "no Content-Type": ["wrong_content_type", (_, response) => response.end("{}")],
  "text that is not JSON": ["not_json", (_, response) => json(response).end("{]")],
  "the status 404": ["wrong_status", (_, response) => json(response).writeHead(404).end("{}")],
  "the status 201": ["wrong_status", (_, response) => json(response).writeHead(201).end("{}")],
};

function json(response: ServerResponse): ServerResponse {
  return response.setHeader("content-type", "application/json");
}

for (const [name, [failure, handle]] of Object.entries(hostile)) {
  test(`guarded fetch: ${name} → ${failure ?? "accepted"} (CIMD §8.6)`, async () => {
    await withServer(handle, async ({ origin }) => {
      const fetch = createFetch({ timeout: failure === "too_slow" ? 200 : 3000 });
      assertEquals(await failureOf(fetch, `${origin}/c`), failure);
    });
  });
}

const interim = ["100 Continue", "102 Processing", "103 Early Hints\r\nlink: </a>; rel=preload"]
  .map((head) => `HTTP/1.1 ${head}\r\n\r\n`);
const final = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

async function failureOfHost(answer: (socket: Socket) => void): Promise<string | undefined> {
  const host = await openFaultyHost(() => answer);
  try {
    return await failureOf(createFetch(), `http://127.0.0.1:${host.port}/`);
  } finally {
    await host.close();
  }
}

test("guarded fetch: eight interim answers of all kinds may precede the answer, but not nine (RFC 9110 §15.2)", async () => {
  for (const head of interim) {
    assertEquals(await failureOfHost((socket) => socket.end(head.repeat(8) + final)), undefined, head);
    assertEquals(await failureOfHost((socket) => socket.end(head.repeat(9) + final)), "unreachable", head);
  }
  const mixed = interim.join("").repeat(3);
  assertEquals(await failureOfHost((socket) => socket.end(mixed + final)), "unreachable");
});

test("guarded fetch: a host that sends interim answers without end loses its connection", async () => {
  const flood = (socket: Socket): void => {
    const push = (): void =>
      void (socket.destroyed || socket.write(interim.join("").repeat(100), () => setImmediate(push)));
    push();
  };
  assertEquals(await failureOfHost(flood), "unreachable");
});

test("guarded fetch: over TLS, no faulty answer is a document, and none leaves an error behind", async () => {
  const certificate = await createCertificate({ hosts: ["client.example"], now: Date.now() / 1000 });
  const all = Object.values(faults);
  const host = await openFaultyHost((path) => all[Number(path.slice(1))]!, certificate);
  const fetch = createFetch({
    resolve: () => Promise.resolve(["127.0.0.1"]),
    send: createSendToAddress({ ca: certificate.ca, openTls: findOpenTls() }),
  });
  for (const [index, name] of Object.keys(faults).entries()) {
    const url = `https://client.example:${host.port}/${index}`;
    const failure = await failureOf(fetch, url, "any");
    assert(failure !== undefined && failure !== "too_slow", `${name}: ${failure}`);
  }
  await host.close();
});

test("guarded fetch: a failure shows nothing of the answer", async () => {
  const handle: Handle = (_, response) =>
    json(response).writeHead(418, { "x-secret": "canary" }).end('"canary"');
  await withServer(handle, async ({ origin }) => {
    const result = await createFetch().getJson(origin, { reach: "loopback", largest });
    assert("failure" in result && result.status === 418);
    assert(!`${result.expected} ${result.observed}`.match(/canary|418/));
  });
});

test("guarded fetch: a host that does not exist and a host with a private address give the same failure", async () => {
  const of = (resolve: () => Promise<readonly string[]>) =>
    createFetch({ resolve }).getJson("https://host.example/c", { reach: "public", largest });
  const missing = await of(() => Promise.reject(new Error("ENOTFOUND")));
  assertEquals(missing, await of(() => Promise.resolve(["192.168.1.1"])));
  assertEquals(missing, await of(() => Promise.resolve(["127.0.0.1"])));
  assert("failure" in missing && missing.failure === "address_not_allowed");
});

test("guarded fetch: a closed port is unreachable", async () => {
  let closed = "";
  await withServer(answerJson, ({ origin }) => Promise.resolve(void (closed = origin)));
  assertEquals(await failureOf(createFetch(), closed), "unreachable");
});

it("guarded fetch: 100 requests at the same time for one document share one fetch", async ({ origin, requests }) => {
  const fetch = createFetch();
  const results = await Promise.all(Array.from({ length: 100 }, () => failureOf(fetch, `${origin}/c`)));
  assertEquals([new Set(results).size, requests.length], [1, 1]);
  await failureOf(fetch, `${origin}/c`);
  assertEquals(requests.length, 2);
  // Another address, reach or limit is another fetch.
  const failures = await Promise.all([
    failureOf(fetch, `${origin}/d`),
    failureOf(fetch, `${origin}/c`, "any"),
    failureOf(fetch, `${origin}/c`, "public"),
    fetch.getJson(`${origin}/c`, { reach: "any", largest: 1 }).then((got) => "failure" in got && got.failure),
  ]);
  assertEquals(failures, [undefined, undefined, "url_not_allowed", "too_large"]);
});

test("guarded fetch: ten requests a minute go to unknown hosts", async () => {
  let now = 1000;
  const called: string[] = [];
  const fetch = createFetch({
    now: () => now,
    findFetch: () => (input) => {
      const { host } = new URL(String(input));
      called.push(host);
      const isGood = host.startsWith("good");
      return Promise.resolve(isGood ? Response.json({}) : new Response("", { status: 404 }));
    },
  });
  const fetchFrom = (host: string, reach: Reach = "public") => failureOf(fetch, `https://${host}/`, reach);
  assertEquals(await fetchFrom("good.example:8443"), undefined);
  for (let index = 0; index < 9; index++) assertEquals(await fetchFrom(`h${index}.example`), "wrong_status");
  assertEquals(await fetchFrom("h10.example"), "too_many_fetches");
  const limited = await fetch.getJson("https://h11.example/", { reach: "public", largest });
  assertEquals("failure" in limited && limited.retryAfter, 60);
  // A host that has answered well has a limit of its own.
  for (let index = 0; index < 10; index++) assertEquals(await fetchFrom("good.example:8443"), undefined);
  assertEquals(await fetchFrom("good.example:8443"), "too_many_fetches");
  // Another port is another host.
  assertEquals(await fetchFrom("good.example"), "too_many_fetches");
  // The operator's own URLs and this machine have none.
  assertEquals(await fetchFrom("h12.example", "any"), "wrong_status");
  assertEquals(await fetchFrom("localhost", "loopback"), "wrong_status");
  assertEquals(called.length, 22);
  now += 60;
  assertEquals(await fetchFrom("h13.example"), "wrong_status");
});

test("guarded fetch: the developer's fetch gets checked URLs only, and its redirects count", async () => {
  const inits: RequestInit[] = [];
  const fetch = createFetch({
    findFetch: () => (_input, init = {}) => {
      inits.push(init);
      return Promise.resolve(new Response("", { status: 302, headers: { location: "http://127.0.0.1/" } }));
    },
  });
  assertEquals(await failureOf(fetch, "https://127.0.0.1/c", "public"), "url_not_allowed");
  assertEquals(inits.length, 0);
  assertEquals(await failureOf(fetch, "https://client.example/c", "public"), "redirected");
  assertEquals([inits[0]?.redirect, inits[0]?.credentials], ["manual", "omit"]);
});

test("guarded fetch: the developer's fetch has the same limits of size and time", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
  });
  const headers = { "content-type": "application/json" };
  const large = createFetch({ findFetch: () => () => Promise.resolve(new Response(endless, { headers })) });
  assertEquals(await failureOf(large, "https://client.example/c", "public"), "too_large");
  let signal: AbortSignal | null | undefined;
  const hanging = createFetch({
    timeout: 50,
    findFetch: () => (_input, init) => {
      signal = init?.signal;
      return new Promise(() => {});
    },
  });
  assertEquals(await failureOf(hanging, "https://client.example/c", "public"), "too_slow");
  assertEquals(signal?.aborted, true);
});

test("guarded fetch: the body of the developer's fetch is cancelled if it is not read to its end", async () => {
  let cancelled = 0;
  const answer = (status: number, type: string) => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void cancelled++,
    });
    return new Response(body, { status, headers: { "content-type": type } });
  };
  const url = "https://client.example/c";
  for (
    const [status, type] of [[404, "application/json"], [200, "text/html"], [
      200,
      "application/json",
    ]] as const
  ) {
    const fetch = createFetch({ findFetch: () => () => Promise.resolve(answer(status, type)) });
    await failureOf(fetch, url, "public");
    await fetch.postForm(url, new URLSearchParams(), { reach: "public" });
  }
  assertEquals(cancelled, 6);
});
