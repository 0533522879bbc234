/** A client authentication method: a secret in a header of its own, which needs one of two client members. */

import { assertEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/features/mod.ts";
import type { Feature } from "../../src/oauth/feature.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { createWorld, redirectUri } from "../world.ts";
import type { Toy } from "./toys.ts";

const feature: Feature = {
  name: "toy_header",
  spec: "none",
  clientMembers: [{ name: "toy_vault", schema: { type: "string" } }],
  clientAuth: [{
    name: "client_secret_toy",
    needs: ["client_secret", "toy_vault"],
    read({ request }, form) {
      const secret = request.header("toy-secret");
      return secret === undefined ? [] : [{ clientId: form.get("client_id") ?? "", secret }];
    },
  }],
};

export const authMethodToy: Toy = {
  kind: "an authentication method",
  feature,
  options: {
    clients: [{
      client_id: "toy",
      client_secret: "toy secret",
      token_endpoint_auth_method: "client_secret_toy",
      redirect_uris: [redirectUri],
    }],
  },
  async works(world) {
    const redeem = async (secret: string) => {
      const code = await world.code({ client_id: "toy" });
      return await world.redeem(code, { client_id: "toy" }, { "toy-secret": secret });
    };
    assertEquals((await redeem("another secret")).status, 401);
    assertEquals((await redeem("toy secret")).status, 200);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.token_endpoint_auth_methods_supported.includes("client_secret_toy"), true);

    const client = { client_id: "toy", token_endpoint_auth_method: "client_secret_toy" };
    const create = (changed: object, ...more: readonly Feature[]) =>
      createWorld({
        features: [...defaultFeatures(everyFeature), feature, ...more],
        clients: [{ ...client, redirect_uris: [redirectUri], ...changed }],
      });
    await create({ toy_vault: "the fourth" }).close();
    await assertCannotCreate(
      () => create({}),
      "clients[0].client_secret or toy_vault must be given: client_secret_toy needs it",
    );

    // The endpoints announce the methods, so that no feature can announce others.
    const announcing: Feature = {
      name: "announcing",
      spec: "none",
      metadata: { revocation_endpoint_auth_methods_supported: ["client_secret_toy"] },
    };
    await assertCannotCreate(
      () => create({ client_secret: "x" }, announcing),
      "the feature announcing sets the metadata revocation_endpoint_auth_methods_supported, which is set already",
    );
  },
};
