/** One of the requests that an application sends to a provider in one. */

import { readAnswerText } from "../../../ground/http/body.ts";
import { fromRequest } from "../../../ground/http/message.ts";
import { present } from "../../../ground/values/present.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";

// In characters.
const longestPart = 1_000_000;

/** Answers it as its own address does, below `base`. */
export async function answerPart(
  base: string,
  { path, method, headers, body }: {
    readonly path: unknown;
    readonly method: unknown;
    readonly headers: Readonly<Record<string, string>>;
    /** Left out of a GET. */
    readonly body: string | undefined;
  },
  { request: { peer } }: Exchange,
  { fetch }: Services,
): Promise<{ readonly status: number; readonly text: string }> {
  const verb = typeof method === "string" ? method.toUpperCase() : "GET";
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(verb)) return { status: 400, text: "{}" };
  const request = new Request(base + (typeof path === "string" ? path.replace(/^\//, "") : ""), {
    ...{ headers, method: verb },
    ...present({ body: verb === "GET" ? undefined : body }),
  });
  const answer = await fetch.callSelf(fromRequest(request, peer));
  return { status: answer.status, text: await readAnswerText(answer.body, longestPart) };
}
