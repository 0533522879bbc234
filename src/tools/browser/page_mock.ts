/** A mock inside of a page, which can show its pages there. */

import type { Mock } from "../../kit/mock/mock.ts";
import { lazy } from "../../ground/values/lazy.ts";
import type { WindowTerms } from "./window_terms.ts";

/** An authorization server inside of a page. */
export interface PageMock extends Mock {
  /**
   * Shows the pages that follow an authorization URL, and resolves to the URL at which the client gets the response. A
   * person answers the pages. If the person denies the request, this URL has `error=access_denied`.
   *
   * Rejects when the person closes the pages, when the page takes them away, and when the mock is reset or closed. The error is
   * `Refused` if the server had refused the request on its own page. Scripts of the pages do not run.
   */
  window(url: string | URL, terms?: WindowTerms): Promise<URL>;
}

const showPages = lazy(async () => (await import("./show_pages.ts")).showPages);

export function addWindow(mock: Mock): PageMock {
  const { reset, close } = mock;
  let shown = new AbortController();
  const endWindows = (what: string) => {
    shown.abort(new Error(`The mock was ${what} before the server sent an authorization response`));
    shown = new AbortController();
  };
  const closeAll = () => {
    endWindows("closed");
    return close();
  };
  const calls = {
    window: (url: string | URL, terms: WindowTerms = {}) => showPages(`${url}`, terms, mock, shown.signal),
    reset() {
      reset();
      endWindows("reset");
    },
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
  // Keeps the getters, because the issuer is one.
  return Object.assign(mock, calls);
}
