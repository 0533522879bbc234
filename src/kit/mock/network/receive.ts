/** Changes the body of an answer to one that a client receives over a connection. */

import type { AnswerBody } from "../../../server/http/body.ts";
import { type Answer, untilAborted } from "../../../server/http/message.ts";
import { createBrokenConnection } from "./network_error.ts";

/** Decodes the body, which ends when the request is aborted. A stream that fails looks like a broken connection. */
// deno-lint-ignore require-await -- an error must be a rejection
export async function receive(answer: Answer, request: Request): Promise<Answer> {
  if (answer.body === "") return answer;
  const { body } = untilAborted(answer, request);
  const decoder = decoderOf(`${answer.headers["content-encoding"]}`.toLowerCase());
  const reader = (decoder === undefined ? streamOf(body) : decodeBody(body, decoder)).getReader();
  const received = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        request.signal.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        const { aborted, reason } = request.signal;
        controller.error(aborted ? reason : createBrokenConnection("terminated", error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
    // The signal is looked at when the client reads.
  }, { highWaterMark: 0 });
  return { ...answer, body: received };
}

/** The content codings that `fetch` decodes on each runtime (RFC 9110 §8.4.1; RFC 7932), each with Node's function. */
const decoders = {
  gzip: "gunzipSync",
  "x-gzip": "gunzipSync",
  deflate: "inflateSync",
  br: "brotliDecompressSync",
} as const;

type Coding = keyof typeof decoders;
type Decoder = (typeof decoders)[Coding];

function decoderOf(coding: string): Decoder | undefined {
  return Object.hasOwn(decoders, coding) ? decoders[coding as Coding] : undefined;
}

function decodeBody(body: AnswerBody, decoder: Decoder): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const zlib = await import("node:zlib");
      controller.enqueue(zlib[decoder](new Uint8Array(await new Response(body as BodyInit).arrayBuffer())));
      controller.close();
    },
  });
}

function streamOf(body: AnswerBody): ReadableStream<Uint8Array> {
  return new Response(body as BodyInit).body ?? new ReadableStream();
}
