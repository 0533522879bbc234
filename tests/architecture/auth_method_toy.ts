/** A client authentication method: the client's secret comes in a header of its own. */

import { assertEquals } from "@std/assert";
import { redirectUri } from "../world.ts";
import type { Toy } from "./toys.ts";

export const authMethodToy: Toy = {
  kind: "an authentication method",
  feature: {
    name: "toy_header",
    spec: "none",
    clientAuth: [{
      name: "client_secret_toy",
      read({ request }, form) {
        const secret = request.header("toy-secret");
        return secret === undefined ? [] : [{ clientId: form.get("client_id") ?? "", secret }];
      },
    }],
  },
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
  },
};
