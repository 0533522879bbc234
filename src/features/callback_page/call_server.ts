/** Sends a client's request from the server to itself, in the process and without a socket. */

import { readAnswerText } from "../../http/answer_body.ts";
import { fromRequest, listHeaders } from "../../http/message.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import { formatParams } from "../../http/form.ts";
import type { Services } from "../../oauth/services.ts";
import type { WalkCall, WalkRequest } from "../../oauth/walk/walk.ts";

/** A request, and the same request as the page shows it. They differ if the person typed a secret. */
export interface OwnRequest {
  readonly sent: WalkRequest;
  readonly shown?: WalkRequest;
}

// In characters. A misbehaviour may answer with more than a page should hold.
const longestBody = 16_384;

/** Sends the request. Its peer is that of the person's request, so that limits count the person. */
export async function callServer(
  { sent, shown = sent }: OwnRequest,
  exchange: Exchange,
  { callSelf }: Services,
): Promise<WalkCall> {
  const request = new Request(sent.url, {
    method: sent.method,
    headers: sent.headers.map(([name, value]): [string, string] => [name, value]),
    ...(sent.form === undefined ? {} : { body: formatParams(sent.form) }),
  });
  const answer = await callSelf(fromRequest(request, exchange.request.peer));
  return {
    request: shown,
    response: {
      status: answer.status,
      headers: listHeaders(answer.headers),
      body: await readAnswerText(answer.body, longestBody),
    },
  };
}
