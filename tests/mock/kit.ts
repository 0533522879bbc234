/** A tenant without a mock, and its context: for tests of its parts. */

import type { TenantContext } from "../../src/mock/client/tenant_context.ts";
import { createTenant } from "../../src/mock/create_tenant.ts";
import type { MockOptions } from "../../src/mock/mod.ts";
import { createFetch } from "../../src/mock/network/fetch.ts";
import { createResources } from "../../src/mock/resources/resources.ts";
import { recordsInMemory } from "../../src/mock/server/records.ts";
import type { Tenant } from "../../src/mock/tenant.ts";

export const issuer = "https://as.test";

export interface Kit {
  readonly tenant: Tenant;
  readonly context: TenantContext;
  readonly fetch: Tenant["fetch"];
}

export function startKit(options: MockOptions = {}): Kit {
  const resources = createResources({
    issuerOrigin: () => issuer,
    otherOrigins: [],
    findServer: (url) => url === issuer ? context : undefined,
    findServed: () => undefined,
    requireFree: () => {},
  });
  const { fetch } = createFetch({
    origins: () => [issuer],
    answer: (request) => context.answer(request),
    apis: resources,
    fetchOther: () => Promise.reject(new Error("nothing is elsewhere")),
  });
  const { tenant, context } = createTenant({
    records: recordsInMemory,
    options: { alg: "ES256", ...options },
    name: "",
    issuer: () => issuer,
    fetch,
    resources,
    frame: () => undefined,
  });
  return { tenant, context, fetch };
}
