/** The browser of a test: keeps cookies, and goes where the server sends it, until it is sent to a client. */

import { withoutQuery } from "../../http/address.ts";
import type { Answer } from "../../http/message.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { Pair } from "../../oauth/params.ts";
import { paths } from "../../oauth/paths.ts";
import type { OpenDecision, SignInDecision } from "../conditions/decisions.ts";
import { redirectStatuses } from "../network/fetch.ts";
import { plainRequest } from "./plain_request.ts";
import type { TenantContext } from "./tenant_context.ts";

/** One browser: whoever signs in with it stays signed in. */
export interface Browser {
  /** By name. */
  readonly cookies: Map<string, string>;
}

export function createBrowser(): Browser {
  return { cookies: new Map() };
}

/** Where a browser came to rest. */
export interface Visit {
  readonly url: string;
  readonly answer: Answer;
  /** The client's address, where the server sent it there. */
  readonly leftFor: URL | undefined;
  readonly facts: Partial<Facts> | undefined;
}

export interface VisitTerms {
  readonly url: string;
  readonly form?: readonly Pair[];
  readonly decision?: SignInDecision | OpenDecision | undefined;
}

// More than any flow has.
const mostSteps = 10;

export async function visit(
  browser: Browser,
  terms: VisitTerms,
  site: Pick<TenantContext, "answer" | "factsOf" | "bind">,
): Promise<Visit> {
  let { url, form } = terms;
  for (let step = 0; step < mostSteps; step++) {
    const { cookies } = browser;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = plainRequest({
      url,
      headers: { accept: "text/html", ...(cookies.size === 0 ? {} : { cookie }) },
      ...(form === undefined ? {} : { form }),
    });
    if (terms.decision !== undefined) site.bind(request, terms.decision);
    const answer = await site.answer(request);
    keepCookies(browser, answer);
    const { location } = answer.headers;
    const facts = site.factsOf(request);
    const isRedirect = redirectStatuses.has(answer.status) && typeof location === "string";
    if (!isRedirect) return { url, answer, leftFor: undefined, facts };
    const next = new URL(location, url);
    if (!staysHere(next, url)) return { url, answer, leftFor: next, facts };
    [url, form] = [next.href, undefined];
  }
  throw new Error(`The server sends the browser from page to page: it was last at ${withoutQuery(url)}`);
}

/** Our own callback page counts as a client's. */
function staysHere(next: URL, url: string): boolean {
  return next.origin === new URL(url).origin &&
    (next.pathname.endsWith(paths.authorize) || next.pathname.endsWith(paths.logout));
}

function keepCookies({ cookies }: Browser, { headers }: Answer): void {
  for (const cookie of [headers["set-cookie"] ?? []].flat()) {
    const [pair = ""] = cookie.split(";");
    const equals = pair.indexOf("=");
    cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
}
