/** A listener of Deno's own. It waits for ever for the rest of a request, so it is for this machine only. */

import { parseAddress } from "../http/address.ts";
import { FetchedRequest, toResponse } from "../http/message.ts";
import { type Listener, type ListenTerms, refusedAddress } from "./listener.ts";

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
  const server = Deno.serve(
    { hostname, port, signal: abort.signal, onListen() {}, ...tls },
    async (request, { remoteAddr }) => {
      const address = parseAddress(request.url);
      if (address === undefined) return toResponse(refusedAddress);
      return toResponse(await answer(new FetchedRequest(request, address, true, () => remoteAddr.hostname)));
    },
  );
  return {
    port: server.addr.port,
    interrupts: true,
    close: () => server.shutdown(),
    abort() {
      abort.abort();
      return server.finished;
    },
  };
}
