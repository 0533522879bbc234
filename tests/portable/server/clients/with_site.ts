/** The server for foreign libraries that send requests with the global `fetch`. */

import { createPlainServer, type JournalEntry } from "../../../../src/mod.ts";
import { serve } from "../../../../src/server/runtime/serve.ts";
import { findFreePort } from "../../../free_port.ts";
import { type ClientMetadata, optionsFor } from "./postern.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

export interface Site {
  readonly issuer: string;
  readonly journal: readonly JournalEntry[];
  readonly visitor: Visitor;
}

/** The server is behind a socket. The visitor also follows redirects to `reachable` origins. */
export async function withSite(
  client: ClientMetadata,
  work: (site: Site) => Promise<void>,
  reachable: readonly string[] = [],
): Promise<void> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const journal: JournalEntry[] = [];
  const server = createPlainServer({
    issuer,
    journal: (entry) => void journal.push(entry),
    ...optionsFor([client]),
  });
  const served = await serve({ answer: server.answer, host: "localhost", port });
  const visitor = createVisitor({
    send: fetch,
    serves: ({ origin }) => [issuer, ...reachable].includes(origin),
  });
  try {
    await work({ issuer, journal, visitor });
  } finally {
    await served.close();
    await server.close();
  }
}
