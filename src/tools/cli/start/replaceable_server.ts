/** A server that another server can replace while requests are running. */

import type { PlainServer } from "../../../server/server.ts";

export type AnsweringServer = Pick<PlainServer, "answer" | "close">;

export interface ReplaceableServer extends AnsweringServer {
  /** Sends new requests to `next`. The old server finishes its running requests, and closes. */
  replace(next: AnsweringServer): void;
}

export function createReplaceableServer(first: AnsweringServer): ReplaceableServer {
  let current = first;
  const replaced = new Set<Promise<void>>();
  return {
    answer: (request) => current.answer(request),
    replace(next) {
      const closing = current.close().finally(() => replaced.delete(closing));
      replaced.add(closing);
      current = next;
    },
    async close() {
      await Promise.all([current.close(), ...replaced]);
    },
  };
}
