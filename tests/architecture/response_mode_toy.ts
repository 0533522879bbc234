/** A response mode: it sends the authorization response in a signed JWT. */

import { assertEquals } from "@std/assert";
import { type SigningAlgorithm, signingAlgorithms } from "../../src/crypto/platform.ts";
import { redirect } from "../../src/http/respond.ts";
import { memberOf } from "../../src/oauth/clients/client_member.ts";
import { withQuery } from "../../src/oauth/clients/redirect_uri.ts";
import type { ClientMember } from "../../src/oauth/feature.ts";
import { signToken } from "../../src/oauth/tokens/sign_token.ts";
import { send } from "../features/registration.ts";
import { claimsOf } from "../tokens/bearer.ts";
import { clients, redirectUri, sampleKey, sampleRsaKey, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "toy.jwt";

const algMember: ClientMember<SigningAlgorithm> = {
  name: "authorization_signed_response_alg",
  schema: { type: "string", enum: signingAlgorithms },
  isSigningAlgorithm: true,
};

export const responseModeToy: Toy = {
  kind: "a response mode",
  feature: {
    name: "toy_response_mode",
    spec: "none",
    clientMembers: [algMember],
    metadata: { authorization_signing_alg_values_supported: ({ settings }) => settings.algorithms },
    responseModes: [{
      name,
      async respond({ redirectUri, client }, params, exchange, services) {
        const claims = { ...Object.fromEntries(params), aud: client.id };
        const terms = {
          token: "authorization_response",
          typ: "JWT",
          alg: memberOf(client, algMember) ?? services.settings.alg,
          claims,
        } as const;
        const response = await signToken(terms, exchange, services);
        return redirect(withQuery(redirectUri, `response=${response}`));
      },
    }],
  },
  options: {
    registration: true,
    signingKeys: [sampleKey, sampleRsaKey],
    clients: [...clients, {
      client_id: "rsa",
      redirect_uris: [redirectUri],
      ...{ [algMember.name]: "RS256" },
    }],
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
    assertEquals(metadata.authorization_signing_alg_values_supported, ["ES256", "RS256"]);
    const text = await responseOf(world, { client_id: "rsa" });
    assertEquals(JSON.parse(atob(text.split(".")[0]!)).alg, "RS256");
    // A client that registers itself chooses from the algorithms of the server.
    const { body } = await send(world, "POST", "/connect/register", {
      body: {
        redirect_uris: ["https://app.test/cb"],
        authorization_signing_alg_values_supported: ["PS256", "RS256"],
      },
    });
    assertEquals(body[algMember.name], "RS256");
  },
};

/** The claims of the authorization response. */
async function readResponse(world: World, changed: Readonly<Record<string, string>>) {
  return claimsOf(await responseOf(world, changed));
}

async function responseOf(world: World, changed: Readonly<Record<string, string>>): Promise<string> {
  const response = await world.authorize({ response_mode: name, ...changed });
  await response.body?.cancel();
  const location = new URL(response.headers.get("location")!);
  return location.searchParams.get("response")!;
}
