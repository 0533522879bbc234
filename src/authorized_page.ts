/** The callback page for somebody's own application: the same page as this server's, as a `fetch` handler. */

import { type Answer, fromRequest, type IncomingRequest, toResponse } from "./http/message.ts";
import { empty, page } from "./http/respond.ts";
import { serveStatic } from "./http/static_files.ts";
import { etagOf } from "./crypto/bytes.ts";
import { readOutcome } from "./oauth/callback.ts";
import { createParams } from "./oauth/params.ts";
import { createPages } from "./pages/mod.ts";

/** What the page cannot know by itself. */
export interface AuthorizedPageOptions {
  /** Absolute: goes into the example requests. */
  readonly tokenEndpoint: string;
  /** The authorization server: a response that names another one is shown with a warning (RFC 9207 §2.4). */
  readonly issuer?: string;
  /** Goes into the examples instead of a placeholder. */
  readonly clientId?: string;
  /** Where "Back to Home" leads. Default: `/`. */
  readonly homeUrl?: string;
  /** Where "Start New Authorization" leads. Default: `/`. */
  readonly startUrl?: string;
}

/** Mount it at the path of your redirect URI: it brings its own stylesheet and icons along. */
export function authorizedPage(options: AuthorizedPageOptions): (request: Request) => Response {
  const { tokenEndpoint, issuer, clientId, homeUrl = "/", startUrl = "/" } = options;
  if (!URL.canParse(tokenEndpoint)) {
    throw new TypeError("Cannot create page: tokenEndpoint must be an absolute URL");
  }
  // Relative to the page itself, wherever that is mounted.
  const pages = createPages({ assetUrl: (name) => `?asset=${name}` });
  const files = new Map(
    pages.assets.map(({ name, type, text }) => [name, { type, text, etag: etagOf(text) }]),
  );

  function show(request: IncomingRequest, url: URL): Answer {
    if (request.method !== "GET" && request.method !== "HEAD") return empty(405, { allow: "GET, HEAD" });
    const file = files.get(url.searchParams.get("asset") ?? "");
    if (file !== undefined) return serveStatic(request, file, 0);
    const outcome = readOutcome(createParams([...url.searchParams]));
    const iss = url.searchParams.get("iss");
    const links = {
      homeUrl,
      startUrl,
      ...(issuer === undefined || iss === null || iss === issuer ? {} : { foreignIssuer: iss }),
    };
    if (outcome.hasError) return page(pages.callback({ ...outcome, ...links }));
    return page(pages.callback({
      ...outcome,
      ...links,
      tokenEndpoint,
      redirectUri: url.origin + url.pathname,
      ...(clientId === undefined ? {} : { clientId }),
    }));
  }

  return (request) => toResponse(show(fromRequest(request, undefined), new URL(request.url)));
}
