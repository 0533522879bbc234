/** `fetch` without a network: the same answers, redirects, aborts and broken connections, and no socket. */

import { parseAddress } from "../http/address.ts";
import { type Answer, FetchedRequest, type IncomingRequest, toResponse } from "../http/message.ts";
import { AnswerLost } from "./kernel.ts";

export interface FetchTerms {
  /** What it answers for. */
  readonly origin: () => string;
  /** By where the request goes. */
  readonly answer: (request: IncomingRequest) => Promise<Answer>;
  /** Whoever is redirected elsewhere goes there by this one. */
  readonly elsewhere: (request: Request) => Promise<Response>;
}

/** What clients take instead of the global one: one signature, so that it fits each of them. */
export type Fetch = (input: string | URL | Request, init?: FetchInit) => Promise<Response>;

/** As loose as clients write it: a member that is undefined was not said. */
export type FetchInit =
  & { readonly [member in Exclude<keyof RequestInit, "body">]?: RequestInit[member] | undefined }
  & { readonly body?: BodyInit | Uint8Array | null | undefined };

// As browsers and servers count (Fetch Standard §4.4).
const mostRedirects = 20;

export function createFetch({ origin, answer, elsewhere }: FetchTerms): Fetch {
  async function send(request: Request): Promise<Answer> {
    const address = parseAddress(request.url);
    if (address?.origin !== origin()) {
      throw new TypeError(
        `This fetch answers for ${origin()}, and was asked for ${request.url}: ` +
          "give the client another one for other servers, or use intercept(), which lets them pass",
      );
    }
    return await abortable(
      answer(new FetchedRequest(request, address, false, () => undefined)),
      request.signal,
    );
  }

  async function follow(request: Request, redirects: number): Promise<Response> {
    const response = toResponse(await send(request).catch(asNetworkError));
    // A response that was made here has no URL; clients look at it.
    Object.defineProperties(response, {
      url: { value: request.url.replace(/#.*$/, "") },
      redirected: { value: redirects > 0 },
    });
    const location = response.headers.get("location");
    if (location === null || request.redirect === "manual") return response;
    if (request.redirect === "error") {
      throw new TypeError(`fetch failed: ${request.url} redirects to ${location}`);
    }
    if (redirects === mostRedirects) throw new TypeError("fetch failed: too many redirects");
    // Every redirect here is a 303: the next request is a GET, without what described the body.
    const headers = new Headers(request.headers);
    for (const name of ["content-type", "content-length"]) headers.delete(name);
    const next = new Request(new URL(location, request.url), { headers, signal: request.signal });
    return new URL(next.url).origin === origin() ? await follow(next, redirects + 1) : await elsewhere(next);
  }

  return async (input, init) => await follow(new Request(input, init as RequestInit), 0);
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** What a broken connection looks like to a caller of `fetch`. */
function asNetworkError(error: unknown): never {
  throw error instanceof AnswerLost ? new TypeError("fetch failed", { cause: error }) : error;
}
