/** Tenants over HTTP: listed, made and removed; and the reset, after which the server itself has none. */

import type { Asked, Reply } from "./route.ts";

export function listTenants({ rooms }: Asked): Reply {
  return { json: { tenants: rooms.names() } };
}

export function showIssuer({ tenant }: Asked): Reply {
  return { json: { issuer: tenant.issuer } };
}

export async function removeTenant({ tenant, rooms, tenantName }: Asked): Promise<Reply> {
  // Whoever asks for it again while the last requests end has another one.
  if (tenantName !== undefined) rooms.forget(tenantName);
  await tenant.close();
}

export function reset({ tenant, room, rooms, tenantName }: Asked): Reply {
  // First of all, so that what is running at a tenant that goes ends as what a reset met.
  tenant.reset();
  (tenantName === undefined ? rooms : room).clear();
}
