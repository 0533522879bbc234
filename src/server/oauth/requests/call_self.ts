/** Sends a request of a page's visitor to this server itself, and returns it with its response, for a page. */

import { readAnswerText } from "../../../ground/http/body.ts";
import { formatParams } from "../../../ground/http/form.ts";
import { fromRequest, listHeaders } from "../../../ground/http/message.ts";
import { createExchangeId, type Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import type { WalkCall, WalkRequest } from "../contracts/pages.ts";
import { present } from "../../../ground/values/present.ts";

/** A request, and the same request as the page shows it. They differ if the person typed a secret. */
export interface OwnRequest {
  readonly sent: WalkRequest;
  readonly shown?: WalkRequest;
}

// In characters. A misbehaviour may answer with more than a page should hold.
const longestBody = 16_384;

/** Sends the request to this server itself, without a socket. Its peer is that of the person's request, so that limits count the person. */
export async function callSelf(
  { sent, shown = sent }: OwnRequest,
  exchange: Exchange,
  { fetch, random }: Services,
): Promise<WalkCall> {
  const id = createExchangeId(random);
  const request = new Request(sent.url, {
    method: sent.method,
    headers: sent.headers.map(([name, value]): [string, string] => [name, value]),
    ...present({ body: sent.form && formatParams(sent.form) }),
  });
  const answer = await fetch.callSelf(Object.assign(fromRequest(request, exchange.request.peer), { id }));
  return {
    id,
    request: shown,
    response: {
      status: answer.status,
      headers: listHeaders(answer.headers),
      body: await readAnswerText(answer.body, longestBody),
    },
  };
}
