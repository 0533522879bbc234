/** The bodies of requests, which are read with a limit as valid UTF-8, and the bodies of answers. */

import { countOctets, joinOctets } from "../values/octets.ts";

/** Why a body cannot be read. */
export type BodyProblem = "too_large" | "not_utf8" | "encoded" | "interrupted";

/** The text of a body, or the reason why the body cannot be read. */
export type Body = { readonly text: string } | { readonly problem: BodyProblem };

// `fatal`, because replacement characters could make two different bodies equal.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function findBodyProblem(
  header: (name: string) => string | null | undefined,
  limit: number,
): BodyProblem | undefined {
  if ((header("content-encoding") ?? "identity").toLowerCase() !== "identity") return "encoded";
  const declared = header("content-length") ?? "0";
  // RFC 9110 §8.6: two Content-Length lines are joined to "5, 5". Any text that is not one number is refused.
  return /^\d+$/.test(declared) && Number(declared) <= limit ? undefined : "too_large";
}

/** `framed` says that the request came over a socket, so the body cannot be longer than its Content-Length. */
export async function readBody(request: Request, limit: number, framed: boolean): Promise<Body> {
  const { headers } = request;
  const problem = findBodyProblem((name) => headers.get(name), limit);
  if (problem !== undefined) return { problem };
  try {
    return framed && headers.has("content-length")
      ? await readWhole(request, limit)
      : await readBounded(request, limit);
  } catch {
    return { problem: "interrupted" };
  }
}

/** Reads the whole body, which is faster than a stream. `text()` would hide a byte order mark and invalid UTF-8. */
async function readWhole(request: Request, limit: number): Promise<Body> {
  const octets = new Uint8Array(await request.arrayBuffer());
  return octets.byteLength > limit ? { problem: "too_large" } : decodeBody(octets);
}

async function readBounded(request: Request, limit: number): Promise<Body> {
  const { body } = request as { readonly body: Request["body"] | undefined };
  if (body === null) return { text: "" };
  // Firefox has no stream of a request, and Safari none for a loop.
  if (body === undefined || !(Symbol.asyncIterator in body)) return await readWhole(request, limit);
  const octets = await readAtMost(body, limit);
  return octets === undefined ? { problem: "too_large" } : decodeBody(octets);
}

export function decodeBody(octets: Uint8Array): Body {
  try {
    return { text: utf8.decode(octets) };
  } catch {
    return { problem: "not_utf8" };
  }
}

/** Returns `undefined` if the body has more octets than the limit. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return joinOctets(chunks);
}

/** Whether the type is a form. A media type is not case-sensitive and may have parameters (RFC 9110 §8.3.1). */
export function isFormType(contentType = ""): boolean {
  const [type = ""] = contentType.split(";");
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

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
  if (typeof body === "string") return countOctets(body);
  return isStream(body) ? undefined : body.byteLength;
}

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
