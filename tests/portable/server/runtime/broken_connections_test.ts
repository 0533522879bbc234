/** A client can break its connection at each point of an exchange. The server goes on, and answers the next request. */

import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Respond } from "../../../../src/server/runtime/listener.ts";
import { nextTurn } from "../../../../src/server/runtime/real_timer.ts";
import { listeners, saying, testOf, withSite } from "./site.ts";

/** A point of an exchange: what the client has sent, and whether it waits for the first octets of the answer. */
interface Point {
  readonly sent: string;
  readonly waits?: true;
}

const points: Readonly<Record<string, Point>> = {
  "before the first octet": { sent: "" },
  "within the header": { sent: "POST /body HTTP/1.1\r\nHost: localhost\r\nX: " },
  "within the body": { sent: post("content-length: 10", "12345") },
  "within a chunk": { sent: post("transfer-encoding: chunked", "a\r\n12345") },
  "after a false chunk": { sent: post("transfer-encoding: chunked", "zz\r\n") },
  "while the server waits with 100 Continue": {
    sent: post("expect: 100-continue\r\ncontent-length: 3", ""),
    waits: true,
  },
  "while the answer is made": { sent: get("/late") },
  "within a large answer": { sent: get("/large"), waits: true },
  "within a stream": { sent: get("/stream"), waits: true },
  "within a stream that fails": { sent: get("/failing"), waits: true },
  "within the second of three requests": { sent: get("/body") + get("/late") + get("/large"), waits: true },
};

type Break = (socket: Socket) => void;

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

function post(header: string, body: string): string {
  return `POST /body HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n${body}`;
}

/** A stream of 300 parts, which ends or fails. */
function stream({ fails }: { readonly fails: boolean }): ReadableStream<Uint8Array> {
  let parts = 0;
  return new ReadableStream({
    pull(controller) {
      if (parts++ < 300) controller.enqueue(new Uint8Array(10_000));
      else if (fails) controller.error(new Error("The source is broken"));
      else controller.close();
    },
  });
}

const answers: Readonly<Record<string, Respond>> = {
  "/body": async (request) => saying(JSON.stringify(await request.readBody(100))),
  async "/late"(request) {
    for (let turn = 0; turn < 200 && !request.hasLeft!(); turn++) await nextTurn();
    return saying("late");
  },
  "/large": () => Promise.resolve(saying("x".repeat(3_000_000))),
  "/stream": () => Promise.resolve(saying(stream({ fails: false }))),
  "/failing": () => Promise.resolve(saying(stream({ fails: true }))),
};

const answer: Respond = (request) => answers[request.address.path]!(request);

/** A kind of connection to a listener. */
interface Connecting {
  readonly open: (port: number) => Socket;
  /** The event of a connection that is ready. */
  readonly opened: "connect" | "secureConnect";
  readonly breaks: readonly Break[];
}

const plain: Connecting = {
  open: (port) => connect(port, "127.0.0.1"),
  opened: "connect",
  breaks: [(socket) => socket.end(), (socket) => socket.destroy(), (socket) => socket.resetAndDestroy()],
};

const overTls: Connecting = {
  open: (port) => connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }),
  opened: "secureConnect",
  // Node cannot reset such a connection. On Deno, a client that has only ended it does not see that the server closes it.
  breaks: [(socket) => socket.end(() => socket.destroy()), (socket) => socket.destroy()],
};

/** Breaks a connection at each point in each way, and resolves when all of them are closed. */
async function breakAll(port: number, { open, opened, breaks }: Connecting): Promise<void> {
  const breakOne = ({ sent, waits }: Point, breakIt: Break) =>
    new Promise<void>((resolve) => {
      const socket = open(port).on("error", () => {}).once("close", () => resolve());
      socket.once(opened, () => {
        // Only a client that reads sees the end of its connection.
        if (waits) socket.once("data", () => breakIt(socket));
        else socket.resume();
        if (sent === "") breakIt(socket);
        else socket.write(sent, () => waits ? undefined : breakIt(socket));
      });
    });
  for (const breakIt of breaks) {
    await Promise.all(Object.values(points).map((point) => breakOne(point, breakIt)));
  }
}

/** Sends a request on a new connection, and returns the first line of the answer. */
function ask(port: number, { open }: Connecting): Promise<string> {
  return new Promise((resolve) => {
    const socket = open(port).setEncoding("latin1");
    let text = "";
    socket.on("data", (part: string) => text += part).once("close", () => resolve(text.split("\r\n")[0]!));
    socket.write("GET /body HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  });
}

for (const [name, terms] of listeners) {
  const test = testOf(terms);

  test(`serve: a connection that its client breaks at any point ends nothing else, on ${name}`, () =>
    withSite(answer, async ({ port }) => {
      await breakAll(port, plain);
      assertEquals(await ask(port, plain), "HTTP/1.1 200 OK");
    }, { ...terms, drainTimeout: 0.2 }));

  test(`serve: a connection with TLS that its client breaks ends nothing else, on ${name}`, async () => {
    const [cert = "", key = ""] = await Promise.all(
      ["localhost.crt", "localhost.key"].map((file) => readFile(`tests/certificates/${file}`, "utf8")),
    );
    await withSite(answer, async ({ port }) => {
      await breakAll(port, overTls);
      assertEquals(await ask(port, overTls), "HTTP/1.1 200 OK");
    }, { ...terms, tls: { cert, key }, drainTimeout: 0.2 });
  });
}
