/** A browser at the examined application: it keeps cookies, and follows redirects through the pages of the server. */

import { mayHaveBody } from "../../server/http/message.ts";
import { createBrowser, formatCookies, storeCookies } from "../mock/client/browser.ts";
import { HarnessError } from "../mock/journal/harness_error.ts";
import { redirectStatuses } from "../mock/network/redirect_statuses.ts";

// As browsers do.
const mostRedirects = 20;

/**
 * Creates a browser without cookies. The result opens a page of the application, and resolves to the page at which the
 * redirects end. `browse` opens a URL that is not the application's, and resolves to the URL at which the application is
 * called.
 */
export function createApplicationBrowser(
  issuer: string,
  signal: AbortSignal,
  browse: (url: URL) => Promise<URL>,
): (url: string | URL) => Promise<Response> {
  const browser = createBrowser();
  return async (url) => {
    let next = new URL(url);
    const { origin } = next;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const isOwn = next.origin === origin && next.origin !== new URL(issuer).origin;
      if (!isOwn) {
        next = await browse(next);
        continue;
      }
      const response = await fetch(next, {
        redirect: "manual",
        signal,
        headers: {
          cookie: formatCookies(browser) ?? "",
          // The next run may start the application again, and then a kept connection is a broken one.
          connection: "close",
        },
      });
      storeCookies(browser, response.headers.getSetCookie());
      // Read to its end, because an application waits for its open connections before it stops.
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      const location = headers.get("location");
      if (!redirectStatuses.has(status) || location === null) {
        return new Response(mayHaveBody(status) ? body : null, { status, headers });
      }
      next = new URL(location, next);
    }
    throw new HarnessError(`${origin} sends the browser from one address to the next again and again`);
  };
}
