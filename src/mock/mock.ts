/** A mock: an authorization server inside somebody's test, with as many tenants as the test wants. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { paths } from "../oauth/paths.ts";
import { createFetch } from "./fetch.ts";
import { interceptFetch } from "./intercept.ts";
import { listen, type Listening, type ListenTerms } from "./listening.ts";
import { createTenant, type MockOptions, type Tenant, type TenantInside } from "./tenant.ts";
import { isTestKey } from "./test_keys.ts";

export interface Mock extends Tenant {
  /** Every tenant's answers in plain values: for whoever brings a socket of their own. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Puts the mock under the global `fetch`, for its own origin only, until it is disposed of. */
  intercept(): Disposable;
  /** Opens a port. The issuer is what is listened on from then on, unless one was given. */
  listen(terms?: ListenTerms): Promise<Listening>;
  /** Another server at the same place, below a path of its own, that shares nothing with this one. */
  tenant(name: string, options?: Omit<MockOptions, "issuer">): Tenant;
}

const usualIssuer = "https://as.test";

/** An authorization server inside a test: no port, nothing to generate, nothing to configure. */
// deno-lint-ignore require-await -- what is wrong with the options is a rejection, like all that comes later
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options);
}

function assembleMock(options: MockOptions): Mock {
  let issuer = options.issuer ?? usualIssuer;
  const tenants = new Map<string, TenantInside>();
  // What stands open besides the tenants, the latest last.
  const open: (Disposable | AsyncDisposable)[] = [];
  const serving = createFetch({
    origin: () => new URL(issuer).origin,
    answer,
    elsewhere: (request) => (options.fetch ?? globalThis.fetch)(request),
  });
  const root = createTenant({ options, issuer: () => issuer, fetch: serving });

  async function answer(request: IncomingRequest): Promise<Answer> {
    return await tenantAt(request.address.path).kernel.answer(request);
  }

  /** RFC 8414 §3.1: a well-known path stands before the issuer's own. */
  function tenantAt(path: string): TenantInside {
    const base = new URL(issuer).pathname.replace(/\/$/, "");
    const below = path.startsWith("/.well-known/")
      ? path.replace(/^\/\.well-known\/[^/]*/, "").slice(base.length)
      : path.slice(base.length);
    return tenants.get(below.split("/")[1] ?? "") ?? root;
  }

  function move(next: string): void {
    issuer = next;
    for (const { moved } of [root, ...tenants.values()]) moved();
  }

  const more = {
    answer,
    intercept(): Disposable {
      root.kernel.requireOpen();
      const { origin } = new URL(issuer);
      const interception = interceptFetch({
        origin,
        serves: (url) => url.origin === new URL(issuer).origin,
        fetch: serving,
      });
      open.push(interception);
      return interception;
    },
    async listen(terms: ListenTerms = {}): Promise<Listening> {
      root.kernel.requireOpen();
      const listening = await listen(terms, answer, options.signingKeys?.some(isTestKey) ?? true);
      open.push(listening);
      if (options.issuer === undefined) move(listening.origin);
      return listening;
    },
    tenant(name: string, changes: Omit<MockOptions, "issuer"> = {}): Tenant {
      root.kernel.requireOpen();
      requireTenantName(name);
      const known = tenants.get(name);
      if (known !== undefined) {
        if (Object.keys(changes).length === 0) return known.tenant;
        throw new TypeError(
          `The tenant ${name} is there already: give its options when you first ask for it`,
        );
      }
      const made = createTenant({
        options: { ...options, ...changes },
        issuer: () => `${issuer.replace(/\/$/, "")}/${name}`,
        fetch: serving,
      });
      tenants.set(name, made);
      return made.tenant;
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    for (const each of open.splice(0).reverse()) {
      if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
      else each[Symbol.dispose]();
    }
    for (const { tenant } of [...tenants.values(), root]) await tenant.close();
  }

  // Getters stay getters: the issuer changes when the mock begins to listen.
  const mock = Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(root.tenant),
    ...Object.getOwnPropertyDescriptors(more),
  });
  return mock as Mock;
}

// What the root tenant has at its own addresses.
const taken: ReadonlySet<string> = new Set(
  Object.values(paths).map((path) => path.split("/")[1]!).concat("static", "_postern"),
);

function requireTenantName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]*$/i.test(name) && !taken.has(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${JSON.stringify(name)}: expected letters, digits, - and _, and none of ` +
      [...taken].filter((each) => each !== "").join(", "),
  );
}
