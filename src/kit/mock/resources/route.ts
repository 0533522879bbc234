/** A route of the test: an address beside the server, at which a function of the test answers. */

import type { Address } from "../../../ground/http/address.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { preflight } from "../../../ground/http/respond.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { pathOf } from "../../../server/oauth/requests/server_urls.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { WrongTerm } from "../terms/wrong_term.ts";
import { answerRecorded, toAnswer } from "./answer_recorded.ts";
import { findUrl } from "./resource_terms.ts";

const refusal = refusals({
  route_unknown: {
    error: "not_found",
    status: 501,
    sentence: "No route of the test answers {asked}",
    change:
      "Use an address that the test answers, or add this one with as.route(), or over HTTP with POST /_postern/routes.",
  },
  route_hides_look_alike: {
    error: "server_error",
    sentence: "A route of the test is at an endpoint of the look-alike: {asked}",
    change: "Remove the route, and change the answer of the look-alike with as.on().",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Answers a request to a route. `as.protect` checks its token. */
export type RouteHandler = (request: Request) => Response | Promise<Response>;

/** The address of a route, as it was given. */
export interface RoutePattern {
  readonly method: string;
  readonly url: string;
  /** Whether a path was given: it moves with the issuer. */
  readonly isPath: boolean;
}

/** A route with the members that only the mock uses. */
export interface RunningRoute {
  readonly method: string;
  readonly url: string;
  readonly origin: string;
  isAt(address: Pick<Address, "origin" | "path">): boolean;
  answer(request: Request): Promise<Answer>;
}

interface RouteParts {
  readonly pattern: RoutePattern;
  readonly handler: RouteHandler;
  readonly running: RunningTenant;
  readonly issuerOrigin: () => string;
  /** Finds the server that looks like the provider with this origin. */
  readonly findProvider: (origin: string) => RunningTenant | undefined;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export function readRoute(given: unknown, issuerOrigin: string): RoutePattern {
  const [method, address, ...more] = typeof given === "string" ? given.split(" ") : [];
  const url = findUrl(address, issuerOrigin);
  const isWhole = url !== undefined && more.length === 0 && !/[{}]/.test(address!);
  if (method !== undefined && methods.includes(method) && isWhole) {
    return { method, url: new URL(url).href, isPath: address!.startsWith("/") };
  }
  throw new WrongTerm(
    "add a route",
    `one of the methods ${methods.join(", ")}, a space, and a URL without query, fragment and {}, such as ` +
      '"GET https://api.test/orders", or a path at the issuer\'s origin, such as "GET /status"',
    describeValue(given),
  );
}

export function createRoute(
  { pattern, handler, running, issuerOrigin, findProvider }: RouteParts,
): RunningRoute {
  const { method, isPath } = pattern;
  const { origin: firstOrigin, pathname } = new URL(pattern.url);
  const findOrigin = () => isPath ? issuerOrigin() : firstOrigin;
  const findOwnUrl = () => findOrigin() + pathname;

  async function requireUnmodelled(): Promise<void> {
    const provider = findProvider(findOrigin());
    if (provider === undefined) return;
    const url = findOwnUrl();
    const { settings, slots: { endpoints } } = await provider.servicesAt(url);
    const { origin } = new URL(settings.baseUrl);
    const found = endpoints.find((each) => (each.url ?? origin + pathOf(each, settings)) === url);
    // The data of a person may be those of the test.
    if (found === undefined || found.name === "userinfo") return;
    throw refusal("route_hides_look_alike", { asked: `${method} ${url}` });
  }

  return {
    method,
    get url() {
      return findOwnUrl();
    },
    get origin() {
      return findOrigin();
    },
    isAt: ({ origin, path }) => path === pathname && origin === findOrigin(),
    answer: (request) =>
      answerRecorded(request, running, {
        origin: findOrigin(),
        recorder: running.recorder,
        async work() {
          await requireUnmodelled();
          if (request.method === "OPTIONS" && method !== "OPTIONS") return preflight(methods.join(", "));
          return toAnswer(await handler(request));
        },
      }),
  };
}

/** Answers a request to the origin of routes that belongs to none of them. */
export function refuseUnrouted(request: Request, origin: string, running: RunningTenant): Promise<Answer> {
  return answerRecorded(request, running, {
    origin,
    recorder: running.recorder,
    work(exchange) {
      const asked = `${request.method} ${origin}${exchange.request.address.path}`;
      return Promise.reject(refusal("route_unknown", { asked }));
    },
  });
}
