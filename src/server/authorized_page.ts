/** Creates a `fetch` handler with the server's callback page, for an application to mount. */

import { deriveVerifier, readOutcome } from "./client/flow.ts";
import { writeTokenExamples } from "./client/example_commands.ts";
import { createRandomBytes, etagOf, randomText } from "../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest, sha256 } from "../ground/crypto/platform.ts";
import {
  type Answer,
  fromRequest,
  type IncomingRequest,
  readCookies,
  toResponse,
  withCookie,
} from "../ground/http/message.ts";
import { empty, page, redirect, serveStatic, typeOfFile } from "../ground/http/respond.ts";
import { paths, usualPaths } from "./oauth/contracts/paths.ts";
import { createParams } from "./oauth/contracts/params.ts";
import { createPages } from "./pages/mod.ts";
import { present } from "../ground/values/present.ts";

/** Options of the callback page. */
export interface AuthorizedPageOptions {
  /** The absolute URL of the token endpoint. The page shows it in its example requests. */
  readonly tokenEndpoint: string;
  /** The issuer. The page warns if an authorization response names another one (RFC 9207 §2.4). */
  readonly issuer?: string;
  /** The client in the example requests. Default: a placeholder. */
  readonly clientId?: string;
  /** The address of the link "Back to Home". Default: `/`. */
  readonly homeUrl?: string;
  /**
   * The address of the link "Start New Authorization". If the token endpoint belongs to a Postern, the default link
   * starts a request there, for `clientId` or the client with this redirect URI. Otherwise there is no default link.
   */
  readonly startUrl?: string;
}

/** Creates the handler. Mount it at the path of your redirect URI. It also serves the stylesheet and icons. */
export function authorizedPage(options: AuthorizedPageOptions): (request: Request) => Response {
  const { tokenEndpoint, issuer, clientId, homeUrl = "/" } = options;
  if (!URL.canParse(tokenEndpoint)) {
    throw new TypeError("Cannot create page: tokenEndpoint must be an absolute URL");
  }
  const serverUrl = tokenEndpoint.endsWith(usualPaths.token)
    ? tokenEndpoint.slice(0, -usualPaths.token.length)
    : undefined;
  const startUrl = options.startUrl ?? (serverUrl === undefined ? undefined : "?start");
  const random = createRandomBytes();
  // The addresses are relative to the page, so that the page works at any path.
  const pages = createPages({ assetUrl: (name) => `?asset=${name}` });
  const files = new Map(pages.assets.map(({ name, read }) => {
    const text = read();
    return [name, { type: typeOfFile(name), text, etag: etagOf(text) }];
  }));

  function show(request: IncomingRequest, url: URL): Answer {
    if (request.method !== "GET" && request.method !== "HEAD") return empty(405, { allow: "GET, HEAD" });
    const file = files.get(url.searchParams.get("asset") ?? "");
    if (file !== undefined) return serveStatic(request, file, 0);
    const redirectUri = url.origin + url.pathname;
    if (url.searchParams.has("start") && serverUrl !== undefined) {
      return start(request, { serverUrl, redirectUri, query: url.searchParams });
    }
    const outcome = readOutcome(createParams([...url.searchParams]));
    const iss = url.searchParams.get("iss");
    const links = {
      homeUrl,
      ...present({ startUrl, responseIssuer: issuer === undefined || iss === null ? undefined : iss }),
      ...present({ foreignIssuer: issuer === undefined || iss === null || iss === issuer ? undefined : iss }),
    };
    if (outcome.hasError) return page(pages.callback({ ...outcome, ...links }));
    const codeVerifier = findVerifier(request, outcome.state);
    const code = { ...outcome, tokenEndpoint, redirectUri, ...present({ codeVerifier }) };
    const examples = writeTokenExamples({ ...code, ...present({ clientId }) });
    return page(pages.callback({ ...code, ...links, examples }));
  }

  /** The PKCE verifier is not stored: it is derived from the browser's cookie and the `state`. */
  function start(
    request: IncomingRequest,
    { serverUrl, redirectUri, query }: {
      readonly serverUrl: string;
      readonly redirectUri: string;
      readonly query: URLSearchParams;
    },
  ): Answer {
    const known = findSecret(request);
    const secret = known ?? randomText(random, 32);
    const state = signState(secret, randomText(random, 16));
    const params = new URLSearchParams(query);
    for (const name of ["start", "code_challenge_method"]) params.delete(name);
    const challenge = sha256(deriveVerifier({ secret }, state));
    const own = { ...present({ client_id: clientId }), redirect_uri: redirectUri, state };
    for (const [name, value] of Object.entries({ ...own, code_challenge: challenge })) {
      params.set(name, value);
    }
    const answer = redirect(`${serverUrl}${paths.start}?${params}`);
    if (known !== undefined) return answer;
    const secure = redirectUri.startsWith("https:") ? "; Secure" : "";
    return withCookie(answer, `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  }

  return (request) => toResponse(show(fromRequest(request, undefined), new URL(request.url)));
}

const cookieName = "postern_authorized_page";

function findSecret(request: IncomingRequest): string | undefined {
  const [secret, ...others] = readCookies(request, cookieName);
  // If there are two cookies with this name, another host has set one of them.
  return others.length === 0 && secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** Adds a signature to the `state`, because the page can derive the verifier only for flows that it has started. */
function signState(secret: string, id: string): string {
  return `${id}.${hmacSha256(secret, `state ${id}`, 16)}`;
}

function findVerifier(request: IncomingRequest, state: string | undefined): string | undefined {
  const secret = findSecret(request);
  const [id, mark] = state?.split(".") ?? [];
  if (secret === undefined || state === undefined || id === undefined || mark === undefined) return undefined;
  return sameDigest(signState(secret, id), state) ? deriveVerifier({ secret }, state) : undefined;
}
