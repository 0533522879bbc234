/** The world in which a client is examined: a mock of its own, an API, and the addresses of the client. */

import { deviceGrantType } from "../../server/client/device_flow.ts";
import { withoutQuery } from "../../ground/http/address.ts";
import { catalogue } from "../faults/catalogue.ts";
import type { Phase } from "../faults/misbehaviour.ts";
import type { MisbehaviourName } from "../faults/names.ts";
import { orderByArrival, type Seen, toSeen } from "../faults/seen.ts";
import { findHeader } from "../../server/oauth/contracts/journal.ts";
import { HarnessError, NotCalled } from "../mock/journal/harness_error.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import { createMock, type Mock } from "../mock/mock.ts";
import type { Resource } from "../mock/resources/resource.ts";
import type { MockOptions } from "../mock/terms/mock_options.ts";
import { mayHaveBody } from "../../ground/http/message.ts";
import type { AuthorizeTerms } from "../mock/client/authorize.ts";
import { createBrowser, formatCookies, storeCookies } from "../mock/client/browser.ts";
import { locateOtherServer } from "../mock/misbehaving/other_server.ts";
import { redirectStatuses } from "../mock/network/create_next_request.ts";

/** What a client needs for one run of an examination. */
export interface Scenario {
  /** The misbehaviour of this run. `undefined`: the server is right. */
  readonly name: MisbehaviourName | undefined;
  /** What the client has to do in this run, after a login. A client may also do more. */
  readonly phase: Phase;
  readonly issuer: string;
  /** The client, which is configured at the server, with all its metadata. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
  /** The URL of a protected API, which is also its `resource`. It describes itself (RFC 9728). */
  readonly api: string;
  /** Aborted when the time of the run is over. */
  readonly signal: AbortSignal;
  /**
   * Opens an authorization URL or a URL for a sign-out as a browser. Resolves to the URL at which the client is called.
   * Rejects if the page does not call the client.
   */
  browse(url: string | URL): Promise<URL>;
  /**
   * Opens a page of an application that listens on a port, as a browser does: with cookies, through its redirects and
   * the pages of the server. Resolves to the page at which that ends.
   */
  visit(url: string | URL): Promise<Response>;
  /** Answers requests that the server sends to the client, such as logout tokens. */
  serve(answer: (request: Request) => Response | Promise<Response>): void;
}

export interface World extends AsyncDisposable {
  readonly as: Mock;
  readonly scenario: Scenario;
  /** Returns the requests to the server and to the API, in the order of their arrival. */
  listSeen(): readonly Seen[];
  /** Returns the first refused request of the phase, or else of the run. One to no endpoint comes last. */
  findRefused(phase?: Phase): RecordedRequest | undefined;
  /** Whether the requests of the run show that the client has done this. */
  hasReached(phase: Phase): boolean;
  /** Whether the client has sent a request to do this. */
  hasTried(phase: Phase): boolean;
  /** Whether `visit` has opened a page. */
  readonly hasVisited: boolean;
  /** Whether a page that `visit` opened shows the picture of a misbehaviour as text. */
  readonly hasEscaped: boolean;
  /** Returns the scenario with a new browser, at which this person and no other signs in. */
  scenarioOf(username: string): Scenario;
  /** Changes the address of the first page that `visit` opens. */
  changeFirstPage(change: (page: URL) => void): void;
  /** For a misbehaviour that needs it: the browser that begins a login first. */
  readonly otherBrowser: OtherBrowser;
}

interface OtherBrowser {
  /** While it is true, what calls the server is the other browser. */
  readonly isBeginning: boolean;
  /** Whether `visit` has played both browsers, so that they share no cookie. */
  readonly isApart: boolean;
  end(): void;
}

export interface WorldTerms {
  readonly name: MisbehaviourName | undefined;
  readonly phase: Phase;
  /** The issuer differs between runs, because some clients keep what they learn about one. */
  readonly number: number;
  readonly options: MockOptions;
  readonly listens: boolean;
  readonly signal: AbortSignal;
}

/** The API as a card shows it. Options name it so, because each run has an API of its own. */
const shownApi = "https://api.test";

// Open registration on loopback accepts no https redirect URI.
const loopbackRedirectUri = "http://127.0.0.1:3000/callback";

