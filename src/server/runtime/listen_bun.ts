/** Listens with `Bun.serve`. */

import { createAddressParser, isHost } from "../../ground/http/address.ts";
import { FetchedRequest, toResponse } from "../../ground/http/message.ts";
import {
  cipherSuites,
  hostOfProbe,
  type Listener,
  type ListenTerms,
  plainPeer,
  refusedAddress,
} from "./listener.ts";
import { present } from "../../ground/values/present.ts";

/** The part of `Bun` that this file uses. The types of Bun are not installed. */
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

// deno-lint-ignore require-await -- an error must be a rejection, as on the other runtimes
export async function listenOnBun({ hostname, port, answer, tls, limits }: ListenTerms): Promise<Listener> {
  const { Bun } = globalThis as unknown as { readonly Bun: BunRuntime };
  const parseAddress = createAddressParser();
  const server = Bun.serve({
    hostname,
    port,
    // Otherwise several Bun servers can listen on one port.
    reusePort: false,
    // Bun takes whole seconds. Its limit for the header is fixed at about ten seconds.
    idleTimeout: Math.ceil(limits.request),
    development: false,
    ...present({ tls: tls && { ...tls, ciphers: cipherSuites } }),
    async fetch(request, server) {
      const { url } = request;
      const host = request.headers.get("host") ?? hostOfProbe(url) ?? "";
      // If the Host header has two names, Bun puts the first one into the URL. Without the header, the URL is a path.
      const whole = url.startsWith("/") ? `http://${host}${url}` : url;
      const address = isHost(host) ? parseAddress(whole) : undefined;
      if (address === undefined) return toResponse(refusedAddress);
      const findPeer = () => plainPeer(server.requestIP(request)?.address);
      return toResponse(await answer(new FetchedRequest(request, address, true, findPeer)));
    },
  });
  return {
    port: server.port,
    countConnections: () => Promise.resolve(undefined),
    close: async () => await server.stop(),
    abort: async () => await server.stop(true),
  };
}
