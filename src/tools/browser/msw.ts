/** A mock among the handlers of MSW. Imports nothing of MSW: the test gives its `http`. */

import type { Mock } from "../../kit/mock/mock.ts";
import { findStarted } from "../../kit/mock/mock_parts.ts";
import { isOfIssuer } from "./is_of_issuer.ts";

/** What MSW tells about a request. */
export interface MswRequest {
  readonly request: Request;
}

/** `http` of `msw`. */
export interface MswHttp<Handler> {
  all(
    predicate: (info: MswRequest) => boolean,
    resolver: (info: MswRequest) => Promise<Response>,
  ): Handler;
}

/**
 * Returns handlers for `setupWorker` and `setupServer` of MSW 3. The mock answers the requests of scripts to its issuer
 * and below, and those to the hosts of the providers that it looks like. All others are for the other handlers:
 * `as.window()` shows the pages of the mock.
 */
export function mockHandlers<Handler>(as: Mock, http: MswHttp<Handler>): Handler[] {
  requireOwnPath(as);
  return [
    http.all(
      // The worker would answer the page of a frame or a window, and not its forms.
      ({ request }) => request.mode !== "navigate" && isForMock(new URL(request.url), as),
      // What has sent the request follows redirects: fetch does, node:http does not.
      ({ request }) => as.fetch(new Request(request, { redirect: "manual" })),
    ),
  ];
}

function isForMock(url: URL, as: Mock): boolean {
  return isOfIssuer(url, new URL(as.issuer)) || findStarted(as)?.providerAt(url.origin) !== undefined;
}

function requireOwnPath({ issuer }: Mock): void {
  const { origin, pathname } = new URL(issuer);
  if (origin !== globalThis.location?.origin || pathname !== "/") return;
  throw new TypeError(
    `Cannot answer for all of ${origin}, which has this page: give createMock({ issuer: "${origin}/idp" })`,
  );
}