/** The client that is examined, unless the options name others. It may also log in on a device. */
const examinedClient = {
  client_id: "app",
  grant_types: ["authorization_code", "refresh_token", deviceGrantType],
  redirect_uris: ["https://app.test/callback", loopbackRedirectUri],
  post_logout_redirect_uris: ["https://app.test/signed-out"],
  backchannel_logout_uri: "https://app.test/backchannel_logout",
} as const;

export async function createWorld(terms: WorldTerms): Promise<World> {
  const { name, phase, number, options, listens, signal } = terms;
  const { paths = {}, needs = [] } = name && catalogue.get(name) || {};
  const { issuer: issuerPath = "", api: apiPath = "/orders" } = paths;
  let answerCall: (request: Request) => Response | Promise<Response> = () =>
    new Response(null, { status: 404 });
  const as = await createMock({
    time: createClock(),
    ...(listens
      ? {}
      : { issuer: `https://s${number}.as.test${issuerPath}`, also: [`https://s${number}.tokens.test`] }),
    clients: [examinedClient],
    fetch: async (input, init) => await answerCall(new Request(input, init)),
    ...(needs.includes("two_refreshes") ? forTwo(options) : options),
  });
  if (listens) await as.listen();
  // On the port of the server, an API needs a path.
  const path = listens ? apiPath || "/orders" : apiPath;
  const api = as.resource(listens ? path : `https://s${number}.api.test${path}`, { scope: "orders" });
  const [client = examinedClient] = options.clients ?? [];
  for (const { client_id, introspects } of options.clients ?? []) {
    if (introspects === undefined) continue;
    const named = introspects.map((each) => each === shownApi + path ? api.url : each);
    as.clients.change(client_id, { introspects: named });
  }
  const otherBrowser = {
    isBeginning: name !== undefined && catalogue.get(name)!.isBegunElsewhere === true,
    isApart: false,
    end: () => void (otherBrowser.isBeginning = false),
  };
  let hasVisited = false;
  let changePage: (page: URL) => void = () => {};
  const isOwnOnPort = listens && options.clients === undefined;
  const browseWith = (terms: AuthorizeTerms) => async (opened: string | URL): Promise<URL> => {
    const url = findScripted(opened) ?? opened;
    if (new URL(url).origin === new URL(as.issuer).origin) return await as.authorize(url, terms);
    const { status, headers } = await as.fetch(url, { signal, redirect: "manual" });
    const location = headers.get("location");
    if (location !== null) return new URL(location);
    throw new NotCalled(
      `The page at ${withoutQuery(`${url}`)} does not call the client: its status is ${status}`,
    );
  };
  const browse = browseWith({ browser: as.browser() });
  let hasEscaped = false;
  const picture = `${locateOtherServer(as.issuer)}/picture`;
  const show = async (html: string) => {
    if (!html.includes(picture)) return;
    // A browser loads the picture of a tag, also on a page with an error status.
    if (html.includes(`<img src=${picture}>`)) await (await as.fetch(picture, { signal })).body?.cancel();
    else hasEscaped = true;
  };
  const visit = createApplicationBrowser(as.issuer, signal, browse, show);
  const visitElsewhere = createApplicationBrowser(as.issuer, signal, browse, show);
  const scenario: Scenario = {
    name,
    phase,
    issuer: as.issuer,
    clientId: client.client_id,
    redirectUri: isOwnOnPort
      ? loopbackRedirectUri
      : client.redirect_uris?.[0] ?? examinedClient.redirect_uris[0],
    postLogoutRedirectUri: client.post_logout_redirect_uris?.[0] ??
      examinedClient.post_logout_redirect_uris[0],
    api: api.url,
    signal,
    browse,
    async visit(opened) {
      const url = new URL(opened);
      if (!hasVisited) changePage(url);
      hasVisited = true;
      if (otherBrowser.isBeginning) {
        await visitElsewhere(url).catch(() => {});
        otherBrowser.isBeginning = as.requests.authorize.length === 0;
        otherBrowser.isApart ||= !otherBrowser.isBeginning;
      }
      return await visit(url);
    },
    serve: (answer) => void (answerCall = answer),
  };
  return {
    as,
    scenario,
    listSeen: () =>
      orderByArrival([
        ...[...as.requests].map((request) => toSeen(request.raw(), request.endpoint)),
        ...[...api.requests].map((request) => toSeen(request.raw(), "resource")),
      ]),
    findRefused(failed) {
      const own = failed === undefined ? [] : requestsOf[failed](as, api);
      const elsewhere = [...as.requests].toSorted((one, other) =>
        Number(one.endpoint === "page") - Number(other.endpoint === "page")
      );
      return [...own, ...elsewhere].find(({ refusal }) => refusal !== undefined);
    },
    hasReached: (reached) => requestsOf[reached](as, api).some(({ status = 200 }) => status < 400),
    hasTried: (tried) => requestsOf[tried](as, api).length > 0,
    get hasVisited() {
      return hasVisited;
    },
    get hasEscaped() {
      return hasEscaped;
    },
    scenarioOf(username) {
      const browseAlone = browseWith({ browser: as.browser(), username });
      const visitAlone = createApplicationBrowser(as.issuer, signal, browseAlone, show);
      return {
        ...scenario,
        browse: browseAlone,
        async visit(opened) {
          hasVisited = true;
          return await visitAlone(opened);
        },
      };
    },
    changeFirstPage: (change) => void (changePage = change),
    otherBrowser,
    [Symbol.asyncDispose]: () => as.close(),
  };
}

