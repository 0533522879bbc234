/** A keep-alive connection with little of HTTP/1.1, because a complete client would need more CPU time than the server. */
export interface HttpConnection {
  readonly host: string;
  /** Sends a complete request, and resolves to the answer. Only one request may be under way. */
  exchange(request: string): Promise<HttpAnswer>;
  close(): void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  socket.setNoDelay(true);
  const outgoing = new Uint8Array(8 * 1024);
  const incoming = new Uint8Array(64 * 1024);
  let open = true;

  async function exchange(request: string): Promise<HttpAnswer> {
    const { written } = encoder.encodeInto(request, outgoing);
    for (let sent = 0; sent < written;) sent += await socket.write(outgoing.subarray(sent, written));
    let filled = 0;
    while (filled < incoming.length) {
      const count = await socket.read(incoming.subarray(filled));
      if (count === null) throw new Error("the server closed the connection");
      filled += count;
      const answer = readAnswer(decoder.decode(incoming.subarray(0, filled)), filled);
      if (answer) return answer;
    }
    throw new Error(`the answer has more than ${incoming.length} bytes`);
  }

  function close(): void {
    if (open) socket.close();
    open = false;
  }

  return { host: `127.0.0.1:${port}`, exchange, close };
}

/** Returns `undefined` while the response is incomplete. The head is ASCII, so text and bytes have the same indexes. */
function readAnswer(text: string, bytes: number): HttpAnswer | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const body = text.slice(headEnd + 4);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes - headEnd - 4 >= Number(length) ? { status, head, body } : undefined;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const whole = joinChunks(body);
    return whole === undefined ? undefined : { status, head, body: whole };
  }
  if (status === 204 || status === 304) return { status, head, body: "" };
  throw new Error("the answer has neither Content-Length nor chunks, so its end cannot be found");
}

/** Joins the chunks of an ASCII body. Returns `undefined` while the last chunk is missing. */
function joinChunks(text: string): string | undefined {
  let whole = "";
  for (let at = 0;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = parseInt(text.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (text.length < next) return undefined;
    if (size === 0) return whole;
    whole += text.slice(lineEnd + 2, next - 2);
    at = next;
  }
}

/** Returns the value of a header, or `undefined` if it is absent. */
export function findHeader({ head }: HttpAnswer, name: string): string | undefined {
  return new RegExp(`\\r\\n${name}: *([^\\r]*)`, "i").exec(head)?.[1];
}
