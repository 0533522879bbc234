/** A server that another one replaces while requests are under way. */

import type { PlainServer } from "../server.ts";

export type AnsweringServer = Pick<PlainServer, "answer" | "close">;

export interface ReplaceableServer extends AnsweringServer {
  /** New requests go to `next`. The server before it finishes the requests under way, and closes. */
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
