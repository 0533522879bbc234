/** The end of `postern start`: requests under way, connections, streams and the store. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connect } from "node:net";
import { nextTurn } from "../../../../src/server/runtime/real_timer.ts";
import { endServer } from "../../../../src/tools/cli/start/end_server.ts";
import { test } from "../../../runner.ts";
import { createProgram, start, withServer } from "../../../tools/cli/command.ts";

interface Connection {
  write(text: string): void;
  /** Resolves when the server has sent text that matches. Rejects if the connection ends before. */
  sent(pattern: RegExp): Promise<void>;
  /** Everything that the server has sent until it closed the connection. */
  readonly ended: Promise<string>;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8").on("error", () => {});
  let text = "", look = () => {};
  socket.on("data", (part: string) => {
    text += part;
    look();
  });
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return {
    write: (more) => void socket.write(more),
    sent: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => pattern.test(text) && resolve();
        look();
        void ended.then(() => reject(new Error(`The connection ended after ${text}`)));
      }),
    ended,
  };
}

for (const more of [["--control"], ["--drain", "3600"]]) {
  test(`stop: SIGINT ends a stream of events with its last chunk, at once (start ${more.join(" ")})`, async () => {
    let ended: Promise<string> | undefined;
    const { code, stderr } = await withServer(more, async ({ port, signal, printed }) => {
      await printed(/OAUTH_REDIRECT_URI/);
      const stream = await openConnection(port);
      ({ ended } = stream);
      stream.write(
        `GET /inspector/events HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n\r\n`,
      );
      await stream.sent(/retry: 1000/);
      signal("SIGINT");
    });
    // A connection that is cut has no last chunk (RFC 9112 §7.1).
    assertMatch(await ended!, /\r\n0\r\n\r\n$/);
    assertEquals([code, stderr], [0, ""]);
  });
}

test("stop: the end of the standard input ends a server with --end-with-input as SIGTERM does", async () => {
  const started = ["start", "--port", "0", "--alg", "ES256", "--end-with-input", "--log", "json"];
  const running = start(started, { ...createProgram(started), withInput: true });
  await running.printed(/"started"/);
  running.endInput!();
  const { code, stdout, stderr } = await running.ended;
  assertMatch(stdout, /"message":"stopping","signal":"SIGTERM"[^]*"message":"stopped"/);
  assertEquals([code, stderr], [0, ""]);
});

test("stop: without --end-with-input, a server goes on when its standard input ends", async () => {
  const { code } = await withServer([], async ({ port, endInput }) => {
    endInput!();
    const connection = await openConnection(port);
    connection.write(`${headOf("GET /health", port)}Connection: close\r\n\r\n`);
    assertMatch(await connection.ended, /"status":"ok"/);
  }, { ...createProgram(["start"]), withInput: true });
  assertEquals(code, 0);
});

const body = "grant_type=none&client_id=demo";

function headOf(line: string, port: number): string {
  return `${line} HTTP/1.1\r\nHost: localhost:${port}\r\n`;
}

