/** The stream of events of the inspector: it tells about changes, is bounded, and delays no shutdown. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { openEventStream } from "../../../src/tools/dashboard/inspector/open_event_stream.ts";
import { type Answer, fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import { serve } from "../../../src/server/runtime/serve.ts";
import { test } from "../../runner.ts";
import { openControlled, openPlain } from "./open_dashboard.ts";

function read(answer: Answer | Response): ReadableStreamDefaultReader<string> {
  const response = answer instanceof Response ? answer : toResponse(answer);
  return response.body!.pipeThrough(new TextDecoderStream() as never).getReader() as never;
}

async function readUntil(reader: ReadableStreamDefaultReader<string>, wanted: string): Promise<void> {
  let text = "";
  while (!text.includes(wanted)) {
    const { value, done } = await reader.read();
    assert(!done, "the stream has ended");
    text += value;
    // A change is told long before the second heartbeat after it.
    assert(text.split(":\n\n").length < 3, `no ${wanted}`);
  }
}

const headers = { accept: "text/event-stream", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

test("events: a change of the journal is one event, without its content", async () => {
  const { send } = openPlain();
  const response = await send("/inspector/events", {
    headers: { ...headers, "sec-fetch-site": "same-origin" },
  });
  assertMatch(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  const reader = read(response);
  await readUntil(reader, "retry:");
  await send("/userinfo");
  await send("/userinfo");
  await readUntil(reader, "event: change\ndata: \n\n");
  await reader.cancel();
});

const navigation = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

// Each row: a request that no EventSource makes, and its headers.
const others: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ["a link on a page of this server", { ...navigation, "sec-fetch-site": "same-origin" }],
  ["a navigation that accepts events", {
    ...navigation,
    accept: "text/event-stream",
    "sec-fetch-site": "same-origin",
  }],
  ["a script of no page", { ...headers, "sec-fetch-site": "none" }],
  ["a program that asks for something else", { accept: "*/*" }],
];

for (const [what, sent] of others) {
  test(`events: ${what} takes no stream`, async () => {
    const { answer } = openPlain();
    const request = new Request("http://localhost:9000/inspector/events", { headers: sent });
    const { status } = await answer(fromRequest(request, "127.0.0.1"));
    assertEquals(status, 403);
  });
}

test("events: a program that follows the events gets a stream", async () => {
  const { answer } = openPlain();
  const headers = { accept: "text/event-stream" };
  const request = new Request("http://localhost:9000/inspector/events", { headers });
  const answered = await answer(fromRequest(request, "127.0.0.1"));
  assertEquals(answered.status, 200);
  await (answered.body as ReadableStream).cancel();
});

const changes: Readonly<Record<string, (as: Mock) => Promise<unknown>>> = {
  async "a request to an API of the test"(as) {
    const api = as.resource("http://localhost:9000/api");
    await (await api.fetch("http://localhost:9000/api")).body?.cancel();
  },
  "a journal without requests": (as) => Promise.resolve(as.requests.clear()),
  "a reset": (as) => Promise.resolve(as.reset()),
  "the return to a snapshot": async (as) => await as.restore(await as.snapshot()),
};

for (const [what, change] of Object.entries(changes)) {
  test(`events: ${what} is an event`, async () => {
    const { as, send } = await openControlled({ people: [{ username: "alice" }] });
    const reader = read(
      await send("/inspector/events", { headers: { ...headers, "sec-fetch-site": "same-origin" } }),
    );
    await readUntil(reader, "retry:");
    await change(as);
    await readUntil(reader, "event: change\ndata: \n\n");
    await reader.cancel();
    await as.close();
  });
}

test("events: the number of streams is bounded, and a stream that ends makes room", async () => {
  const journal = createRecorder();
  const ends = new Set<() => void>();
  const open = () => openEventStream({ journal }, ends);
  const opened = Array.from({ length: 24 }, open);
  assertEquals(opened.map(({ status }) => status), opened.map(() => 200));
  const { status, headers } = open();
  assertEquals([status, headers["retry-after"]], [503, "5"]);
  await (opened[0]!.body as ReadableStream).cancel();
  const next = open();
  assertEquals(next.status, 200);
  for (const { body } of [next, ...opened.slice(1)]) await (body as ReadableStream).cancel();
});

test("events: an open stream does not delay the end of the server, and ends with it", async () => {
  const journal = createRecorder();
  let stopWatching = () => {};
  const stopped = new Promise<void>((resolve) => stopWatching = resolve);
  const watch = (listener: () => void) => {
    const stop = journal.watch(listener);
    return () => {
      stop();
      stopWatching();
    };
  };
  const served = await serve({
    ...{ host: "127.0.0.1", port: 0, drainTimeout: 3600 },
    answer: () => Promise.resolve(openEventStream({ journal: { ...journal, watch } }, new Set())),
  });
  const reader = read(await fetch(`http://127.0.0.1:${served.port}/`));
  await readUntil(reader, "retry:");
  await served.close();
  await stopped;
  await reader.cancel().catch(() => {});
});
