/** A grant type: a client that names it gets a token for itself. */

import { assertEquals } from "@std/assert";
import type { Feature } from "../../src/oauth/feature.ts";
import { redeemForClient } from "../../src/oauth/tokens/redeem_for_client.ts";
import { basic } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "urn:example:toy-grant";

const feature: Feature = {
  name: "toy_grant",
  spec: "none",
  grantTypes: [{
    name,
    redeem({ exchange, client: { client, method } }, services) {
      const terms = { client, method, scope: "read", resource: [] };
      return Promise.resolve(redeemForClient(terms, exchange, services));
    },
  }],
};

export const grantTypeToy: Toy = {
  kind: "a grant type",
  feature,
  options: { clients: [{ client_id: "toy", client_secret: "toy secret", grant_types: [name] }] },
  async works(world) {
    const response = await world.post("/oauth2/token", { grant_type: name }, basic("toy", "toy secret"));
    assertEquals(response.status, 200);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.grant_types_supported.includes(name), true);
  },
};
