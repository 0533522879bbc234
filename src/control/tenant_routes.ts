/** Tenants over HTTP: list, make, remove and reset. */

import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { listOf, open } from "./schemas.ts";

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
    summary: "The names of the tenants.",
    schema: { answer: { schema: listOf("tenants", text) } },
    handle: listTenants,
  }),
  route({
    method: "POST",
    path: "",
    only: "tenant",
    name: "makeTenant",
    summary: "Makes the tenant, as every other POST below it does unless it is refused.",
    schema: { answer: { schema: server } },
    handle: showIssuer,
  }),
  route({
    method: "DELETE",
    path: "",
    only: "tenant",
    name: "removeTenant",
    summary: "Ends the tenant and releases its gates. A later POST makes a new tenant of this name.",
    schema: {},
    handle: removeTenant,
  }),
  route({
    method: "POST",
    path: "/reset",
    name: "reset",
    summary:
      "Restores the first state: records, people, clients, clock, journal, hooks and gates. At the server itself it also removes the tenants.",
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
  // Forgotten first: a call that names it while its last requests end gets a new tenant.
  if (tenantName !== undefined) tenants.forget(tenantName);
  await tenant.close();
}

function reset({ tenant, tenants, tenantName }: Call): Reply {
  // Before the tenants are closed, so that their running requests end with the error of a reset.
  tenant.reset();
  tenants.clear(tenantName);
}
