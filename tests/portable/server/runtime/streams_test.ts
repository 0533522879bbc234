/** Answers with bytes or a stream, on a real port. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect } from "node:net";
import type { Answer } from "../../../../src/mod.ts";
import type { Respond } from "../../../../src/server/runtime/listener.ts";
import { nextTurn } from "../../../../src/server/runtime/real_timer.ts";
import { createSource } from "../http/source.ts";
import { runtime, test as testAnywhere } from "../../../runner.ts";
import { listeners, saying, talk, testOf, withSite } from "./site.ts";

const wanted = (answer: Answer) => () => Promise.resolve(answer);

for (const [name, terms] of listeners) {
  const test = testOf(terms);

  test(`streams: bytes arrive as they are, with their length, on ${name}`, async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    await withSite(wanted(saying(bytes)), async ({ origin }) => {
      const response = await fetch(origin);
      assertEquals(response.headers.get("content-length"), "256");
      assertEquals(new Uint8Array(await response.arrayBuffer()), bytes);
      const head = await fetch(origin, { method: "HEAD" });
      assertEquals([head.headers.get("content-length"), await head.text()], ["256", ""]);
    }, terms);
  });

  test(`streams: each part arrives before the next one is made, on ${name}`, async () => {
    const source = createSource();
    await withSite(wanted(saying(source.stream)), async ({ origin }) => {
      source.push("one");
      const response = await fetch(origin);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      assertEquals((await reader.read()).value, "one");
      source.push("two");
      assertEquals((await reader.read()).value, "two");
      source.end();
      assertEquals((await reader.read()).done, true);
    }, terms);
  });

  const testHeader = runtime === "bun" && terms.closesOnFailure === undefined
    ? (name: string) => testAnywhere.skip(name, "Bun sends it with the first bytes")
    : test;
  testHeader(`streams: the header arrives before the first part is made, on ${name}`, async () => {
    const source = createSource();
    await withSite(wanted(saying(source.stream)), async ({ origin }) => {
      const response = await fetch(origin);
      source.end();
      assertEquals([response.status, await response.text()], [200, ""]);
    }, terms);
  });

  test(`streams: a connection is used again after a stream, on ${name}`, async () => {
    let answered = 0;
    const answer = () => {
      const source = createSource();
      source.push(`answer ${++answered}`);
      source.end();
      return Promise.resolve(saying(source.stream));
    };
    await withSite(answer, async ({ port }) => {
      const request = "GET / HTTP/1.1\r\nHost: localhost\r\n";
      const text = await talk(port, `${request}\r\n${request}Connection: close\r\n\r\n`);
      assertEquals([...text.matchAll(/answer \d/g)].map(String), ["answer 1", "answer 2"]);
    }, terms);
  });

  test(`streams: the source is cancelled when the client goes away, on ${name}`, async () => {
    const source = createSource();
    await withSite(wanted(saying(source.stream)), async ({ origin }) => {
      const leaving = new AbortController();
      source.push("first");
      const response = await fetch(origin, { signal: leaving.signal });
      const reader = response.body!.getReader();
      await reader.read();
      leaving.abort();
      await assertRejects(() => reader.read());
      await source.cancelled;
    }, terms);
  });

  test(`streams: the source is cancelled when the client left before the answer, on ${name}`, async () => {
    const source = createSource();
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => arrive = resolve);
    const answer: Respond = async (request) => {
      arrive();
      for (let turn = 0; turn < 10_000 && !request.hasLeft!(); turn++) await nextTurn();
      return saying(source.stream);
    };
    await withSite(answer, async ({ port }) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      });
      await arrived;
      socket.destroy();
      await source.cancelled;
    }, terms);
  });

  test(`streams: HEAD gets no body, and the source is cancelled, on ${name}`, async () => {
    const source = createSource();
    await withSite(wanted(saying(source.stream)), async ({ origin }) => {
      const response = await fetch(origin, { method: "HEAD" });
      assertEquals([response.status, await response.text()], [200, ""]);
      await source.cancelled;
    }, terms);
  });

  test(`streams: a source that fails cuts the connection, on ${name}`, async () => {
    const source = createSource();
    const answer: Respond = ({ address: { path } }) =>
      Promise.resolve(saying(path === "/" ? source.stream : "alive"));
    await withSite(answer, async ({ origin }) => {
      source.push("first");
      const response = await fetch(origin);
      source.fail();
      await assertRejects(() => response.text());
      assertEquals(await (await fetch(`${origin}/next`)).text(), "alive");
    }, terms);
  });

  test(`streams: a client that does not read slows the source down, on ${name}`, async () => {
    let made = 0;
    const megabyte = new Uint8Array(1_000_000);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        made++;
        controller.enqueue(megabyte);
        if (made === 100) controller.close();
      },
    });
    await withSite(wanted(saying(stream)), async ({ port }) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.pause().write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      });
      // Real time, because nothing tells that the server goes on without its client.
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert(made < 50, `${made} megabytes were made`);
      let read = 0;
      socket.on("data", (part: Uint8Array) => read += part.length).resume();
      await new Promise((resolve) => socket.once("close", resolve));
      assert(read > 100_000_000, `${read} bytes were read`);
    }, terms);
  });

  test(`streams: closing ends a stream that does not end, on ${name}`, async () => {
    const source = createSource();
    await withSite(wanted(saying(source.stream)), async ({ origin, close }) => {
      source.push("first");
      const response = await fetch(origin);
      const reading = assertRejects(() => response.text());
      await close();
      await source.cancelled;
      await reading;
    }, { ...terms, drainTimeout: 0.2 });
  });
}
