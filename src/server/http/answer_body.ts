/** The body of an answer: text, bytes, or a stream of bytes. */

import { Buffer } from "node:buffer";

/**
 * Empty text means that there is no body. The server cancels a stream when the client disconnects. A stream should give
 * its first bytes immediately, because Bun sends the header together with the first bytes.
 */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array>;

/** Checks for a method and not for the class, because a test environment may have a class of its own. */
export function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as { readonly getReader?: unknown } | null | undefined)?.getReader === "function";
}

export function isAnswerBody(body: unknown): body is AnswerBody {
  return typeof body === "string" || ArrayBuffer.isView(body) || isStream(body);
}

/** Returns the length in bytes, or `undefined` for a stream. */
export function lengthOf(body: AnswerBody): number | undefined {
  if (typeof body === "string") return Buffer.byteLength(body);
  return isStream(body) ? undefined : body.byteLength;
}

/** Returns the body if it is text, and empty text otherwise. */
export function textOf(body: AnswerBody): string {
  return typeof body === "string" ? body : "";
}

/** Cancels a stream that nothing reads. If the stream has a reader, that reader has to cancel it. */
export function cancelBody(body: AnswerBody): void {
  if (isStream(body) && !body.locked) void body.cancel().catch(() => {});
}

/** Reads the body as text, up to `limit` bytes, and cancels the rest of a stream. */
export async function readAnswerText(body: AnswerBody, limit: number): Promise<string> {
  if (typeof body === "string") return body.slice(0, limit);
  if (!isStream(body)) return new TextDecoder().decode(body.subarray(0, limit));
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, limit - length), { stream: true });
    length += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (length >= limit) break;
  }
  return text;
}
