/** Opens a URL of the server and follows redirects until a page appears or a redirect leads to the client. */

import { createForm } from "../../../server/client/client_request.ts";
import { withoutQuery } from "../../../ground/http/address.ts";
import type { Answer } from "../../../ground/http/message.ts";
import type { Facts } from "../../../server/oauth/contracts/journal.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { FallbackDecision, SignInDecision } from "../conditions/decisions.ts";
import { NotCalled } from "../journal/harness_error.ts";
import { redirectStatuses } from "../network/create_next_request.ts";
import { type Browser, formatCookies, storeCookies } from "./browser.ts";
import { createPlainRequest } from "./plain_request.ts";
import type { RunningTenant } from "../running_tenant.ts";

export interface Visit {
  readonly url: string;
  readonly answer: Answer;
  /** The URL of the client to which the server redirects the browser. `undefined`: the server shows a page. */
  readonly leftFor: URL | undefined;
  readonly facts: Partial<Facts> | undefined;
}

interface VisitOptions {
  readonly url: string;
  /** The fields of a form. If present, the first request is a POST. */
  readonly form?: readonly Pair[];
  readonly decision?: SignInDecision | FallbackDecision | undefined;
}

interface VisitContext extends Pick<RunningTenant, "answer" | "factsOf" | "bind"> {
  readonly services: { readonly settings: ServerPaths };
}

type ServerPaths = Pick<Settings, "baseUrl" | "basePath" | "paths">;

// The largest number of requests, which is more than any flow needs.
const mostSteps = 10;

/** Each request of the visit carries the decision, in place of a person at the pages. */
export async function visit(browser: Browser, options: VisitOptions, context: VisitContext): Promise<Visit> {
  let { url, form } = options;
  for (let step = 0; step < mostSteps; step++) {
    const cookie = formatCookies(browser);
    const headers: readonly Pair[] = [
      ["accept", "text/html"],
      ...(cookie === undefined ? [] : [["cookie", cookie] as const]),
    ];
    const request = createPlainRequest(
      form === undefined ? { url, headers } : createForm(url, form, headers),
    );
    if (options.decision !== undefined) context.bind(request, options.decision);
    const answer = await context.answer(request);
    storeCookies(browser, [answer.headers["set-cookie"] ?? []].flat());
    const { location } = answer.headers;
    const facts = context.factsOf(request);
    const isRedirect = redirectStatuses.has(answer.status) && typeof location === "string";
    if (!isRedirect) return { url, answer, leftFor: undefined, facts };
    const next = new URL(location, url);
    if (!isServerPage(next, url, context.services.settings)) return { url, answer, leftFor: next, facts };
    [url, form] = [next.href, undefined];
  }
  throw new NotCalled(`Too many redirects: the server last sent the browser to ${withoutQuery(url)}`);
}

/**
 * The server's own callback page counts as one of the client, because it is the redirect URI of the demo clients. Another host
 * of a provider leads to the same path of the usual one.
 */
function isServerPage(next: URL, url: string, { baseUrl, basePath, paths }: ServerPaths): boolean {
  return [url, baseUrl].some((each) => new URL(each).origin === next.origin) &&
    [basePath + paths.authorize, basePath + paths.logout, new URL(url).pathname].includes(next.pathname);
}
