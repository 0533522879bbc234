/** Sends the same requests by the fetch of the test kit and, over a socket, by the runtime's own, and compares them. */
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { type Answer, fromRequest, type IncomingRequest } from "../../../../src/ground/http/message.ts";
import { AnswerLost } from "../../../../src/kit/mock/network/network_error.ts";
import { createFetch, type Fetch } from "../../../../src/kit/mock/network/fetch.ts";
import { serve } from "../../../../src/server/runtime/serve.ts";

/** Two servers, which both kinds of fetch reach at the same addresses. */
export interface Sites extends AsyncDisposable {
  readonly here: string;
  /** Another origin. */
  readonly there: string;
  /** The fetch of the test kit. */
  readonly fetch: Fetch;
  /** The requests that have arrived, since the last case. */
  readonly seen: string[];
  /** Resolves when a request for `/late` arrives, whose answer never comes. */
  arrived(): Promise<void>;
  /** Cuts the connection on which `/cut` is being answered. */
  cut(): Promise<void>;
}

/** Sends a request, and returns the response or what else is compared. */
export type Case = (fetch: Fetch, sites: Sites) => Promise<unknown>;

/** Runs each case in both ways. Returns a line for each member of an outcome that differs. */
export async function findDifferences(cases: Readonly<Record<string, Case>>): Promise<readonly string[]> {
  await using sites = await openSites();
  const differences: string[] = [];
  for (const [name, send] of Object.entries(cases)) {
    const overSocket = await observe(send, globalThis.fetch as Fetch, sites);
    const inMemory = await observe(send, sites.fetch, sites);
    for (const member of new Set([...Object.keys(overSocket), ...Object.keys(inMemory)])) {
      const [expected, received] = [overSocket, inMemory].map((outcome) => JSON.stringify(outcome[member]));
      if (expected === received) continue;
      differences.push(`${name}: ${member} is ${expected} over a socket, ${received} in memory`);
    }
  }
  return differences;
}

async function observe(send: Case, fetch: Fetch, sites: Sites): Promise<Readonly<Record<string, unknown>>> {
  const { here, there, seen } = sites;
  seen.length = 0;
  const result = await send(fetch, sites)
    .then((sent) => sent instanceof Response ? describeResponse(sent) : { result: sent })
    .catch((thrown) => ({ thrown: describeError(thrown) }));
  const text = JSON.stringify({ ...result, seen });
  return JSON.parse(text.replaceAll(here, "HERE").replaceAll(there, "THERE"));
}

// Added by the connection. `content-length` and `transfer-encoding` say how it frames a body.
const connectionHeaders = ["connection", "date", "keep-alive", "content-length", "transfer-encoding"];

/** Without the text of the status, which is empty over HTTP/2. */
export async function describeResponse(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const { type, status, ok, url, redirected, headers } = response;
  return {
    ...{ type, status, ok, url, redirected, hasBody: response.body !== null },
    headers: [...headers].filter(([name]) => !connectionHeaders.includes(name)).sort(),
    body: await response.text().catch(describeError),
    bodyUsed: response.bodyUsed,
  };
}

