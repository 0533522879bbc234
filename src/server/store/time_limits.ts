/** How long the calls of a store may wait: each call for itself, and all calls of one request together. */

import { AsyncLocalStorage } from "node:async_hooks";
import { deadlineIn } from "./deadline.ts";

export interface TimeLimits {
  /** Makes one call of the store, which must end at the deadline. */
  forCall<T>(call: (deadline: number) => Promise<T>): Promise<T>;
  forRequest<T>(answer: () => Promise<T>): Promise<T>;
}

interface RunningRequest {
  /** When its calls must end. Absent until one of them was slow. */
  deadline?: number;
  isAnswered: boolean;
}

/**
 * A call is quick if it ends within this part of its time. Quick calls use up no time of the request, because a page may
 * need thousands of them. Every call has this time, even at the deadline of its request: the database may have come back.
 */
const quickShare = 0.1;

/** A call may take this many seconds, and so may all slow calls of one request. */
export function createTimeLimits(timeout: number): TimeLimits {
  const requests = new AsyncLocalStorage<RunningRequest>();

  /** Work that a request began in the background may go on after the answer. Then it belongs to no request. */
  function findRequest(): RunningRequest | undefined {
    const request = requests.getStore();
    return request?.isAnswered ? undefined : request;
  }

  return {
    async forCall(call) {
      const request = findRequest();
      const quickUntil = deadlineIn(timeout * quickShare);
      const ownDeadline = deadlineIn(timeout);
      try {
        return await call(Math.max(quickUntil, request?.deadline ?? ownDeadline));
      } finally {
        if (request !== undefined && performance.now() > quickUntil) request.deadline ??= ownDeadline;
      }
    },

    async forRequest(answer) {
      // A request that a server sends to itself is part of the outer one.
      if (findRequest() !== undefined) return await answer();
      const request: RunningRequest = { isAnswered: false };
      try {
        return await requests.run(request, answer);
      } finally {
        request.isAnswered = true;
      }
    },
  };
}
