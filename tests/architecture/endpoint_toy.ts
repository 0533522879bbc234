/** Adds endpoints for several methods at a path that ends in a variable. */

import { assertEquals } from "@std/assert";
import { empty, json } from "../../src/http/respond.ts";
import type { Endpoint } from "../../src/oauth/feature.ts";
import type { Toy } from "./toys.ts";

const one: Pick<Endpoint, "path" | "refusal" | "cors"> = {
  path: "/toys/{toy_id}",
  refusal: "json",
  cors: true,
};

export const endpointToy: Toy = {
  kind: "an endpoint with any method and a path variable",
  feature: {
    name: "toy_endpoint",
    spec: "none",
    endpoints: [
      {
        method: "POST",
        path: "/toys",
        metadataName: "toys_endpoint",
        refusal: "json",
        handle: () => json({ toy_id: "a b" }, { status: 201 }),
      },
      {
        ...one,
        method: "GET",
        metadataName: "toys_endpoint",
        handle: (_exchange, _services, id) => json({ id }),
      },
      {
        ...one,
        method: "PUT",
        handle: async (exchange, _services, id) => json({ id, body: await exchange.body() }),
      },
      { ...one, method: "DELETE", handle: () => empty(204) },
    ],
  },
  async works(world) {
    const request = async (method: string, path: string, body?: string) =>
      await world.fetch(
        new Request(world.issuer + path, { method, ...(body === undefined ? {} : { body }) }),
      );
    assertEquals(await (await request("GET", "/toys/a%20b")).json(), { id: "a b" });
    assertEquals(await (await request("PUT", "/toys/x", "new")).json(), { id: "x", body: "new" });
    assertEquals((await request("DELETE", "/toys/x")).status, 204);
    assertEquals((await request("HEAD", "/toys/x")).status, 200);
    const preflight = await request("OPTIONS", "/toys/x");
    const wrongMethod = await request("PATCH", "/toys/x");
    assertEquals([preflight.status, wrongMethod.status], [204, 405]);
    assertEquals(
      [preflight.headers.get("access-control-allow-methods"), wrongMethod.headers.get("allow")],
      ["GET, PUT, DELETE, HEAD", "GET, PUT, DELETE, HEAD"],
    );
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.toys_endpoint, `${world.issuer}/toys`);
  },
};
