/** Features that the metadata does not announce are refused or ignored completely. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { callbackParams, inWorld, type World } from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { readRefusal, requestTo } from "./site.ts";

type Metadata = Readonly<Record<string, unknown>>;

async function readMetadata(world: World): Promise<Metadata> {
  return await (await world.get("/.well-known/oauth-authorization-server")).json() as Metadata;
}

/** The endpoint's name in the metadata and the path where it would be. */
const endpoints: readonly (readonly [name: string, path: string])[] = [
  ["pushed_authorization_request_endpoint", "/oauth2/par"],
  ["revocation_endpoint", "/oauth2/revoke"],
  ["introspection_endpoint", "/oauth2/introspect"],
  ["device_authorization_endpoint", "/oauth2/device_authorization"],
  ["registration_endpoint", "/connect/register"],
  ["end_session_endpoint", "/connect/logout"],
  ["userinfo_endpoint", "/userinfo"],
  ["check_session_iframe", "/connect/session"],
  ["backchannel_authentication_endpoint", "/oauth2/bc_authorize"],
  ["token_endpoint", "/oauth2/token"],
  ["authorization_endpoint", "/oauth2/authorize"],
  ["jwks_uri", "/oauth2/jwks"],
];

for (const [name, path] of endpoints) {
  test(`unshipped: ${path} exists exactly when the metadata has ${name} (RFC 8414 §2)`, async () => {
    await inWorld({}, async (world) => {
      const announced = (await readMetadata(world))[name];
      for (const method of ["GET", "POST"] as const) {
        const { status } = await world.fetch(
          requestTo(world, { method, path }, { client_id: "public", token: "x" }),
        );
        assertEquals(status !== 404, announced !== undefined, `${method} ${path}`);
      }
      if (announced !== undefined) assertEquals(announced, world.issuer + path);
    });
  });
}

const grantTypes = [
  ...["refresh_token", "client_credentials", "password", "implicit"],
  ...["urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
  ...["urn:ietf:params:oauth:grant-type:token-exchange", "urn:openid:params:grant-type:ciba"],
];

test("unshipped: a grant type that the metadata does not list is refused, and the code stays redeemable (OAuth 2.1 §3.2.4)", async () => {
  await inWorld({}, async (world) => {
    const listed = (await readMetadata(world))["grant_types_supported"] as readonly string[];
    assert(listed.includes("authorization_code"));
    for (const grant_type of grantTypes.filter((each) => !listed.includes(each))) {
      const code = await world.code();
      const sent = {
        grant_type,
        refresh_token: code,
        username: "alice",
        password: "x",
        device_code: code,
        assertion: code,
      };
      assertEquals(
        await readRefusal(await world.redeem(code, sent)),
        "400 unsupported_grant_type",
        grant_type,
      );
      assertEquals((await world.redeem(code)).status, 200);
    }
  });
});

const responseTypes = [
  ...["token", "id_token", "code token", "code id_token", "id_token token", "none", "CODE"],
  "code code",
];

test("unshipped: a response type or mode that the metadata does not list is refused and writes nothing (RFC 9700 §2.1.2)", async () => {
  const store = countingStore();
  await inWorld({ store }, async (world) => {
    const metadata = await readMetadata(world);
    const listed = metadata["response_types_supported"] as readonly string[];
    for (const response_type of responseTypes.filter((each) => !listed.includes(each))) {
      const answer = callbackParams(await world.authorize({ response_type }));
      assertEquals(answer.get("error"), "unsupported_response_type", response_type);
      assertEquals([answer.has("code"), answer.has("access_token"), answer.has("id_token")], [
        false,
        false,
        false,
      ]);
    }
    const modes = metadata["response_modes_supported"] as readonly string[];
    for (const response_mode of ["jwt", "query.jwt", "form_post.jwt", "web_message", "cookie", "QUERY"]) {
      if (modes.includes(response_mode)) continue;
      const response = await world.authorize({ response_mode });
      assertEquals([response.status, response.headers.get("location")], [400, null], response_mode);
    }
    assertEquals(store.writes, []);
  });
});

/** Each parameter, the metadata member that would announce it, and the error while it is not announced. */
const refusedByName: readonly (readonly [name: string, announcedBy: string, error: string])[] = [
  ["request", "request_parameter_supported", "request_not_supported"],
  ["request_uri", "request_uri_parameter_supported", "request_uri_not_supported"],
  ["registration", "registration_endpoint", "registration_not_supported"],
];

for (const [name, announcedBy, error] of refusedByName) {
  test(`unshipped: ${name} has an error of its own, and is neither read nor fetched (OpenID Connect Core §3.1.2.6)`, async () => {
    await inWorld({}, async (world) => {
      const announced = (await readMetadata(world))[announcedBy];
      for (
        const value of [
          "https://canary.invalid/x",
          "eyJhbGciOiJub25lIn0.eyJjbGllbnRfaWQiOiJwdWJsaWMifQ.",
          "urn:x",
          "{}",
        ]
      ) {
        const response = await world.authorize({ [name]: value });
        if (announced !== undefined) continue;
        assertEquals(callbackParams(response).get("error"), error, value);
        assertEquals(callbackParams(response).has("code"), false);
      }
    });
  });
}

test("unshipped: parameters of absent features are ignored (OAuth 2.1 §3.1)", async () => {
  await inWorld({}, async (world) => {
    const metadata = await readMetadata(world);
    const unknown: Readonly<Record<string, readonly [value: string, announcedBy: string]>> = {
      dpop_jkt: ["x".repeat(43), "dpop_signing_alg_values_supported"],
      authorization_details: ["[{}]", "authorization_details_types_supported"],
      claims: ["{}", "claims_parameter_supported"],
      display: ["touch", "display_values_supported"],
      ui_locales: ["de", "ui_locales_supported"],
      approval_prompt: ["force", "approval_prompt"],
      code_verifier: ["x", "code_verifier"],
      client_secret: ["x", "client_secret"],
    };
    for (const [name, [value, announcedBy]] of Object.entries(unknown)) {
      if (announcedBy in metadata) continue;
      const response = await world.authorize({ [name]: [value, value] });
      assert(callbackParams(response).has("code"), name);
      assert(!callbackParams(response).has(name), name);
    }
  });
});