/** Sends a request except the end of its body, and waits until the server has begun to read it. */
async function beginRequest(port: number): Promise<Connection & { readonly rest: string }> {
  const connection = await openConnection(port);
  // The first answer says that the beginning of the next request has arrived, too.
  connection.write(
    `${headOf("GET /health", port)}\r\n` +
      `${headOf("POST /oauth2/token", port)}Content-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  );
  await connection.sent(/"status":"ok"/);
  return { ...connection, rest: body.slice(9) };
}

test("stop: requests under way are answered, and connections without a complete request get 503", async () => {
  let ended: Promise<string> | undefined;
  let refusals: readonly string[] = [];
  const { code, stdout, stderr } = await withServer([], async ({ port, signal }) => {
    const waiting = await Promise.all(["/ready", "/health", "/oauth2/jwks"].map(async (path) => {
      const connection = await openConnection(port);
      connection.write(headOf(`GET ${path}`, port));
      return connection;
    }));
    const running = await beginRequest(port);
    ({ ended } = running);
    // An unused connection delays the end for a bounded time.
    await openConnection(port);
    signal("SIGTERM");
    await refused(port);
    // While a request is under way, the server leaves the other connections open.
    for (const { write } of waiting) write("\r\n");
    refusals = await Promise.all(waiting.map(({ ended }) => ended));
    // The client sends one more request, which it may repeat elsewhere, because the answer before says "close".
    running.write(`${running.rest}${headOf("GET /oauth2/jwks", port)}\r\n`);
  });
  for (const answer of refusals) {
    assertMatch(answer, /^HTTP\/1\.1 503 [^]*"error":"temporarily_unavailable"/);
    assertMatch(answer, /\r\nconnection: close\r\n/i);
    assertMatch(answer, /\r\nretry-after: 2\r\n/i);
  }
  const [, second = "", third] = (await ended!).split(/(?=HTTP\/1\.1 )/);
  assertMatch(second, /^HTTP\/1\.1 400 [^]*unsupported_grant_type/);
  assertMatch(second, /\r\nconnection: close\r\n/i);
  assertEquals([refusals.length, third, code, stderr], [3, undefined, 0, ""]);
  assertMatch(stdout, /POST +\/oauth2\/token/, "the line of the last request");
});

test("stop: a second SIGINT ends the program immediately", async () => {
  const { code, stderr } = await withServer([], async ({ port, signal }) => {
    await beginRequest(port);
    signal("SIGINT");
    await refused(port);
    // Sooner, it would count as the first one: terminals and task runners both send it.
    await new Promise((resolve) => setTimeout(resolve, 400));
    signal("SIGINT");
  });
  // 0 would mean that it waited for the request.
  assertEquals([code, stderr], [130, ""]);
});

test("stop: after SIGTERM the server goes on for the time of --drain, and is no longer ready", async () => {
  const { code, stdout, stderr } = await withServer(["--drain", "3600"], async ({ port, signal }) => {
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    signal("SIGTERM");
    let ready = await ask("/ready");
    for (; ready.status === 200; ready = await ask("/ready")) await ready.body?.cancel();
    assertEquals([ready.status, ready.headers.get("retry-after")], [503, "2"]);
    assertEquals((await ready.json()).error, "temporarily_unavailable");
    // A signal that comes sooner counts as the first one.
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const path of ["/health", "/oauth2/jwks"]) {
      const response = await ask(path);
      await response.body?.cancel();
      assertEquals(response.status, 200);
    }
    signal("SIGTERM");
  });
  assertEquals([code, stderr], [143, ""]);
  assertMatch(stdout, /GET +\/oauth2\/jwks/, "the line of the last request");
});

/** Resolves when the server accepts no more connections. */
async function refused(port: number): Promise<void> {
  for (let isOpen = true; isOpen;) {
    isOpen = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    // Connections without a pause would slow the end.
    if (isOpen) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("stop: the store closes after the server, whose last request has ended", async () => {
  const events: string[] = [];
  const note = (event: string) => async () => {
    await Promise.resolve();
    events.push(event);
  };
  let drain = (_hasEnded: boolean) => {};
  const drained = new Promise<boolean>((resolve) => drain = resolve);
  const ending = endServer({ drained, server: { close: note("server") }, store: { close: note("store") } });
  await nextTurn();
  assertEquals(events, ["server"]);
  events.push("requests");
  drain(true);
  await ending;
  assertEquals(events, ["server", "requests", "store"]);
});

test("stop: requests and a store that hang do not keep the program from its end", async () => {
  const hanging = { close: () => new Promise<void>(() => {}) };
  const works = { close: () => Promise.resolve() };
  const limits = { server: 0.01, store: 0.01 };
  const end = (server: typeof works, store: typeof works) =>
    assertRejects(() => endServer({ drained: Promise.resolve(false), server, store, limits }), Error);
  assertEquals((await end(hanging, works)).message, "Some requests did not end in time");
  assertEquals((await end(works, hanging)).message, "The store did not end within 0.01 s");
  const broken = { close: () => Promise.reject(new Error("the gate is closed")) };
  assertEquals((await end(broken, works)).message, "the gate is closed");
});

test("stop: a key that is still being made delays the end for a bounded time, and is no error", async () => {
  const makesKey = { close: () => new Promise<void>(() => {}) };
  const events: string[] = [];
  const store = { close: () => Promise.resolve(void events.push("store")) };
  const limits = { server: 0.01, store: 0.01 };
  await endServer({ drained: Promise.resolve(true), server: makesKey, store, limits });
  assertEquals(events, ["store"]);
});
