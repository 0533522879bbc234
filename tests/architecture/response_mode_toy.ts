/** A response mode: it sends the authorization response in a signed JWT. */

import { assertEquals } from "@std/assert";
import { redirect } from "../../src/http/respond.ts";
import { withQuery } from "../../src/oauth/clients/redirect_uri.ts";
import { signToken } from "../../src/oauth/tokens/sign_token.ts";
import { claimsOf } from "../tokens/bearer.ts";
import type { World } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "toy.jwt";

export const responseModeToy: Toy = {
  kind: "a response mode",
  feature: {
    name: "toy_response_mode",
    spec: "none",
    responseModes: [{
      name,
      async respond({ redirectUri, client }, params, exchange, services) {
        const claims = { ...Object.fromEntries(params), aud: client.id };
        const terms = {
          token: "authorization_response",
          typ: "JWT",
          alg: services.settings.alg,
          claims,
        } as const;
        const response = await signToken(terms, exchange, services);
        return redirect(withQuery(redirectUri, `response=${response}`));
      },
    }],
  },
  options: {
    seams: {
      jwt: (value) =>
        value.token === "authorization_response"
          ? { ...value, claims: { ...value.claims, iss: "https://changed.test" } }
          : value,
    },
  },
  async works(world) {
    const claims = await readResponse(world, {});
    assertEquals([claims["aud"], claims["iss"], typeof claims["code"]], [
      "public",
      "https://changed.test",
      "string",
    ]);
    assertEquals(world.journal.at(-1)?.facts.altered, [{ seam: "jwt", by: "seams.jwt" }]);
    // A refusal is sent in the same way.
    assertEquals((await readResponse(world, { resource: "relative" }))["error"], "invalid_target");
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.response_modes_supported.includes(name), true);
  },
};

/** The claims of the authorization response. */
async function readResponse(world: World, changed: Readonly<Record<string, string>>) {
  const response = await world.authorize({ response_mode: name, ...changed });
  await response.body?.cancel();
  const location = new URL(response.headers.get("location")!);
  return claimsOf(location.searchParams.get("response")!);
}
