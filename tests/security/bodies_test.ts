/** The server reads at most 64 KB of a long, broken or unneeded body. */

import { assert, assertEquals, assertLess } from "@std/assert";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { codeForm, createWorld, encodeForm } from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { addresses, bodyType, everyAddress, readRefusal } from "./site.ts";

const kilobyte = 1024;
const posts = addresses.filter(({ method }) => method === "POST");

/** A body much longer than the limit, and functions that say how much of it was read. */
function longBody(limit = 8 * kilobyte * kilobyte): {
  readonly stream: ReadableStream<Uint8Array>;
  readonly read: () => number;
  readonly cancelled: () => boolean;
} {
  let read = 0;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (read >= limit) return controller.close();
      controller.enqueue(new Uint8Array(16 * kilobyte).fill(97));
      read += 16 * kilobyte;
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  return { stream, read: () => read, cancelled: () => cancelled };
}

/** Browsers and Node require `duplex` with a stream. */
function streaming(url: string, body: ReadableStream<Uint8Array>, headers: Record<string, string>): Request {
  const init = { method: "POST", headers: { ...bodyType(url), ...headers }, body, duplex: "half" };
  return new Request(url, init as RequestInit);
}

const framings:
  readonly (readonly [what: string, headers: Record<string, string>, statuses: readonly number[]])[] = [
    ["no Content-Length", {}, [413]],
    ["chunked", { "transfer-encoding": "chunked" }, [413]],
    ["a Content-Length that is too large", { "content-length": "10000000" }, [413]],
    ["a Content-Length beyond numbers", { "content-length": "9".repeat(400) }, [413]],
    ["a Content-Length that is too small", { "content-length": "5" }, [400, 413]],
    ["a Content-Length of zero", { "content-length": "0" }, [400, 413]],
    ["Content-Length and chunked", { "content-length": "5", "transfer-encoding": "chunked" }, [400, 413]],
    ["a negative Content-Length", { "content-length": "-1" }, [400, 413]],
    ["a Content-Length that is no number", { "content-length": "x" }, [400, 413]],
    ["two Content-Lengths", { "content-length": "5, 6" }, [400, 413]],
    ["a compressed body", { "content-encoding": "gzip" }, [415]],
    ["a body compressed twice", { "content-encoding": "gzip, br" }, [415]],
  ];

for (const [what, headers, statuses] of framings) {
  test(`body: a body of 8 MB with ${what} is refused after 64 KB at most`, async () => {
    const store = countingStore();
    await using world = createWorld({ store, ...everyAddress });
    for (const { path } of posts) {
      const { stream, read, cancelled } = longBody();
      const response = await world.fetch(streaming(world.issuer + path, stream, headers));
      assert(statuses.includes(response.status), `${path}: ${response.status}`);
      assertLess(read(), 128 * kilobyte, `${path}: the server read too much`);
      assert(read() === 0 || cancelled(), `${path}: the server did not cancel the body`);
      assertEquals(store.writes, [], path);
      const entry = JSON.stringify(world.journal.at(-1));
      assertLess(entry.length, 10 * kilobyte, `${path}: the journal has the body`);
    }
  });
}

const it = testInWorld({});

it("body: a body that no endpoint needs is not read", async (world) => {
  for (const path of ["/nowhere", "/", "/oauth2/jwks", "/static/postern.css"]) {
    const { stream, read } = longBody();
    const { status } = await world.fetch(streaming(world.issuer + path, stream, {}));
    assertEquals([status, read()], [path === "/nowhere" ? 404 : 405, 0], path);
  }
  const { stream, read } = longBody();
  const elsewhere = await world.fetch(streaming("https://evil.example/oauth2/token", stream, {}));
  assertEquals([elsewhere.status, read()], [421, 0]);
  const text = streaming(`${world.issuer}/oauth2/token`, longBody().stream, {
    "content-type": "text/plain",
  });
  assertEquals((await world.fetch(text)).status, 400);
});

it("body: a body that breaks off is a bad request, and its code still works", async (world) => {
  const code = await world.code();
  let sent = false;
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return controller.error(new Error("connection lost"));
      sent = true;
      controller.enqueue(new TextEncoder().encode(`grant_type=authorization_code&code=${code}`));
    },
  });
  const response = await world.fetch(streaming(`${world.issuer}/oauth2/token`, broken, {}));
  assertEquals(await readRefusal(response), "400 invalid_request");
  assertEquals((await world.redeem(code)).status, 200);
});

it("body: a body of exactly 64 KB is read, and one byte more is refused", async (world) => {
  for (const [extra, status] of [[0, 200], [1, 413]] as const) {
    const body = encodeForm(codeForm(await world.code()));
    const padding = "x".repeat(64 * kilobyte + extra - body.length - "&y=".length);
    assertEquals((await world.post("/oauth2/token", `${body}&y=${padding}`)).status, status);
  }
});
