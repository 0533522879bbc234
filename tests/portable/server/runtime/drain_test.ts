/** A server that drains before its end: it goes on answering, and stops listening at a moment without requests. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { connect, type Socket } from "node:net";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import { pause } from "../../../../src/server/runtime/real_timer.ts";
import { drain, serve, type Served } from "../../../../src/server/runtime/serve.ts";
import {
  type Listener,
  type Requests,
  type Respond,
  trackRequests,
} from "../../../../src/server/runtime/listener.ts";
import { runtime, test } from "../../../runner.ts";
import { listeners, saying, testOf } from "./site.ts";

const answer: Respond = ({ address: { path } }) => Promise.resolve(saying(`this is ${path}`));
const drainOptions = {
  seconds: 0,
  isRefused: ({ address: { path } }: Parameters<Respond>[0]) => path === "/ready",
};

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

interface Connection {
  readonly socket: Socket;
  /** Resolves at the first bytes that the server sends. */
  readonly answered: Promise<void>;
  /** Resolves at the end to everything that the server has sent, or to the code of the error. */
  readonly ended: Promise<string>;
}

function open(port: number, path: string): Connection {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  let text = "";
  const ended = new Promise<string>((resolve) =>
    socket.on("error", ({ code }: Error & { code?: string }) => resolve(`${code}`)).once(
      "close",
      () => resolve(text),
    )
  );
  const answered = new Promise<void>((resolve) =>
    socket.on("data", (part: string) => {
      text += part;
      resolve();
    })
  );
  socket.write(requestFor(path));
  return { socket, answered, ended };
}

for (const [name, terms] of listeners) {
  const test = testOf(terms);
  const start = () => serve({ answer, host: "127.0.0.1", port: 0, ...terms });

  test(`drain: open and new connections get an answer that closes them (${name})`, async () => {
    const { port, drain, close } = await start();
    const kept = open(port, "/kept");
    await kept.answered;
    const drained = drain(drainOptions);
    const paths = ["/new", "/ready"];
    const others = await Promise.all(paths.map((path) => open(port, path).ended));
    kept.socket.write(requestFor("/again"));
    const [first = "", second = ""] = (await kept.ended).split(/(?=HTTP\/1\.1 )/);
    await drained;
    await close();
    assertMatch(first, /^HTTP\/1\.1 200 [^]*this is \/kept$/);
    assert(!/connection: close/i.test(first), first);
    for (const [path, text] of [["/again", second], ["/new", others[0]!]] as const) {
      assertMatch(text, new RegExp(`^HTTP/1\\.1 200 [^]*this is ${path}$`));
      assertMatch(text, /\r\nconnection: close\r\n/i);
    }
    assertMatch(others[1]!, /^HTTP\/1\.1 503 /);
    assertMatch(others[1]!, /\r\nconnection: close\r\n/i);
    assertMatch(others[1]!, /\r\nretry-after: 2\r\n/i);
    assertMatch(others[1]!, /\r\ncontent-type: application\/json\r\n/i);
    assertMatch(others[1]!, /\r\ncache-control: no-store\r\n/i);
    assertMatch(
      others[1]!,
      /"error":"temporarily_unavailable","error_description":"The server is about to stop"/,
    );
  });

  test(`drain: clients that never pause lose no request until the port is closed (${name})`, async () => {
    const { port, drain, close } = await start();
    const work = async () => {
      const texts: string[] = [];
      for (let text = ""; text !== "ECONNREFUSED"; texts.push(text)) text = await open(port, "/").ended;
      return texts.slice(0, -1);
    };
    const working = Array.from({ length: 4 }, work);
    await drain(drainOptions);
    // Requests that waited are answered, although the server is about to end.
    await Promise.all([close(), ...working]);
    const texts = (await Promise.all(working)).flat();
    assertEquals(texts.filter((text) => !/^HTTP\/1\.1 200 [^]*this is \/$/.test(text)), []);
    assert(texts.length > 0);
  });

  test(`drain: a connection that stays unused delays the end for a bounded time (${name})`, async () => {
    const [used, unused] = [await start(), await start()];
    const idle = open(used.port, "/");
    await idle.answered;
    const order: string[] = [];
    const closed = idle.ended.then((text) => {
      order.push("closed");
      return text;
    });
    const end = async ({ drain, close }: Served, name: string) => {
      await drain(drainOptions);
      order.push(name);
      await close();
    };
    await Promise.all([end(used, "used"), end(unused, "unused")]);
    assertMatch(await closed, /this is \/$/);
    // The connection itself would stay open longer.
    assertEquals(order.filter((each) => each !== "unused"), ["used", "closed"]);
    // Bun.serve does not count its connections, so there the two ends are as long, and a busy machine chooses the first.
    if (runtime !== "bun") assertEquals(order, ["unused", "used", "closed"]);
  });
}

/** A listener without a connection. */
const unused: Listener = {
  port: 0,
  countConnections: () => Promise.resolve(0),
  close: () => Promise.resolve(),
  abort: () => Promise.resolve(),
};

test("drain: waits for the open connections of each listener", async () => {
  const left = [0, 3];
  const listeners = left.map((_, index) => ({
    ...unused,
    countConnections: () => Promise.resolve(Math.max(0, left[index]!--)),
  }));
  await drain(listeners, trackRequests(answer), drainOptions);
  assert(left[1]! < 0, `${left[1]} connections are open`);
});

test("drain: a request that arrives at the end waits until the port is closed", async () => {
  const tracked = trackRequests(answer);
  const order: string[] = [];
  let arrived: Promise<unknown> | undefined;
  const requests: Requests = {
    ...tracked,
    hold() {
      tracked.hold();
      const request = fromRequest(new Request("http://localhost/"), undefined);
      arrived = tracked.answer(request).then(() => order.push("answered"));
    },
  };
  await drain([unused], requests, drainOptions);
  order.push("drained");
  requests.release();
  await arrived;
  assertEquals(order, ["drained", "answered"]);
});

test("drain: answers for the given time, and then holds requests until a quiet time is over", async () => {
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const requests: Requests = {
    ...trackRequests(answer),
    hold() {
      order.push("holds");
      void pause(0.05).then(note("quiet"));
    },
  };
  void pause(0.02).then(note("answers"));
  await drain([unused], requests, { ...drainOptions, seconds: 0.05 });
  assertEquals(order, ["answers", "holds", "quiet"]);
});

test("drain: a quiet time ends it, and requests that go on arriving do not keep it open", async () => {
  const order: string[] = [];
  let held = 0;
  const end = async (name: string, countHeld: () => number) => {
    await drain([unused], { ...trackRequests(answer), countHeld }, drainOptions);
    order.push(name);
  };
  // They end at some time, so that a drain that waits for it fails here.
  const arriving = end("arriving", () => Math.min(++held, 20));
  await Promise.all([arriving, end("quiet", () => 0)]);
  assertEquals(order, ["quiet", "arriving"]);
  assert(held < 20);
});
