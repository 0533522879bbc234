/** Reads a request body with a limit, and refuses text that is not valid UTF-8. */

export type BodyProblem = "too_large" | "not_utf8" | "encoded" | "interrupted";

/** The text of a body, or the reason why the body cannot be read. */
export type Body = { readonly text: string } | { readonly problem: BodyProblem };

// `fatal`, because replacement characters could make two different bodies equal.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the problem that the headers show before the body is read. */
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
  if (request.body === null) return { text: "" };
  const octets = await readAtMost(request.body, limit);
  return octets === undefined ? { problem: "too_large" } : decodeBody(octets);
}

export function decodeBody(octets: Uint8Array): Body {
  try {
    return { text: utf8.decode(octets) };
  } catch {
    return { problem: "not_utf8" };
  }
}

async function readAtMost(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  const octets = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    octets.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return octets;
}

/** Whether the type is a form. A media type is not case-sensitive and may have parameters (RFC 9110 §8.3.1). */
export function isFormType(contentType = ""): boolean {
  const [type = ""] = contentType.split(";");
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}
