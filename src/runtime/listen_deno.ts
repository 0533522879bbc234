/** A listener of Deno's own. It waits for ever for the rest of a request, so it is for this machine only. */

import { createAddressParser, isHost } from "../http/address.ts";
import { FetchedRequest, toResponse } from "../http/message.ts";
import { type Listener, type ListenTerms, plainPeer, refusedAddress } from "./listener.ts";

interface DenoServer {
  readonly addr: { readonly port: number };
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** The little that is used of it, so that the types of other runtimes will do, too. */
interface DenoRuntime {
  serve(
    options: Readonly<Record<string, unknown>>,
    handle: (
      request: Request,
      info: { readonly remoteAddr: { readonly hostname: string } },
    ) => Promise<Response>,
  ): DenoServer;
}

// deno-lint-ignore require-await -- what it throws is a rejection everywhere
export async function listenOnDeno({ hostname, port, answer, tls }: ListenTerms): Promise<Listener> {
  const { Deno } = globalThis as unknown as { readonly Deno: DenoRuntime };
  const abort = new AbortController();
  const parseAddress = createAddressParser();
  // RFC 9113 §8.3.1: HTTP/2 names the host elsewhere, and nobody speaks it without TLS.
  const unnamed = tls === undefined ? "" : "localhost";
  let closing: Promise<void> | undefined;
  const server = Deno.serve(
    { hostname, port, signal: abort.signal, onListen() {}, ...tls },
    async (request, { remoteAddr }) => {
      const address = isHost(request.headers.get("host") ?? unnamed) ? parseAddress(request.url) : undefined;
      if (address === undefined) return toResponse(refusedAddress);
      const findPeer = () => plainPeer(remoteAddr.hostname);
      return toResponse(await answer(new FetchedRequest(request, address, true, findPeer)));
    },
  );
  return {
    port: server.addr.port,
    interrupts: true,
    close: () => closing ??= server.shutdown(),
    abort() {
      // What is shutting down is gone for Deno: to abort it as well is an error that ends the process.
      if (closing !== undefined) return closing;
      abort.abort();
      return closing = server.finished;
    },
  };
}
