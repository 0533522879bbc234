/** The same server in a page, which has no sockets: the global `fetch` of the page reaches it. */

import type { JournalEntry } from "../../../../src/mod.ts";
import { createPlainServer } from "../../../../src/server/server.ts";
import { fetchOf } from "../../../cookies.ts";
import { type ClientMetadata, optionsFor } from "./postern.ts";
import { createVisitor } from "./visitor.ts";
import type { Site } from "./with_site.ts";

export async function withSite(client: ClientMetadata, work: (site: Site) => Promise<void>): Promise<void> {
  const issuer = "http://localhost:9000";
  const journal: JournalEntry[] = [];
  const server = createPlainServer({
    issuer,
    journal: (entry) => void journal.push(entry),
    ...optionsFor([client]),
  });
  const send = fetchOf(server);
  const before = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).origin === issuer ? send(request) : before(request);
  };
  try {
    await work({
      issuer,
      journal,
      visitor: createVisitor({ send, serves: ({ origin }) => origin === issuer }),
    });
  } finally {
    globalThis.fetch = before;
    await server.close();
  }
}
