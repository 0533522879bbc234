/** Says what the server would answer to a request, by a rehearsal. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Rehearse } from "../../../server/rehearse.ts";
import { redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import type { CheckProps } from "./playground_page.tsx";
import type { BuiltRequest } from "./build_request.ts";
import { parseAddress } from "../../../ground/http/address.ts";
import { present } from "../../../ground/values/present.ts";

export interface CheckOptions {
  /** That of the browser, because the answer may depend on who is signed in there. */
  readonly cookie: string | undefined;
  readonly rehearse: Rehearse;
  readonly services: Services;
}

export async function checkRequest(
  built: BuiltRequest,
  { cookie, rehearse, services }: CheckOptions,
): Promise<CheckProps> {
  const request = createIncoming(built, cookie);
  if (request === undefined) return { outcome: "unreadable" };
  const { status, facts: { refusal, advice }, calls } = await rehearse(request, services);
  if (calls.length > 0) return { outcome: "calls", calls };
  const found = refusal ?? advice;
  return {
    outcome: refusal === undefined ? "accepted" : "refused",
    status,
    isRedirect: status === 303,
    ...present({ refusal: found && redactTexts(found) }),
  };
}

/** Returns the request as the browser of the person would send it, or `undefined` if it cannot be sent. */
export function createIncoming(
  { method, url, headers, body = "" }: Pick<BuiltRequest, "method" | "url" | "headers" | "body">,
  cookie: string | undefined,
): IncomingRequest | undefined {
  const address = parseAddress(url);
  if (address === undefined) return undefined;
  const all = new Map([
    ...headers,
    ["accept", "text/html,*/*;q=0.8"],
    ...(method === "GET"
      ? [["sec-fetch-site", "same-origin"], ["sec-fetch-mode", "navigate"], [
        "sec-fetch-dest",
        "document",
      ]] as const
      : []),
    ...(cookie === undefined ? [] : [["cookie", cookie]] as const),
  ]);
  return {
    method,
    address,
    peer: undefined,
    header: (name) => all.get(name),
    headers: () => [...all],
    readBody: () => Promise.resolve({ text: body }),
  };
}
