/** A mock: an authorization server inside somebody's test, with as many tenants as the test wants. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { paths } from "../oauth/paths.ts";
import { describeValue } from "../schema/received.ts";
import { createFetch } from "./network/fetch.ts";
import { interceptFetch } from "./network/intercept.ts";
import type { Listening, ListenTerms } from "./network/listening.ts";
import { isTestKey } from "./server/test_keys.ts";
import { createTenant, type Tenant, type TenantInside } from "./tenant.ts";
import { requireKnownTerms, termsOf } from "./terms/known_terms.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

/** A mock: the tenant that it is itself, and what it does for all of them. */
export interface Mock extends Tenant {
  /** Every tenant's answers in plain values: for whoever brings a socket of their own. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Puts the mock under the global `fetch`, for its own origin only, until it is disposed of. */
  intercept(): Disposable;
  /**
   * Opens a port. The issuer is what is listened on from then on, unless one was given. A client may send a request
   * again by itself when its connection is cut: with `drop` over a port, count on that.
   */
  listen(terms?: ListenTerms): Promise<Listening>;
  /** Another server at the same place, below a path of its own: nothing is shared but the kit's signing keys. */
  tenant(name: string, options?: Omit<MockOptions, "issuer">): Tenant;
}

const usualIssuer = "https://as.test";
const listenTerms = termsOf<ListenTerms>({ port: true, host: true, tls: true });

/** An authorization server inside a test: no port, nothing to generate, nothing to configure. */
// deno-lint-ignore require-await -- what is wrong with the options is a rejection, like all that comes later
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options);
}

