/** A connection that authenticates a client: the client is at one address, and a secret in a header counts for nothing. */

import { assertEquals, assertThrows } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/features/mod.ts";
import { memberOf } from "../../src/oauth/clients/client_member.ts";
import type { ClientMember, Feature } from "../../src/oauth/feature.ts";
import { advices, refusals } from "../../src/oauth/refusals.ts";
import { createWorld, redirectUri, verifier } from "../world.ts";
import type { Toy } from "./toys.ts";

const refusal = refusals({
  toy_peer_differs: {
    error: "invalid_client",
    sentence: "The request does not come from the address of the client",
    change: "Send the request from the address of the client.",
  },
});

const advice = advices({
  toy_header_ignored: {
    sentence: "The header toy-secret has no effect",
    change: "Leave the header out.",
  },
});

const addressMember: ClientMember<string> = { name: "toy_address", schema: { type: "string" } };

const feature: Feature = {
  name: "toy_connection",
  spec: "none",
  clientMembers: [addressMember],
  clientAuth: [{
    name: "toy_peer",
    needs: [addressMember.name],
    read: () => [],
    proveConnection: (client, { request: { peer } }) =>
      Promise.resolve(peer === memberOf(client, addressMember) ? undefined : refusal("toy_peer_differs")),
  }],
  clientAuthOptions: { toy_port: "toyPorts" },
  notesRequest(exchange) {
    if (exchange.request.header("toy-secret") !== undefined) {
      exchange.note({ advice: advice("toy_header_ignored") });
    }
    return undefined;
  },
};

const client = {
  client_id: "toy",
  token_endpoint_auth_method: "toy_peer",
  toy_address: "127.0.0.9",
  redirect_uris: [redirectUri],
};

export const connectionMethodToy: Toy = {
  kind: "a connection that authenticates a client",
  feature,
  options: { clients: [client] },
  async works(world) {
    const code = await world.code({ client_id: "toy" });
    const redeem = async (peer: string) => {
      const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: "toy" };
      const response = await world.fetch(
        new Request(`${world.issuer}/oauth2/token`, {
          method: "POST",
          headers: { "toy-secret": "x" },
          body: new URLSearchParams({ ...form, code_verifier: verifier }),
        }),
        { peer },
      );
      await response.body?.cancel();
      return [response.status, world.lastRefusal()?.reason, world.journal.at(-1)?.facts.advice?.reason];
    };
    assertEquals(await redeem("127.0.0.8"), [401, "toy_peer_differs", "toy_header_ignored"]);
    assertEquals(await redeem("127.0.0.9"), [200, undefined, "toy_header_ignored"]);

    const create = (method: string) =>
      createWorld({
        features: [...defaultFeatures(everyFeature), feature],
        clients: [{ ...client, token_endpoint_auth_method: method }],
      });
    assertThrows(() => create("toy_port"), TypeError, "toy_peer (or set the option toyPorts)");
  },
};
