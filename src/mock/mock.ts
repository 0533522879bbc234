/** A mock: an authorization server inside a test, with as many tenants as the test needs. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { createFetch, type ServingFetch } from "./network/fetch.ts";
import { createInterceptions, type Interceptions } from "./network/interceptions.ts";
import type { Listening, ListenTerms } from "./network/listening.ts";
import { createMovableIssuer, type MovableIssuer } from "./network/movable_issuer.ts";
import { createPorts, type Ports } from "./network/ports.ts";
import { isTestKey } from "./server/test_keys.ts";
import type { Tenant } from "./tenant.ts";
import { createTenants, type Tenants } from "./tenants.ts";
import { requireKnownTerms, termsOf } from "./terms/known_terms.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

/** A mock is a tenant itself, and reaches all of its tenants. */
export interface Mock extends Tenant {
  /** Answers a request to any tenant in plain values: for a socket of your own. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Intercepts the global `fetch` for requests to the mock's origin, until it is disposed of. */
  intercept(): Disposable;
  /**
   * Opens a port. The issuer moves there, unless an issuer was given. Some clients repeat a request by themselves
   * when its connection is cut: expect that if you use `drop` over a port.
   */
  listen(terms?: ListenTerms): Promise<Listening>;
  /** Another authorization server below a path of its own. It shares only the kit's signing keys with the mock. */
  tenant(name: string, options?: Omit<MockOptions, "issuer">): Tenant;
}

const usualIssuer = "https://as.test";
const listenTerms = termsOf<ListenTerms>({ port: true, host: true, tls: true });

/** An authorization server inside a test: without a port, and without any configuration. */
// deno-lint-ignore require-await -- wrong options reject, like everything that follows
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options);
}

/** What a mock is made of. */
interface Parts {
  readonly options: MockOptions;
  readonly issuer: MovableIssuer;
  readonly answer: Mock["answer"];
  readonly fetching: ServingFetch;
  readonly tenants: Tenants;
  readonly ports: Ports;
  readonly interceptions: Interceptions;
}

function assembleMock(options: MockOptions): Mock {
  requireMockOptions("create mock", options);
  const parts = createParts(options);
  // Getters stay getters: the issuer changes when the mock begins to listen.
  return Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(parts.tenants.root.tenant),
    ...Object.getOwnPropertyDescriptors(createCalls(parts)),
  }) as Mock;
}

function createParts(options: MockOptions): Parts {
  const issuer = createMovableIssuer(options.issuer ?? usualIssuer);
  const answer = async (request: IncomingRequest) =>
    await tenants.at(request.address.path).context.answer(request);
  const fetching = createFetch({
    origin: () => issuer.origin,
    answer,
    fetchOther: (request) => (options.fetch ?? globalThis.fetch)(request),
  });
  const tenants = createTenants({ options, issuer, fetch: fetching.fetch });
  const ports = createPorts({
    answer,
    signsWithTestKeys: options.signingKeys?.some(isTestKey) ?? true,
    requireOpen: tenants.root.context.requireOpen,
  });
  return { options, issuer, answer, fetching, tenants, ports, interceptions: createInterceptions() };
}

/** What a mock does beyond a tenant, or for all of its tenants. */
type MockCalls =
  & Omit<Mock, keyof Tenant>
  & Pick<Tenant, "authorize" | "authorizeForm" | "reset" | "close" | typeof Symbol.asyncDispose>;

function createCalls(parts: Parts): MockCalls {
  const { answer, tenants } = parts;
  const { requireOpen } = tenants.root.context;
  let closing: Promise<void> | undefined;
  const close = () => closing ??= closeAll(parts);
  return {
    answer,
    authorize: (url, terms) => tenantOf(url, parts).authorize(url, terms),
    authorizeForm: (url, terms) => tenantOf(url, parts).authorizeForm(url, terms),
    intercept() {
      requireOpen();
      return intercept(parts);
    },
    async listen(terms = {}) {
      requireOpen();
      requireKnownTerms("listen", terms, listenTerms);
      return await listen(terms, parts);
    },
    tenant(name, options = {}) {
      requireOpen();
      return tenants.obtain(name, options);
    },
    reset() {
      requireOpen();
      for (const { tenant } of tenants.open) tenant.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A URL that belongs to no tenant is refused by the mock itself. */
function tenantOf(url: string | URL, { issuer, tenants }: Parts): Tenant {
  const parsed = URL.canParse(`${url}`) ? new URL(url) : undefined;
  const found = parsed?.origin === issuer.origin ? tenants.at(parsed.pathname) : tenants.root;
  return found.tenant;
}

function intercept({ issuer, fetching: { fetch }, ports, interceptions }: Parts): Disposable {
  if (ports.areMoving) throw new Error("Cannot intercept while listen() moves the issuer: await it first");
  return interceptions.start({ origin: issuer.origin, fetch });
}

async function listen(terms: ListenTerms, parts: Parts): Promise<Listening> {
  const { options, issuer, ports, interceptions } = parts;
  if (options.issuer !== undefined) return await ports.open(terms);
  ports.requireNone();
  if (interceptions.areActive) {
    throw new Error(
      `The issuer would move away from ${issuer.url}, which is intercepted: listen first, or give ` +
        "createMock({ issuer })",
    );
  }
  return await ports.open(terms, (origin) => moveTo(origin, parts));
}

/** Nothing moves if the options of a tenant do not fit the new issuer. */
function moveTo(next: string, parts: Parts): void {
  const { issuer, tenants } = parts;
  const before = issuer.url;
  issuer.moveTo(next);
  try {
    for (const { rebuild } of tenants.open) rebuild();
  } catch (cause) {
    moveTo(before, parts);
    throw new TypeError(
      `Cannot listen at ${next}, which would be the issuer: give createMock({ issuer })`,
      { cause },
    );
  }
}

async function closeAll({ fetching, tenants, ports, interceptions }: Parts): Promise<void> {
  const { all } = tenants;
  // Ports wait for their last answers, so gates and delays end first.
  for (const { stop } of all) stop();
  interceptions.end();
  await ports.close();
  try {
    await Promise.all(all.map(({ tenant }) => tenant.close()));
  } finally {
    fetching.releaseProcess();
  }
}
