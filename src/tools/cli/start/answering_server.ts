/** A server that answers requests, and another one that takes its place while requests are running. */

import { keepUntilSettled } from "../../../ground/values/until_settled.ts";
import type { PlainServer } from "../../../server/server.ts";

export type AnsweringServer = Pick<PlainServer, "answer" | "close">;

/** `replace` sends new requests to the next server. The old one finishes its running requests, and closes. */
export function createReplaceable(
  first: AnsweringServer,
): AnsweringServer & { replace(next: AnsweringServer): void } {
  let current = first;
  const replaced = new Set<Promise<unknown>>();
  return {
    answer: (request) => current.answer(request),
    replace(next) {
      keepUntilSettled(current.close(), replaced);
      current = next;
    },
    async close() {
      await Promise.all([current.close(), ...replaced]);
    },
  };
}
