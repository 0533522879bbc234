/** A client authenticates by its registered method, and by one method at a time. */

import { assert, assertEquals } from "@std/assert";
import { challengeOf } from "../oauth/refusals.ts";
import { test } from "../runner.ts";
import { basic, inWorld, type Params, redirectUri } from "../world.ts";
import { readRefusal } from "./site.ts";

const secret = "basic secret: a+b%c";

const assertion = {
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: "eyJhbGciOiJub25lIn0.eyJpc3MiOiJiYXNpYyIsInN1YiI6ImJhc2ljIn0.",
};

/** Requests with two methods or two client ids, each for a code of this client. */
const mixtures: readonly (readonly [what: string, client: string, changed: Params, header: boolean])[] = [
  ["Basic and a right secret in the body", "basic", { client_secret: secret }, true],
  ["Basic and a wrong secret in the body", "basic", { client_secret: "guess" }, true],
  ["Basic, client_id and secret in the body", "basic", { client_id: "basic", client_secret: secret }, true],
  ["Basic and another client_id", "basic", { client_id: "public" }, true],
  [
    "Basic and another client with its secret",
    "basic",
    { client_id: "post", client_secret: "post-secret" },
    true,
  ],
  ["Basic and client_id in other case", "basic", { client_id: "Basic" }, true],
  ["Basic and an assertion", "basic", assertion, true],
  ["Basic and an assertion without its type", "basic", { client_assertion: "x" }, true],
  ["a secret in the body and an assertion", "post", {
    client_id: "post",
    client_secret: "post-secret",
    ...assertion,
  }, false],
  ["two client_ids", "public", { client_id: ["public", "public"] }, false],
  ["two secrets", "post", { client_id: "post", client_secret: ["post-secret", "post-secret"] }, false],
];

for (const [what, client, changed, header] of mixtures) {
  test(`client authentication, ${what}: refused, even if one of them is right (OAuth 2.1 §2.4)`, async () => {
    await inWorld({}, async (world) => {
      const code = await world.code({ client_id: client });
      const headers = header ? basic("basic", secret) : {};
      const response = await world.redeem(code, { client_id: undefined, ...changed }, headers);
      assertEquals(await readRefusal(response), "400 invalid_request");
      const { status } = await (client === "basic"
        ? world.redeem(code, { client_id: undefined }, basic("basic", secret))
        : world.redeem(code, client === "post" ? { client_id: "post", client_secret: "post-secret" } : {}));
      assertEquals(status, 200);
    });
  });
}

test("client authentication: Basic and the same client_id in the body are one client", async () => {
  await inWorld({}, async (world) => {
    for (const client_id of ["basic", ""]) {
      const code = await world.code({ client_id: "basic" });
      assertEquals((await world.redeem(code, { client_id }, basic("basic", secret))).status, 200);
    }
  });
});

test("client authentication: an invalid assertion is a failed attempt and is not ignored (OAuth 2.1 §3.2.4)", async () => {
  await inWorld({}, async (world) => {
    for (
      const sent of [assertion, { client_assertion: "x" }, {
        client_assertion_type: assertion.client_assertion_type,
      }]
    ) {
      for (const client_id of ["public", "basic", "unknown", undefined]) {
        const code = await world.code();
        const response = await world.redeem(code, { client_id, ...sent });
        assertEquals(await readRefusal(response), "401 invalid_client", `${client_id} ${Object.keys(sent)}`);
        assertEquals((await world.redeem(code)).status, 200);
      }
    }
  });
});

test("client authentication: an invalid assertion gets a challenge, as every 401 does (RFC 9110 §15.5.2)", async () => {
  await inWorld({}, async (world) => {
    for (const sent of [assertion, { ...assertion, client_assertion: "x" }, { client_assertion: "x" }]) {
      const response = await world.redeem("x", { client_id: undefined, ...sent });
      assertEquals(response.status, 401);
      assertEquals(
        response.headers.get("www-authenticate"),
        challengeOf("Basic", await response.json()),
      );
    }
  });
});

test("client authentication: the metadata lists exactly the methods that work (RFC 8414 §2)", async () => {
  await inWorld({}, async (world) => {
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json() as Record<
      string,
      unknown
    >;
    assertEquals(metadata["token_endpoint_auth_methods_supported"], [
      "none",
      "client_secret_basic",
      "client_secret_post",
      "private_key_jwt",
      "client_secret_jwt",
    ]);
    const algorithms = Object.entries(metadata).filter(([name]) => name.includes("auth_signing_alg"));
    const supported = ["RS256", "PS256", "ES256", "EdDSA", "HS256"];
    assertEquals(algorithms.sort(), [
      ["introspection_endpoint_auth_signing_alg_values_supported", supported],
      ["revocation_endpoint_auth_signing_alg_values_supported", supported],
      ["token_endpoint_auth_signing_alg_values_supported", supported],
    ]);
  });
});

const presentations: Readonly<
  Record<string, (id: string, secret: string) => [Params, Record<string, string>]>
> = {
  none: (client_id) => [{ client_id }, {}],
  client_secret_basic: (id, secret) => [{ client_id: undefined }, { ...basic(id, secret) }],
  client_secret_post: (client_id, client_secret) => [{ client_id, client_secret }, {}],
};

const registered = [
  { client_id: "a", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
  ...["client_secret_basic", "client_secret_post"].map((token_endpoint_auth_method, index) => ({
    client_id: `c${index}`,
    client_secret: "one secret",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method,
  })),
];

for (const { client_id, token_endpoint_auth_method } of registered) {
  for (const [method, present] of Object.entries(presentations)) {
    test(`client authentication: registered with ${token_endpoint_auth_method}, sends the right secret with ${method} (OAuth 2.1 §2.4)`, async () => {
      await inWorld({ clients: registered }, async (world) => {
        for (const grant_type of ["authorization_code", "refresh_token", "client_credentials"]) {
          const [changed, headers] = present(client_id, "one secret");
          const code = await world.code({ client_id });
          const response = await world.redeem(code, { ...changed, grant_type, refresh_token: code }, headers);
          if (method !== token_endpoint_auth_method) {
            assertEquals(await readRefusal(response), "401 invalid_client", grant_type);
            assert(response.headers.has("www-authenticate"));
          } else if (grant_type === "refresh_token") {
            assertEquals(await readRefusal(response), "400 invalid_grant");
          } else if (grant_type === "client_credentials" && method === "none") {
            assertEquals(await readRefusal(response), "400 unauthorized_client");
          } else assertEquals(response.status, 200, grant_type);
        }
      });
    });
  }
}
