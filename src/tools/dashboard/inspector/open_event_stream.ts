/** Tells open pages by server-sent events that the journal has changed. The pages then load their parts again. */

import type { Answer } from "../../../ground/http/message.ts";
import { answerHeaders } from "../../../ground/http/respond.ts";
import type { Watched } from "../watched.ts";

// A browser has six connections for each host, and closes the stream of a hidden page.
const mostStreams = 24;
// Milliseconds.
const heartbeat = 5_000;
const shortestPause = 250;

/** Answers with 503 if too many streams are open. `ends`: the functions that end the open ones. */
export function openEventStream({ journal }: Pick<Watched, "journal">, ends: Set<() => void>): Answer {
  if (ends.size >= mostStreams) {
    return { status: 503, headers: { ...answerHeaders, "retry-after": "5" }, body: "" };
  }
  return {
    status: 200,
    headers: { ...answerHeaders, "content-type": "text/event-stream" },
    body: createStream(journal, ends),
  };
}

function createStream(journal: Watched["journal"], ends: Set<() => void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let pause: ReturnType<typeof setTimeout> | undefined;
      const send = (text: string) => {
        // A page that does not read loads everything again later, so an event may be left out.
        if ((controller.desiredSize ?? 0) > -mostWaiting) controller.enqueue(encoder.encode(text));
      };
      // Several changes within a moment are one event.
      const unwatch = journal.watch(() => {
        pause ??= setTimeout(() => {
          pause = undefined;
          send("event: change\ndata: \n\n");
        }, shortestPause);
      });
      // Proxies close a connection without traffic, and a write shows that the page is gone.
      const beat = setInterval(() => send(":\n\n"), heartbeat);
      const end = () => {
        stop();
        controller.close();
      };
      stop = () => {
        clearTimeout(pause);
        clearInterval(beat);
        unwatch();
        ends.delete(end);
      };
      ends.add(end);
      // Bun sends the header together with the first bytes.
      send("retry: 1000\n\n");
    },
    cancel: () => stop(),
  });
}

// Chunks.
const mostWaiting = 16;
