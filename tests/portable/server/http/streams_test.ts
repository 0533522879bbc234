/** Answers with a stream, through `fetch` and `answer`: when the source is cancelled, and what the journal keeps. */

import { assertEquals, assertRejects } from "@std/assert";
import { fromRequest } from "../../../../src/ground/http/message.ts";
import type { Answer, AnswerBody, Journal, ServerOptions } from "../../../../src/mod.ts";
import { assembleServer, type PlainServer } from "../../../../src/server/server.ts";
import { test } from "../../../runner.ts";
import { sampleKey } from "../../../world.ts";
import { createSource, type Source } from "./source.ts";

const issuer = "https://as.test";

/** Creates a server with one endpoint, `/stream`, which answers with the stream of the source. */
function createStreaming(
  source: Source,
  options: ServerOptions = {},
  change: Partial<Answer> = {},
): PlainServer {
  const answer: Answer = { status: 200, headers: {}, body: source.stream, ...change };
  return assembleServer({ issuer, alg: "ES256", signingKeys: [sampleKey], ...options }, {
    features: [{
      name: "streaming",
      spec: "none",
      endpoints: [{ method: "GET", path: "/stream", refusal: "json", handle: () => answer }],
    }],
  }).server;
}

const requestStream = (init?: RequestInit) => new Request(`${issuer}/stream`, init);

test("streams: a response arrives before its body", async () => {
  const source = createSource();
  const server = createStreaming(source);
  const response = await server.fetch(requestStream());
  source.push("one");
  source.push(" two");
  source.end();
  assertEquals(await response.text(), "one two");
  await server.close();
});

test("streams: answer() gives the stream itself", async () => {
  const source = createSource();
  const server = createStreaming(source);
  const { body } = await server.answer(fromRequest(requestStream(), undefined));
  assertEquals(body, source.stream);
  await server.close();
});

const ends: Readonly<Record<string, (server: PlainServer) => Promise<unknown>>> = {
  "the reader cancels it": async (server) => await (await server.fetch(requestStream())).body!.cancel(),
  "the request's signal aborts": async (server) => {
    const leaving = new AbortController();
    const response = await server.fetch(requestStream({ signal: leaving.signal }));
    leaving.abort();
    await assertRejects(() => response.text());
  },
  "the request is a HEAD": async (server) => {
    const response = await server.fetch(requestStream({ method: "HEAD" }));
    assertEquals([response.status, response.body], [200, null]);
  },
  "the request of answer() is a HEAD": async (server) => {
    const { body } = await server.answer(fromRequest(requestStream({ method: "HEAD" }), undefined));
    assertEquals(body, "");
  },
};

for (const [name, end] of Object.entries(ends)) {
  test(`streams: the source is cancelled when ${name}`, async () => {
    const source = createSource();
    const server = createStreaming(source);
    await end(server);
    await source.cancelled;
    await server.close();
  });
}

test("streams: the source is cancelled when the status allows no body", async () => {
  const source = createSource();
  const server = createStreaming(source, {}, { status: 204 });
  assertEquals((await server.fetch(requestStream())).body, null);
  await source.cancelled;
  await server.close();
});

test("streams: the source is cancelled when a hook answers something else", async () => {
  const source = createSource();
  const server = createStreaming(source, { seams: { response: (answer) => ({ ...answer, body: "other" }) } });
  assertEquals(await (await server.fetch(requestStream())).text(), "other");
  await source.cancelled;
  await server.close();
});

test("streams: a hook may change the stream", async () => {
  const source = createSource();
  const upper = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => controller.enqueue(part.map((byte) => byte - 32)),
  });
  const server = createStreaming(source, {
    seams: {
      response: ({ body, ...answer }) => ({
        ...answer,
        body: (body as ReadableStream<Uint8Array>).pipeThrough(upper),
      }),
    },
  });
  source.push("loud");
  source.end();
  assertEquals(await (await server.fetch(requestStream())).text(), "LOUD");
  await server.close();
});

for (
  const [name, body, kept] of [
    ["text", "text", { body: "text" }],
    ["bytes", Uint8Array.of(0, 255), { bodyLength: 2 }],
    ["a stream", undefined, { bodyLength: "unknown" }],
  ] as const satisfies readonly (readonly [string, AnswerBody | undefined, unknown])[]
) {
  test(`streams: of ${name} the journal keeps ${JSON.stringify(kept)}`, async () => {
    const entries: Parameters<Journal>[0][] = [];
    const source = createSource();
    const server = createStreaming(
      source,
      { journal: (entry) => void entries.push(entry) },
      body === undefined ? {} : { body },
    );
    await (await server.fetch(requestStream())).body?.cancel();
    const { headers: _, status: __, ...rest } = entries[0]!.response;
    assertEquals<unknown>(rest, kept);
    await server.close();
  });
}

test("streams: closing does not wait for a stream", async () => {
  const source = createSource();
  const server = createStreaming(source);
  const response = await server.fetch(requestStream());
  await server.close();
  await response.body!.cancel();
});
