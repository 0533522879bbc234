/** In a browser, there is no application of Facebook with a secret, because each visitor of a page could read it. */

import type { Answer } from "../../../ground/http/message.ts";
import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import { jsonAnswer } from "../changes.ts";

export function exchangeToken(usual: Endpoint["handle"]): Endpoint["handle"] {
  return usual;
}

export function debugToken(): Answer {
  return jsonAnswer(501, {
    error: { message: "In a browser, this look-alike has no applications", code: 1 },
  });
}

export function answerBatch(): Answer {
  return debugToken();
}
