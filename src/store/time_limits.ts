/** How long the calls of a store may wait: each call for itself, and all calls of one request together. */
import { AsyncLocalStorage } from "node:async_hooks";
import { deadlineIn } from "./deadline.ts";

export interface TimeLimits {
  /** Makes one call of the store, which must end at the deadline. */
  forCall<T>(call: (deadline: number) => Promise<T>): Promise<T>;
  /** See `Store`. */
  forRequest<T>(answer: () => Promise<T>): Promise<T>;
}

/** One request that is being answered. */
interface Waiting {
  /** Absent while every call of the request was quick. */
  deadline?: number;
  isAnswered: boolean;
}

/**
 * The part of a call's time in which an answer is quick. Quick answers use up no time of a request, because a page may need
 * thousands of them. Every call may wait this long, so that a request goes on if the database has come back.
 */
const quickShare = 0.1;

/** A call may take this many seconds, and so may all slow calls of one request. */
export function createTimeLimits(timeout: number): TimeLimits {
  const requests = new AsyncLocalStorage<Waiting>();

  /** Work that a request began in the background may go on after its answer. Then the request limits it no longer. */
  function findRequest(): Waiting | undefined {
    const request = requests.getStore();
    return request?.isAnswered ? undefined : request;
  }

  return {
    async forCall(call) {
      const request = findRequest();
      const quickUntil = deadlineIn(timeout * quickShare);
      const ownDeadline = deadlineIn(timeout);
      try {
        return await call(Math.max(quickUntil, Math.min(ownDeadline, request?.deadline ?? ownDeadline)));
      } finally {
        if (request !== undefined && performance.now() > quickUntil) request.deadline ??= ownDeadline;
      }
    },

    async forRequest(answer) {
      // A request that a server sends to itself is part of the outer one.
      if (findRequest() !== undefined) return await answer();
      const request: Waiting = { isAnswered: false };
      try {
        return await requests.run(request, answer);
      } finally {
        request.isAnswered = true;
      }
    },
  };
}
