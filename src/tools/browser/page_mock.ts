/** A mock inside of a page, which can show its pages there. */

import type { WindowTerms } from "./window_terms.ts";
import type { Mock } from "../../kit/mock/mock.ts";

/** An authorization server inside of a page. */
export interface PageMock extends Mock {
  /**
   * Shows the pages that follow an authorization URL, and resolves to the URL at which the client gets the response. A
   * person answers the pages. Rejects when the person closes the window, and when the mock is reset or closed. Scripts of
   * the pages do not run.
   */
  window(url: string | URL, terms?: WindowTerms): Promise<URL>;
}

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
    window: async (url: string | URL, terms: WindowTerms = {}) => {
      const { signal } = shown;
      const { showPages } = await import("./show_pages.ts");
      return await showPages(`${url}`, terms, mock, signal);
    },
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