function assembleMock(options: MockOptions): Mock {
  requireMockOptions("create mock", options);
  let issuer = options.issuer ?? usualIssuer;
  const tenants = new Map<string, TenantInside>();
  // What stands open besides the tenants.
  const interceptions = new Set<Disposable>();
  const ports = new Set<Listening>();
  let opening: Promise<Listening> | undefined;
  let closing: Promise<void> | undefined;
  const { fetch: serving, letGo } = createFetch({
    origin: () => place.origin,
    answer,
    elsewhere: (request) => (options.fetch ?? globalThis.fetch)(request),
  });
  const root = createTenant({ options, name: "", issuer: () => issuer, fetch: serving });
  // Parsed once, for every request asks for it; and only now, for the tenant says what is wrong with an issuer.
  let place = readPlace(issuer);
  const { requireOpen } = root.context;

  async function answer(request: IncomingRequest): Promise<Answer> {
    return await tenantAt(request.address.path).context.answer(request);
  }

  /** RFC 8414 §3.1: a well-known path stands before the issuer's own. */
  function tenantAt(path: string): TenantInside {
    const { basePath } = place;
    const below = path.replace(/^\/\.well-known\/[^/]*/, "");
    const [, name = ""] = below.startsWith(`${basePath}/`) ? below.slice(basePath.length).split("/") : [];
    const tenant = tenants.get(name);
    return tenant === undefined || tenant.isClosed ? root : tenant;
  }

  /** Whose authorization URL this is; what is nobody's is refused by the mock itself. */
  function tenantOf(url: string | URL): Tenant {
    const said = URL.canParse(`${url}`) ? new URL(url) : undefined;
    return (said?.origin === place.origin ? tenantAt(said.pathname) : root).tenant;
  }

  function move(next: string): void {
    const before = issuer;
    issuer = next;
    place = readPlace(next);
    try {
      for (const each of [root, ...tenants.values()]) if (!each.isClosed) each.moved();
    } catch (cause) {
      move(before);
      throw new TypeError(
        `Cannot listen at ${next}, which would be the issuer: give createMock({ issuer })`,
        {
          cause,
        },
      );
    }
  }

  function intercept(): Disposable {
    requireOpen();
    if (opening !== undefined) {
      throw new Error("Cannot intercept while listen() moves the issuer: await it first");
    }
    const interception = interceptFetch({ origin: place.origin, fetch: serving });
    const held: Disposable = {
      [Symbol.dispose]() {
        interceptions.delete(held);
        interception[Symbol.dispose]();
      },
    };
    interceptions.add(held);
    return held;
  }

  async function listen(terms: ListenTerms = {}): Promise<Listening> {
    requireOpen();
    requireKnownTerms("listen", terms, listenTerms);
    if (options.issuer !== undefined) return await open(terms);
    requireUnmoved();
    opening = open(terms, true).finally(() => opening = undefined);
    return await opening;
  }

  function requireUnmoved(): void {
    const [before] = ports;
    if (before !== undefined || opening !== undefined) {
      throw new Error(`This mock listens at ${before?.origin ?? "another port"} already: close that first`);
    }
    if (interceptions.size === 0) return;
    throw new Error(
      `The issuer would move away from ${issuer}, which is intercepted: listen first, or give createMock({ issuer })`,
    );
  }

  async function open(terms: ListenTerms, moves = false): Promise<Listening> {
    const { openPort } = await import("./network/listening.ts");
    const opened = await openPort(terms, answer, options.signingKeys?.some(isTestKey) ?? true);
    try {
      requireOpen();
      if (moves) move(opened.origin);
    } catch (error) {
      await opened.close();
      throw error;
    }
    const close = async () => {
      ports.delete(held);
      await opened.close();
    };
    const held: Listening = { ...opened, close, [Symbol.asyncDispose]: close };
    ports.add(held);
    return held;
  }

  function tenant(name: string, changes: Omit<MockOptions, "issuer"> = {}): Tenant {
    requireOpen();
    requireTenantName(name);
    requireMockOptions(`create tenant ${name}`, changes, {
      issuer: "a tenant's is the mock's, with its own name after it",
    });
    const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const known = tenants.get(name);
    if (known !== undefined && !known.isClosed) {
      if (Object.keys(said).length === 0) return known.tenant;
      throw new TypeError(`The tenant ${name} is there already: give its options when you first ask for it`);
    }
    const made: TenantInside = createTenant({
      options: { ...options, ...said },
      name,
      issuer: () => `${issuer.replace(/\/$/, "")}/${name}`,
      fetch: serving,
      ended: () => {
        // By then another may have its name.
        if (tenants.get(name) === made) tenants.delete(name);
      },
    });
    tenants.set(name, made);
    return made.tenant;
  }

  const authorize: Tenant["authorize"] = (url, terms) => tenantOf(url).authorize(url, terms);
  const authorizeForm: Tenant["authorizeForm"] = (url, terms) => tenantOf(url).authorizeForm(url, terms);

  function reset(): void {
    requireOpen();
    for (const each of [root, ...tenants.values()]) if (!each.isClosed) each.tenant.reset();
  }

  function close(): Promise<void> {
    return closing ??= closeAll();
  }

  async function closeAll(): Promise<void> {
    const all = [...tenants.values(), root];
    // First of all whoever waits at a gate goes on: a port waits for its last answers.
    for (const { stop } of all) stop();
    for (const each of interceptions) each[Symbol.dispose]();
    await opening?.catch(() => {});
    await Promise.all([...ports].map((port) => port.close()));
    try {
      await Promise.all(all.map((each) => each.tenant.close()));
    } finally {
      letGo();
    }
  }

  // Getters stay getters: the issuer changes when the mock begins to listen.
  const mock = Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(root.tenant),
    ...Object.getOwnPropertyDescriptors({ answer, authorize, authorizeForm, intercept, listen }),
    ...Object.getOwnPropertyDescriptors({ tenant, reset, close }),
    [Symbol.asyncDispose]: { value: close },
  });
  return mock as Mock;
}

interface Place {
  readonly origin: string;
  /** Without a slash in the end. */
  readonly basePath: string;
}

function readPlace(issuer: string): Place {
  const { origin, pathname } = new URL(issuer);
  return { origin, basePath: pathname.replace(/\/$/, "") };
}

// What the root tenant has at its own addresses.
const taken: ReadonlySet<string> = new Set(
  Object.values(paths).map((path) => path.split("/")[1]!).concat("static", "_postern"),
);

function requireTenantName(name: string): void {
  if (typeof name === "string" && /^[a-z0-9][a-z0-9_-]*$/i.test(name) && !taken.has(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${
      describeValue(name)
    }: expected text of letters, digits, - and _, and none of ` +
      [...taken].filter((each) => each !== "").join(", "),
  );
}
