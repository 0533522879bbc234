/** Listens with the server that the runtime itself has. */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnswerBarely, BareAnswer } from "./bare_answers.ts";

const hostname = "127.0.0.1";

interface BunServer {
  serve(
    options: { hostname: string; port: number; fetch(request: Request): Promise<Response> },
  ): unknown;
}

export async function listenOnRuntime(port: number, answer: AnswerBarely): Promise<void> {
  const { Bun } = globalThis as { Bun?: BunServer };
  const fetch = createFetch(answer);
  if ("Deno" in globalThis) {
    Deno.serve({ hostname, port, onListen() {} }, fetch);
  } else if (Bun) {
    Bun.serve({ hostname, port, fetch });
  } else {
    const { createServer } = await import("node:http");
    createServer((request, response) => answerOnNode(request, response, answer)).listen(port, hostname);
  }
}

function createFetch(answer: AnswerBarely): (request: Request) => Promise<Response> {
  return async (request) => {
    const { url } = request;
    const { status, headers, body } = await answer({
      ...splitTarget(url.slice(url.indexOf("/", "https://".length))),
      authorization: request.headers.get("authorization") ?? undefined,
      body: request.method === "POST" ? await request.text() : "",
    });
    return new Response(body || null, { status, headers });
  };
}

function answerOnNode(request: IncomingMessage, response: ServerResponse, answer: AnswerBarely): void {
  const { method, headers: { authorization } } = request;
  const respond = async (body: string) => {
    const answered: BareAnswer = await answer({ ...splitTarget(request.url ?? ""), authorization, body });
    response.writeHead(answered.status, answered.headers).end(answered.body);
  };
  if (method !== "POST") return void respond("");
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => void respond(Buffer.concat(chunks).toString()));
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const end = target.indexOf("?");
  return end < 0 ? { path: target, query: "" } : { path: target.slice(0, end), query: target.slice(end + 1) };
}
