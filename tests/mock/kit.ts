/** A tenant without a mock around it: what the tests of its parts look into. */

import { createFetch } from "../../src/mock/network/fetch.ts";
import type { Kernel } from "../../src/mock/client/tenant_context.ts";
import type { MockOptions } from "../../src/mock/mod.ts";
import { createTenant, type Tenant } from "../../src/mock/tenant.ts";

export const issuer = "https://as.test";

export interface Kit {
  readonly tenant: Tenant;
  readonly kernel: Kernel;
  readonly fetch: Tenant["fetch"];
}

export function startKit(options: MockOptions = {}): Kit {
  const { fetch } = createFetch({
    origin: () => issuer,
    answer: (request) => kernel.answer(request),
    elsewhere: () => Promise.reject(new Error("nothing is elsewhere")),
  });
  const { tenant, kernel } = createTenant({
    options: { alg: "ES256", ...options },
    name: "",
    issuer: () => issuer,
    fetch,
  });
  return { tenant, kernel, fetch };
}
