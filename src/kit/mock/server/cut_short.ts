/** The end of a request that a reset, or the end of its tenant, has cut short. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";

/** The error of the test's own requests. */
export class CutShort extends Error {
  override readonly name = "CutShort";
}

// RFC 9110 §15.6.4: the next attempt finds the server as the reset has left it.
const tryAgain: Answer = json({
  error: "temporarily_unavailable",
  error_description: "The server was reset while this request was running",
}, { status: 503, headers: { "retry-after": "1" } });

/** Answers the request of another program, to which an error would be a connection that breaks. */
export async function answerCutShort(request: IncomingRequest, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CutShort && request.peer !== undefined) return tryAgain;
    throw error;
  }
}
