/** Refuses a request with JSON for a program or a page for a person, and notes the whole error in the journal. */

import { pathAndQuery } from "../../../ground/http/address.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { empty, json, page } from "../../../ground/http/respond.ts";
import { chooseLanguage } from "./choose_language.ts";
import { type Challenge, OAuthError, type RefusalRows, refusals, wireText } from "../contracts/refusals.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Refusal } from "../contracts/journal.ts";
import type { RefusalProps } from "../contracts/pages.ts";
import { findLibraries } from "./find_library.ts";
import { hidden } from "../secrets/redaction.ts";
import type { Services } from "../contracts/feature.ts";
import { paths } from "../contracts/paths.ts";
import { endpointUrls } from "./server_urls.ts";
import { present } from "../../../ground/values/present.ts";
import { StoreUnavailable } from "../../store/store.ts";

const refusal = refusals({
  store_unavailable: {
    error: "temporarily_unavailable",
    sentence: "The server is busy; try again in a few seconds",
    change: "Send the same request again in a few seconds.",
  },
  unexpected_error: {
    error: "server_error",
    sentence: "The server failed. Its journal has the cause under {exchangeId}",
    change:
      "The request may be right: find the cause in the output of the server, or in the hook that threw it.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the error that a client may see. An unexpected one gets a fixed text. */
export function asOAuthError(thrown: unknown, exchangeId: string): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  return thrown instanceof StoreUnavailable
    ? refusal("store_unavailable", { headers: { "retry-after": "2" }, cause: thrown })
    : refusal("unexpected_error", { exchangeId, cause: thrown });
}

/** `help`: the library that the request looks like, with the line to write, and what the server could be told for it. */
export function noteRefusal(
  { error, message, details }: OAuthError,
  exchange: Exchange,
  help: Pick<Refusal, "looksLike" | "instead" | "remedy"> = details,
): void {
  const { reason, spec, expected, redirectUris, change, cause, privateText } = details;
  const { looksLike, instead } = help;
  const received = privateText === undefined
    ? details.received
    : details.received?.replaceAll(privateText, hidden);
  const remedy = privateText === undefined ? help.remedy : undefined;
  exchange.note({
    refusal: {
      error,
      reason,
      description: message,
      ...present({ spec, expected, redirectUris, received, change, looksLike, instead, remedy }),
    },
    ...present({ fault: cause }),
  });
}

/**
 * Notes the refusal with the library that the request looks like. Resolves to what libraries must be told, and to what the
 * server could be told for this one.
 */
export async function noteWithLibrary(
  error: OAuthError,
  exchange: Exchange,
  services: Services,
): Promise<Pick<RefusalProps, "libraries" | "instead" | "remedy">> {
  const libraries = await findLibraries(error, exchange, services);
  const { details } = error;
  const { instead, remedy } = libraries?.method && details.remedyFor?.(libraries.method) || details;
  noteRefusal(error, exchange, present({ instead, remedy, looksLike: libraries?.inOneLine }));
  return present({ libraries, instead, remedy });
}

export function refusalJson(error: OAuthError, exchange: Exchange): Answer {
  noteRefusal(error, exchange);
  return formatRefusal(error, { realm: "postern" });
}

/** Returns JSON with the code and a short description (RFC 6749 §5.2). The first challenge repeats them (RFC 6750 §3). */
export function formatRefusal(
  error: OAuthError,
  { realm, params, challenges: usual = [] }: {
    readonly realm: string;
    /** Parameters of the first challenge, besides the realm and the error. */
    readonly params?: Readonly<Record<string, string>>;
    /** The challenges of an error that names none itself. */
    readonly challenges?: readonly Challenge[];
  },
): Answer {
  const { headers, challenge = usual } = error.details;
  const codeless = error.details.codeless === true;
  const members: Readonly<Record<string, string>> = codeless
    ? {}
    : { error: error.error, error_description: wireText(error.message) };
  const challenges = ("scheme" in challenge ? [challenge] : challenge).map((each, at) =>
    formatChallenge({
      scheme: each.scheme,
      // Many client libraries read the error from the first challenge only.
      params: { realm, ...(at === 0 ? { ...members, ...params } : {}), ...each.params },
    })
  );
  const all = {
    ...headers,
    ...present({ "www-authenticate": challenges.length === 0 ? undefined : challenges.join(", ") }),
  };
  return codeless ? empty(error.status, all) : json(members, { status: error.status, headers: all });
}

/** Returns a page that explains the error, because the person is often the developer of the client. */
export async function refusalPage(
  error: OAuthError,
  exchange: Exchange,
  services: Services,
  more: Pick<RefusalProps, "wouldHaveGoneTo" | "clients" | "applicationUrl"> = {},
): Promise<Answer> {
  const help = await noteWithLibrary(error, exchange, services);
  const { spec, expected, redirectUris, received, change, startAgainUrl, programsSend, headers } =
    error.details;
  const { "www-authenticate": challenge } = formatRefusal(error, { realm: "postern" }).headers;
  // OAuth 2.1 §4.1.2.1: never 401 where a browser would ask for a password. It asks for no access token.
  const status = error.status === 401 && programsSend === undefined ? 400 : error.status;
  const { pages, settings } = services;
  const { method, address } = exchange.request;
  const html = await pages.refusal({
    status,
    ...present({ error: error.details.codeless ? undefined : error.error }),
    description: error.message,
    ...present({ spec, expected, redirectUris, received, change, programsSend }),
    ...help,
    ...(startAgainUrl === undefined ? findTryAgainUrl(error, exchange, services) : { startAgainUrl }),
    ...present({
      endpoints: status === 404
        ? [...endpointUrls(services)].map(([name, url]) => ({ name, url }))
        : undefined,
      exchangeId: status >= 500 ? exchange.id : undefined,
    }),
    entryId: exchange.id,
    ...present({ sent: method === "GET" ? { path: address.path, query: address.query } : undefined }),
    ...more,
    homeUrl: settings.basePath + paths.home,
  }, chooseLanguage(exchange, services));
  return page(html, {
    status,
    headers: { ...headers, ...present({ "www-authenticate": status === 401 ? `${challenge}` : undefined }) },
  });
}

/**
 * Returns the address of the request, for a link that sends it again. If sign-in is automatic, pages ask only about
 * requests from another site, and a link on this server's own page would get past that check.
 */
function findTryAgainUrl(
  { status }: OAuthError,
  { request: { method, address } }: Exchange,
  { settings }: Services,
): { readonly tryAgainUrl?: string } {
  const mayPass = status === 408 || status === 429 || status >= 500;
  const isRepeatable = method === "GET" && mayPass && settings.automaticPerson === undefined;
  // A path that begins with two slashes would lead to another host.
  if (!isRepeatable || !/^\/(?!\/)/.test(address.path)) return {};
  return { tryAgainUrl: pathAndQuery(address) };
}

/** Formats a challenge for the WWW-Authenticate header (RFC 9110 §11.6.1; RFC 6750 §3). */
export function formatChallenge({ scheme, params = {} }: Challenge): string {
  const quoted = Object.entries(params).map(([name, value]) => `${name}="${wireText(value)}"`);
  return `${scheme} ${quoted.join(", ")}`;
}
