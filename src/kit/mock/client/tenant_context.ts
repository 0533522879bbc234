/** The tenant whose call is made. */
export type { RunningTenant as TenantContext } from "../running_tenant.ts";