/** What programs look at: not the message, which is for people. */
export function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return String(thrown);
  const { name, cause } = thrown;
  const type = [TypeError, DOMException].find((type) => thrown instanceof type)?.name ?? "Error";
  const code = codeOf(cause);
  return {
    ...{ type, name, code: codeOf(thrown) },
    cause: code === undefined ? undefined : { name: (cause as Error).name, code },
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

async function openSites(): Promise<Sites> {
  const seen: string[] = [];
  const connections = createConnections();
  const answerAt = (site: string) => async (request: IncomingRequest) => {
    seen.push(await describeArrival(site, request));
    return await answer(request, connections);
  };
  const [atHere, atThere] = [answerAt("here"), answerAt("there")];
  const terms = { host: "127.0.0.1", port: 0, closesOnFailure: true, drainTimeout: 0 } as const;
  const first = await serve({ ...terms, answer: atHere });
  const second = await serve({ ...terms, answer: atThere });
  const [here, there] = [`http://127.0.0.1:${first.port}`, `http://127.0.0.1:${second.port}`];
  const api = { answer: (request: Request) => atThere(fromRequest(request, undefined)) };
  const { fetch } = createFetch({
    ownOrigins: { all: [here], has: (origin) => origin === here },
    answer: atHere,
    apis: { origins: new Set([there]), find: ({ origin }) => origin === there ? api : undefined },
    fetchOther: (request) => globalThis.fetch(request),
  });
  return {
    ...{ here, there, fetch, seen, arrived: connections.arrived, cut: connections.cut },
    async [Symbol.asyncDispose]() {
      connections.end();
      await Promise.all([first.close(), second.close()]);
    },
  };
}

interface Connections extends Pick<Sites, "arrived" | "cut"> {
  /** Resolves when the connection ends. */
  wait(): Promise<void>;
  /** Ends the connections of the answers that wait. */
  end(): void;
}

function createConnections(): Connections {
  const waiting: (() => void)[] = [];
  const announced: (() => void)[] = [];
  const release = (all: (() => void)[]) => all.splice(0).forEach((resolve) => resolve());
  const end = () => release(waiting);
  const arrived = () => new Promise<void>((resolve) => void announced.push(resolve));
  return {
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        release(announced);
      }),
    arrived,
    async cut() {
      if (waiting.length === 0) await arrived();
      end();
    },
    end,
  };
}

// What the cases send. Runtimes add more, such as `user-agent`.
const sentHeaders = ["authorization", "cookie", "content-type", "content-language", "proxy-authorization"]
  .concat("x-known", "origin");

async function describeArrival(site: string, request: IncomingRequest): Promise<string> {
  const body = await request.readBody(1000);
  const headers = sentHeaders.map((name) => [name, request.header(name)] as const)
    .flatMap(([name, value]) => value === undefined ? [] : [`${name}: ${withoutBoundary(value)}`]);
  return [
    `${request.method} ${site}${request.address.path}`,
    "text" in body ? JSON.stringify(withoutBoundary(body.text)) : body.problem,
    ...headers,
  ].join(", ");
}

/** The boundary of a form is random. */
function withoutBoundary(text: string): string {
  const boundary = /boundary="?([^"]+)/.exec(text)?.[1] ?? /^--(\S+)\r\n[^]*--\1--/.exec(text)?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, "BOUNDARY").trim();
}

const page: Answer = { status: 200, headers: { "content-type": "text/plain" }, body: "a page" };

/** Answers by the path: `/moved/STATUS?to=LOCATION`, `/status/STATUS`, and pages with one name. */
async function answer({ address }: IncomingRequest, { wait }: Connections): Promise<Answer> {
  const [, name, status = ""] = address.path.split("/");
  if (/^\d+$/.test(status)) {
    const location = new URLSearchParams(address.query).get("to");
    const headers = location === null ? {} : { location };
    return { status: Number(status), headers: { etag: '"a"', ...headers }, body: name ?? "" };
  }
  switch (name) {
    case "lost":
      throw new AnswerLost();
    case "late":
      await wait();
      return page;
    case "cut":
      return { ...page, body: streamOf("half", () => wait().then(() => Promise.reject(new Error("cut")))) };
    case "headers":
      return { ...page, headers: { "x-known": "v", "set-cookie": ["a=b", "c=d"], "x-empty": "" } };
    case "gzip":
      return compress(page, 1);
    case "gzip-2":
      return compress(page, 2);
    case "gzip-5":
      return compress(page, 5);
    case "gzip-6":
      return compress(page, 6);
    default:
      return page;
  }
}

function compress(page: Answer, times: number): Answer {
  const codings = Array<string>(times).fill("gzip");
  const body = codings.reduce((octets: Uint8Array) => gzipSync(octets), Buffer.from("a page"));
  return { ...page, headers: { "content-encoding": codings.join(", ") }, body };
}

/** Returns a stream that gives the text, and does as `then` says when more is read. */
export function streamOf(
  text: string,
  then: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void> = (controller) =>
    controller.close(),
): ReadableStream<Uint8Array> {
  let isGiven = false;
  return new ReadableStream({
    pull(controller) {
      if (isGiven) return then(controller);
      isGiven = true;
      controller.enqueue(new TextEncoder().encode(text));
    },
  });
}
