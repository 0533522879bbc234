/** The body of an answer: text, bytes, or a stream of bytes. */

import { Buffer } from "node:buffer";

/**
 * Empty text: there is no body. A stream is cancelled when the client goes away. It should have its first bytes at
 * once, because Bun sends them together with the header.
 */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array>;

/** Classes are not compared: a test environment may have its own. */
export function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as { readonly getReader?: unknown } | null | undefined)?.getReader === "function";
}

export function isAnswerBody(body: unknown): body is AnswerBody {
  return typeof body === "string" || ArrayBuffer.isView(body) || isStream(body);
}

/** In bytes; `undefined` for a stream. */
export function lengthOf(body: AnswerBody): number | undefined {
  if (typeof body === "string") return Buffer.byteLength(body);
  return isStream(body) ? undefined : body.byteLength;
}

/** Empty if the body is not text. */
export function textOf(body: AnswerBody): string {
  return typeof body === "string" ? body : "";
}

/** Tells the source of a stream that its data is not needed. A stream that has a reader is left to that reader. */
export function cancelBody(body: AnswerBody): void {
  if (isStream(body) && !body.locked) void body.cancel().catch(() => {});
}
