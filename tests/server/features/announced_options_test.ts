/** What an option of a feature changes in the metadata of the server (RFC 8414 §2). */

import { assertEquals } from "@std/assert";
import { everyFeature } from "../../../src/server/features/mod.ts";
import { exchangeGrant, exchanger, typeOf } from "../tokens/exchange_world.ts";
import { test } from "../../runner.ts";
import { inWorld, type WorldOptions } from "../../world.ts";

type Metadata = Readonly<Record<string, unknown>>;

const names = (prefix: string, values: readonly string[]) =>
  Object.fromEntries(["token", "revocation", "introspection"].map((endpoint) => [
    `${endpoint}_endpoint_auth_${prefix}_supported`,
    values.filter((value) => endpoint !== "introspection" || value !== "none"),
  ]));
const usualMethods = [
  "none",
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "client_secret_jwt",
];
const claims = [
  ...["sub", "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile"],
  ...["picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "email"],
  ...["email_verified", "address", "phone_number", "phone_number_verified"],
];
const factorAcrs = ["mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor"];
const forChat = { id_jag: [{ audience: "https://chat.example/", client_id: "x" }] };
const { authorizationDetails, trust } = everyFeature;

/** Each line: the options, and the members of the metadata that differ. An absent member is `undefined`. */
const rows: readonly (readonly [options: WorldOptions, changes: Metadata])[] = [
  [{ requirePushedRequests: true }, { require_pushed_authorization_requests: true }],
  [{ requireSignedRequests: true }, { require_signed_request_object: true }],
  [{ refreshTokenExpiration: true }, {
    refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
  }],
  [{ secondFactorPolicy: { acrValues: ["gold"] } }, { acr_values_supported: ["gold"] }],
  [{ acrValues: ["silver", "gold"] }, { acr_values_supported: ["silver", "gold", ...factorAcrs] }],
  [{ demoResource: "/api" }, { protected_resources: ["https://as.test/api"] }],
  [{ authorizationDetails: authorizationDetails! }, { authorization_details_types_supported: ["account"] }],
  [{ claimsIn: { idToken: ["roles"] } }, { claims_supported: [...claims, "roles"] }],
  [{ claimsIn: { userinfo: ["groups"] } }, { claims_supported: [...claims, "groups"] }],
  [{ tokenClaims: [{ claims: { tier: "gold" } }] }, { claims_supported: [...claims, "tier"] }],
  [{ dpop: false }, { dpop_signing_alg_values_supported: undefined }],
  [{ dpop: { algorithms: ["ES256"] } }, { dpop_signing_alg_values_supported: ["ES256"] }],
  [{ registration: false }, { registration_endpoint: undefined }],
  [{ clientDocuments: false }, { client_id_metadata_document_supported: undefined }],
  [{ firstUse: false }, {}],
  [{ openIntrospection: true }, { introspection_endpoint_auth_methods_supported: usualMethods }],
  [{ acceptedAlgorithms: ["ES256"] }, {
    ...names("signing_alg_values", ["ES256", "HS256"]),
    request_object_signing_alg_values_supported: ["ES256"],
    dpop_signing_alg_values_supported: ["ES256"],
  }],
  [{ clients: [exchanger("api", { from: ["web"] }), exchanger("web", forChat)] }, {
    identity_chaining_requested_token_types_supported: [typeOf("id-jag")],
  }],
  [{ trust: trust! }, {
    grant_types_supported: [
      ...["authorization_code", "refresh_token", "client_credentials"],
      ...["urn:ietf:params:oauth:grant-type:jwt-bearer", exchangeGrant],
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
  }],
  [{ mtls: { port: 9443 } }, {
    ...names("methods", [...usualMethods, "self_signed_tls_client_auth"]),
    tls_client_certificate_bound_access_tokens: true,
    mtls_endpoint_aliases: {
      pushed_authorization_request_endpoint: "https://as.test:9443/oauth2/par",
      token_endpoint: "https://as.test:9443/oauth2/token",
      device_authorization_endpoint: "https://as.test:9443/oauth2/device_authorization",
      userinfo_endpoint: "https://as.test:9443/userinfo",
      revocation_endpoint: "https://as.test:9443/oauth2/revoke",
      introspection_endpoint: "https://as.test:9443/oauth2/introspect",
    },
  }],
];

async function metadataWith(options: WorldOptions): Promise<Metadata> {
  let metadata: Metadata = {};
  await inWorld(options, async (world) => {
    metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  });
  return metadata;
}

for (const [options, changes] of rows) {
  test(`metadata: ${JSON.stringify(options)} changes exactly its members (RFC 8414 §2)`, async () => {
    const [usual, changed] = [await metadataWith({}), await metadataWith(options)];
    const different = Object.keys({ ...usual, ...changed }).filter((name) =>
      JSON.stringify(usual[name]) !== JSON.stringify(changed[name])
    );
    assertEquals(Object.fromEntries(different.map((name) => [name, changed[name]])), changes);
  });
}
