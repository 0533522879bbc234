/** The errors of `fetch` (Fetch Standard §5.6) with the codes of each runtime, and that of a dropped response. */

import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";

interface NetworkErrorOptions {
  /** The code on Bun, where the error itself has one. */
  readonly bun?: string;
  /** The name and the code of the cause on Node. Absent: Node's own `cause` has none either. */
  readonly node?: { readonly name: string; readonly code: string };
  readonly cause?: unknown;
}

export function createNetworkError(
  message: string,
  { bun, node, cause }: NetworkErrorOptions = {},
): TypeError {
  switch (findRuntimeName()) {
    case "bun":
      return Object.assign(new TypeError(message, { cause }), bun && { code: bun });
    case "node":
      return new TypeError(message, {
        cause: node === undefined ? cause : Object.assign(new Error(message, { cause }), node),
      });
    case "browser":
    case "deno":
      return new TypeError(message, { cause });
  }
}

/** The name and the code of undici's error, if the connection ends before the answer, or in its body. */
export const brokenSocket = { name: "SocketError", code: "UND_ERR_SOCKET" } as const;

export function createBrokenConnection(message: string, cause: unknown): TypeError {
  return createNetworkError(message, {
    bun: "ECONNRESET",
    node: brokenSocket,
    cause,
  });
}

/** Rejects a request that the server has handled, as if the connection broke before the response arrived. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";

  constructor() {
    super("The answer is lost: as.drop() cut the connection after the work was done");
  }
}
