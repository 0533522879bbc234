/** Answers a request from a port as an API of the test, whose handler expects a `Request`. */

import { pathAndQuery } from "../../../ground/http/address.ts";
import type { BodyProblem } from "../../../ground/http/body.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { empty } from "../../../ground/http/respond.ts";
import { present } from "../../../ground/values/present.ts";

// In bytes. Larger than the messages of MCP clients.
const bodyLimit = 1024 * 1024;

const problemStatus: Readonly<Record<BodyProblem, number>> = {
  too_large: 413,
  not_utf8: 400,
  encoded: 415,
  interrupted: 400,
};

/** The methods that `Request` refuses. */
export const unusualMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** The URL of the request gets the given origin, because the client may use another name for the port. */
export async function answerIncoming(
  incoming: IncomingRequest,
  origin: string,
  answer: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  const { method, address } = incoming;
  if (unusualMethods.has(method)) return empty(405);
  const headers = incoming.headers().map(([name, value]): [string, string] => [name, value]);
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await incoming.readBody(bodyLimit) : { text: "" };
  if ("problem" in body) return empty(problemStatus[body.problem]);
  const init = { method, headers, ...present({ body: body.text || undefined }) };
  return await answer(new Request(origin + pathAndQuery(address), init));
}
