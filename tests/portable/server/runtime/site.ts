/** Runs a listener on a real port during one test. */

import { connect } from "node:net";
import type { Answer, AnswerBody } from "../../../../src/mod.ts";
import type { Respond } from "../../../../src/server/runtime/listener.ts";
import { serve, type Served, type ServeOptions } from "../../../../src/server/runtime/serve.ts";
import { runtime, test } from "../../../runner.ts";

export function saying(body: AnswerBody): Answer {
  return { status: 200, headers: {}, body };
}

export interface Site extends Served {
  readonly origin: string;
}

export async function withSite(
  answer: Respond,
  work: (site: Site) => Promise<void>,
  terms: Partial<ServeOptions> = {},
): Promise<void> {
  const served = await serve({ answer, host: "localhost", port: 0, ...terms });
  try {
    await work({ ...served, origin: `http://127.0.0.1:${served.port}` });
  } finally {
    await served.close();
  }
}

/** Sends a request and returns everything that the server sends until it closes the connection. */
export function talk(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
    let text = "";
    socket.setEncoding("latin1").on("data", (part: string) => text += part);
    socket.on("error", () => {}).once("close", () => resolve(text));
  });
}

/** Bun has two listeners: its own, and `node:http` for a server that cuts connections. The others have one. */
export const listeners: readonly (readonly [name: string, terms: Partial<ServeOptions>])[] = [
  ["the usual listener", {}],
  ["the listener that cuts connections", { closesOnFailure: true }],
];

/** Returns `test`, or a function that skips the test if the runtime does not have this listener. */
export function testOf(
  { closesOnFailure }: Partial<ServeOptions>,
): (name: string, body: () => Promise<void>) => void {
  return closesOnFailure && runtime !== "bun" ? (name) => test.skip(name, "it is the usual listener") : test;
}
