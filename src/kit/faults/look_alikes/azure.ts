/** What Azure Resource Manager lists: the tenant, and the subscription that the tools of Azure choose at a login. */

import { describesErrors, guidFor } from "./differences.ts";
import { type Difference, pagesOf, type ProviderEndpoint } from "./look_alike.ts";

const page = pagesOf("https://learn.microsoft.com/en-us/rest/api/");
const tenants = page("Tenants, List", "resources/tenants/list");
const subscriptions = page("Subscriptions, List", "resources/subscriptions/list");
const errors = page("Common error codes", "searchservice/http-status-codes#common-error-codes");

const resource = "https://management.azure.com";

// The tools of Azure name the older host, whose address ends with a slash.
const scopes = [resource, "https://management.core.windows.net"].flatMap((each) =>
  ["/.default", "//.default", "/user_impersonation", "//user_impersonation"].map((name) => each + name)
);

export function listEndpointsOfAzure(tenantId: string): readonly ProviderEndpoint[] {
  const subscriptionId = guidFor(`subscription of ${tenantId}`);
  return ([
    ["tenants", tenants, {
      ...{ id: `/tenants/${tenantId}`, tenantId, displayName: "Postern", tenantCategory: "Home" },
      ...{ defaultDomain: "postern.onmicrosoft.com", domains: ["postern.onmicrosoft.com"] },
    }],
    ["subscriptions", subscriptions, {
      ...{ id: `/subscriptions/${subscriptionId}`, subscriptionId, tenantId, displayName: "Postern" },
      ...{ state: "Enabled", authorizationSource: "RoleBased", managedByTenants: [] },
      subscriptionPolicies: { spendingLimit: "Off", quotaId: "PayAsYouGo_2014-09-01" },
    }],
  ] as const).map(([name, source, item]) => ({
    ...{ url: `${resource}/${name}`, is: "userinfo", source, scopes },
    lists: () => ({ value: [item] }),
  }));
}

const codes: Readonly<Record<number, string>> = {
  401: "InvalidAuthenticationToken",
  403: "AuthorizationFailed",
  501: "NotImplemented",
};

export const azureErrors: Difference = describesErrors(
  errors,
  /^https:\/\/management\.azure\.com\//,
  (message, status) => ({ error: { code: codes[status] ?? "BadRequest", message } }),
);
