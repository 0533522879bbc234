/** The routes of the server and its tenants: list, create, remove and reset, and the variables of an application. */

import type { Schema } from "../../ground/schema/schema.ts";
import { documentPath } from "../guard/control_paths.ts";
import { type ControlRoute, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import { raw } from "./schemas.ts";
import { present } from "../../ground/values/present.ts";

export const server: Schema = schema.openObject({
  issuer: schema.text("The issuer of this server or tenant."),
  openapi: schema.text("The path of the OpenAPI document."),
}, { required: ["issuer"] });

export const tenantRoutes: readonly ControlRoute[] = [
  route("GET /", "showServer", {
    summary:
      "Returns the issuer, and the path of the OpenAPI document. A browser gets a page of all calls instead.",
    answer: server,
    handle: ({ tenant: { issuer }, tenantName }) => ({
      issuer,
      ...present({ openapi: tenantName === undefined ? documentPath : undefined }),
    }),
  }),
  route("GET /tenants", "listTenants", {
    only: "server",
    summary: "Lists the names of the tenants.",
    answer: schema.listOf("tenants", schema.text(), "The names of the tenants."),
    handle: ({ tenants }) => ({ tenants: tenants.names() }),
  }),
  route("POST /", "createTenant", {
    only: "tenant",
    summary:
      "Creates the tenant. Any other POST below the path of a missing tenant also creates the tenant. A refused POST creates no tenant.",
    answer: server,
    handle: ({ tenant }) => ({ issuer: tenant.issuer }),
  }),
  route("DELETE /", "removeTenant", {
    only: "tenant",
    summary:
      "Closes the tenant and releases its gates. A later POST creates a new tenant with this name, without the records of the old one.",
    async handle({ tenant, tenants, tenantName }) {
      // Frees the name before close() waits for running requests, so that a POST during the wait creates a new tenant.
      if (tenantName !== undefined) tenants.forget(tenantName);
      // With --store, closing alone would keep the records.
      tenant.reset();
      await tenant.close();
    },
  }),
  route("POST /reset", "reset", {
    summary:
      "Restores the initial state of records, people, clients, clock, journal, hooks, gates, misbehaviours and look-alikes, and removes client documents and " +
      "APIs. A reset of the server itself also removes its tenants. With --store, a reset deletes the records in the store, and keeps " +
      "the signing keys. With --people, it keeps the people of the server. A request of another program that it cuts short gets 503 with Retry-After.",
    handle({ tenant, tenants, tenantName }) {
      // The reset of the server itself includes its tenants. Their running requests fail with the error of a reset, because
      // clear() closes the tenants only after the reset.
      tenant.reset();
      tenants.clear(tenantName);
    },
  }),
];

export const environmentRoutes: readonly ControlRoute[] = [
  route("GET /env", "describeEnvironment", {
    summary: "Returns the environment variables that configure an application for this server.",
    query: schema.closedObject({
      client: schema.text("The client id. Default: the first suitable client."),
      raw,
    }),
    answer: {
      ...schema.openObject({ OAUTH_ISSUER: schema.text(), OAUTH_CLIENT_ID: schema.text() }),
      additionalProperties: schema.text(),
    },
    handle({ tenant, query: { client, raw = false } }) {
      const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
      return { ...others, ...present({ OAUTH_CLIENT_SECRET: raw ? secret : undefined }) };
    },
  }),
];
