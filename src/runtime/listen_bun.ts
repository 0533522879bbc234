/** The listener on Bun: its own server. */

import { createAddressParser, isHost } from "../http/address.ts";
import { FetchedRequest, toResponse } from "../http/message.ts";
import { type Listener, type ListenTerms, plainPeer, refusedAddress } from "./listener.ts";

/** The little that is used of it, so that the types of other runtimes will do, too. */
interface BunRuntime {
  serve(
    options: Readonly<Record<string, unknown>> & {
      fetch(request: Request, server: BunServer): Promise<Response>;
    },
  ): BunServer;
}

interface BunServer {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

// deno-lint-ignore require-await -- what it throws is a rejection everywhere
export async function listenOnBun({ hostname, port, answer, tls, limits }: ListenTerms): Promise<Listener> {
  const { Bun } = globalThis as unknown as { readonly Bun: BunRuntime };
  const parseAddress = createAddressParser();
  const server = Bun.serve({
    hostname,
    port,
    // Left open, Bun shares a taken port.
    reusePort: false,
    // Whole seconds. Bun's limit for the header is fixed: about ten seconds.
    idleTimeout: Math.ceil(limits.request),
    development: false,
    ...(tls === undefined ? {} : { tls }),
    async fetch(request, server) {
      // The first of two names would be the host of the URL.
      const address = isHost(request.headers.get("host") ?? "") ? parseAddress(request.url) : undefined;
      if (address === undefined) return toResponse(refusedAddress);
      const findPeer = () => plainPeer(server.requestIP(request)?.address);
      return toResponse(await answer(new FetchedRequest(request, address, true, findPeer)));
    },
  });
  return {
    port: server.port,
    close: async () => await server.stop(),
    abort: async () => await server.stop(true),
  };
}
