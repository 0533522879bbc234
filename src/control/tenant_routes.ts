/** Tenants over HTTP: listed, made and removed; and the reset, after which the server itself has none. */

import type { Schema } from "../schema/schema.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { listOf, open, text } from "./schemas.ts";

export const server: Schema = open({ issuer: text });

export const tenantRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "",
    name: "showServer",
    summary: "The issuer.",
    schema: { answer: { schema: server } },
    handle: showIssuer,
  }),
  route({
    method: "GET",
    path: "/tenants",
    only: "server",
    name: "listTenants",
    summary: "The names of the tenants that were made here.",
    schema: { answer: { schema: listOf("tenants", text) } },
    handle: listTenants,
  }),
  route({
    method: "POST",
    path: "",
    only: "tenant",
    name: "makeTenant",
    summary: "Makes a tenant that is not there, as every other POST below it does, unless it is refused.",
    schema: { answer: { schema: server } },
    handle: showIssuer,
  }),
  route({
    method: "DELETE",
    path: "",
    only: "tenant",
    name: "removeTenant",
    summary:
      "Lets go whoever waits at the tenant's gates, and forgets it: the next of this name is a new one.",
    schema: {},
    handle: removeTenant,
  }),
  route({
    method: "POST",
    path: "/reset",
    name: "reset",
    summary:
      "Everything is as it was at the start: records, people, clients, clock, journal, hooks and gates; at the server itself its tenants are gone, too.",
    schema: {},
    handle: reset,
  }),
];

function listTenants({ tenants }: Call): Reply {
  return { json: { tenants: tenants.names() } };
}

function showIssuer({ tenant }: Call): Reply {
  return { json: { issuer: tenant.issuer } };
}

async function removeTenant({ tenant, tenants, tenantName }: Call): Promise<Reply> {
  // Whoever asks for it again while the last requests end has another one.
  if (tenantName !== undefined) tenants.forget(tenantName);
  await tenant.close();
}

function reset({ tenant, tenants, tenantName }: Call): Reply {
  // First of all, so that what is running at a tenant that goes ends as what a reset met.
  tenant.reset();
  tenants.clear(tenantName);
}