/** Returns the options of a server that forgives the second of two refreshes at the same time: chance decides which it is. */
export function forTwo(options: MockOptions): MockOptions {
  return { ...options, lifetimes: { ...options.lifetimes, refreshGrace: 60 } };
}

/** A browser runs the script of a javascript: URL. That of a misbehaviour only opens the page of another server. */
function findScripted(url: string | URL): string | undefined {
  return /^javascript:location='([^']+)'/.exec(`${url}`)?.[1];
}

/** Clients read the real clock, so no seed freezes it. It never says a time twice, so that requests have an order. */
function createClock(): () => number {
  let last = 0;
  return () => last = Math.max(Date.now() / 1000, last + 1e-6);
}

/** The requests that show a phase. */
const requestsOf: Readonly<Record<Phase, (as: Mock, api: Resource) => readonly RecordedRequest[]>> = {
  login: ({ requests }) => listTokenRequests(requests, "authorization_code"),
  refresh({ requests }) {
    // A test may show that nothing is left of a session.
    const end = Math.min(...[...requests.logout, ...requests.revoke].map(({ at }) => at));
    return listTokenRequests(requests, "refresh_token").filter(({ at }) => at < end);
  },
  // A client without a token asks for the challenge.
  call_api: (_as, { requests }) =>
    [...requests].filter((request) => findHeader(request.raw().request, "authorization") !== undefined),
  logout: ({ requests }) => [...requests.logout, ...requests.revoke],
  register: ({ requests }) => [
    ...requests.register,
    ...requests.filter(({ clientId }) => clientId !== undefined && /^https?:/.test(clientId)),
  ],
};

function listTokenRequests(requests: Mock["requests"], grantType: string): readonly RecordedRequest[] {
  return requests.filter((request) => request.grantType === grantType);
}

// As browsers do.
const mostRedirects = 20;

/** `browse` opens a URL that is not the application's, and resolves to the URL at which the application is called. */
function createApplicationBrowser(
  issuer: string,
  signal: AbortSignal,
  browse: (url: URL) => Promise<URL>,
  show: (html: string) => Promise<void>,
): (url: string | URL) => Promise<Response> {
  const browser = createBrowser();
  return async (url) => {
    let next = new URL(url);
    const { origin } = next;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const isOwn = next.origin === origin && next.origin !== new URL(issuer).origin;
      if (!isOwn) {
        // A browser may send them to that host, and no fetch takes a URL that has them.
        [next.username, next.password] = ["", ""];
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
      if (headers.get("content-type")?.startsWith("text/html")) await show(new TextDecoder().decode(body));
      const location = headers.get("location");
      if (!redirectStatuses.has(status) || location === null) {
        return new Response(mayHaveBody(status) ? body : null, { status, headers });
      }
      next = new URL(location, next);
      if (!/^https?:/.test(next.protocol)) {
        throw new NotCalled(
          `No browser follows the redirect of ${origin} to an address with ${next.protocol}`,
        );
      }
    }
    throw new HarnessError(`${origin} sends the browser from one address to the next again and again`);
  };
}
