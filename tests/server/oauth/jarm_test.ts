/** Authorization responses as a JWT: their parameters, modes, signatures and encryption (JARM). */

import { assertEquals, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { type ClientMetadata, redact, type Seams, type ServerOptions } from "../../../src/mod.ts";
import { decrypt, encryptingClient } from "../tokens/encryption.ts";
import { createKeySource } from "../tokens/key_world.ts";
import { send } from "../features/registration.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { hardState } from "../../vectors.ts";
import {
  callbackParams,
  createWorld,
  inWorld,
  type Params,
  redirectUri,
  sampleKey,
  sampleRsaKey,
  type World,
} from "../../world.ts";
import { readFormOnPage } from "./read_form.ts";
import { assertCannotCreate, assertRefusedOnPage, assertTokens } from "./refusals.ts";

/** A server whose own algorithm is ES256, and which can also sign with RS256. */
const options: ServerOptions = { signingKeys: [sampleKey, sampleRsaKey] };

const it = testWith(options);

/** The parameters of the response outside of the JWT, and where they came. */
async function answerOf(world: World, changed: Params): Promise<readonly (readonly [string, string])[]> {
  const response = await world.authorize({ response_mode: "jwt", ...changed });
  return response.status === 200
    ? readFormOnPage(await response.text()).fields
    : [...callbackParams(response)];
}

/** The JWT, which is the only parameter of the response. */
async function responseOf(world: World, changed: Params = {}): Promise<string> {
  const [pair, ...others] = await answerOf(world, changed);
  assertEquals([pair?.[0], others], ["response", []]);
  return pair![1];
}

async function verify(world: World, jwt: string, audience = "public"): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  const currentDate = new Date(world.clock.now * 1000);
  return (await jwtVerify(jwt, keys, { issuer: world.issuer, audience, currentDate })).payload;
}

const modes = ["query.jwt", "fragment.jwt", "form_post.jwt", "jwt"] as const;

for (const response_mode of modes) {
  it(`jarm: ${response_mode} sends one JWT with all parameters, which redeems a code (JARM §2.1, §2.3)`, async ({ world }) => {
    const jwt = await responseOf(world, { response_mode, state: hardState });
    const { code, ...claims } = await verify(world, jwt);
    assertEquals(claims, { iss: world.issuer, aud: "public", exp: world.clock.now + 300, state: hardState });
    await assertTokens(await world.redeem(`${code}`));
  });
}

it("jarm: errors are sent in the JWT, too (JARM §2.1)", async ({ world }) => {
  const mistakes = [
    [{ scope: '"' }, "invalid_scope", "scope_malformed"],
    [{ response_type: "token" }, "unsupported_response_type", "response_type_unsupported"],
    [{ prompt: "none login" }, "invalid_request", "prompt_none_with_others"],
  ] as const;
  for (const [changed, error, reason] of mistakes) {
    const jwt = await responseOf(world, { response_mode: "fragment.jwt", state: undefined, ...changed });
    assertEquals(world.lastRefusal()?.reason, reason);
    const { error_description, ...claims } = await verify(world, jwt);
    assertEquals(typeof error_description, "string");
    const exp = world.clock.now + 300;
    assertEquals(claims, { iss: world.issuer, aud: "public", exp, error });
  }
});

it("jarm: each mode has its place in the response, and jwt is query.jwt for a code (JARM §2.3.1, §2.3.2, §2.3.3, §2.3.4)", async ({ world }) => {
  const placeOf = async (response_mode: string) => {
    const response = await world.authorize({ response_mode });
    const location = response.headers.get("location");
    if (location === null) return readFormOnPage(await response.text()).action;
    const { search, hash } = new URL(location);
    return search === "" ? hash.slice(0, 13) : search.slice(0, 13);
  };
  assertEquals(await Promise.all(modes.map(placeOf)), [
    "?response=eyJ",
    "#response=eyJ",
    redirectUri,
    "?response=eyJ",
  ]);
});

it("jarm: the header names the algorithm and the key, and no typ (JARM §2.2)", async ({ world }) => {
  const { kid, ...header } = decodeProtectedHeader(await responseOf(world));
  assertEquals([header, typeof kid], [{ alg: "RS256" }, "string"]);
});

test("jarm: the default is RS256, and a client may choose another algorithm of the server (JARM §3)", () => {
  const clients: readonly ClientMetadata[] = [
    { client_id: "public", redirect_uris: [redirectUri] },
    { client_id: "es", redirect_uris: [redirectUri], authorization_signed_response_alg: "ES256" },
    { client_id: "rs", redirect_uris: [redirectUri], authorization_signed_response_alg: "RS256" },
  ];
  return inWorld({ ...options, clients }, async (world) => {
    const algOf = async (client_id: string) => {
      const jwt = await responseOf(world, { client_id });
      await verify(world, jwt, client_id);
      return decodeProtectedHeader(jwt).alg;
    };
    assertEquals(await Promise.all(["public", "es", "rs"].map(algOf)), ["RS256", "ES256", "RS256"]);
  });
});

test("jarm: a server without a key for RS256 signs with its own algorithm, and does not announce RS256 (JARM §3, §4)", () =>
  inWorld({}, async (world) => {
    assertEquals(decodeProtectedHeader(await responseOf(world)).alg, "ES256");
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.authorization_signing_alg_values_supported, ["ES256"]);
  }));

test("jarm: a server that makes its keys makes one for RS256, the default (JARM §3)", async () => {
  const { client_id, redirect_uris } = { client_id: "public", redirect_uris: [redirectUri] };
  const keySource = createKeySource();
  await using world = createWorld({ clients: [{ client_id, redirect_uris }], keySource }, {
    issuer: "https://as.test",
    exposeDemo: true,
    alg: "ES256",
    login: "auto",
  });
  const jwt = await responseOf(world);
  assertEquals(decodeProtectedHeader(jwt).alg, "RS256");
  assertEquals((await verify(world, jwt)).aud, "public");
});

const wrongAlgorithms = [
  ["none", "clients[0].authorization_signed_response_alg must be one of RS256, PS256, ES256, EdDSA"],
  ["PS256", "signingKeys must hold a key for PS256"],
] as const;
for (const [alg, message] of wrongAlgorithms) {
  test(`jarm: a client with ${alg} is refused at the start without a key (JARM §3)`, () => {
    const members = { authorization_signed_response_alg: alg };
    const client = { client_id: "public", redirect_uris: [redirectUri], ...members } as ClientMetadata;
    return assertCannotCreate(() => createWorld({ ...options, clients: [client] }), message);
  });
}

test("jarm: codes and errors are signed, then encrypted with the algorithm of the client (JARM §2.2, §3)", () => {
  const client = encryptingClient({ authorization_encrypted_response_alg: "ECDH-ES" });
  return inWorld({ ...options, clients: [client] }, async (world) => {
    for (const [scope, name] of [["read", "code"], ['"', "error"]] as const) {
      const { protectedHeader, text } = await decrypt(await responseOf(world, { scope }));
      const { alg, enc, cty } = protectedHeader;
      assertEquals([alg, enc, cty], ["ECDH-ES", "A128CBC-HS256", "JWT"]);
      const claims = await verify(world, text);
      assertEquals([claims.iss, typeof claims[name]], [world.issuer, "string"]);
    }
    // A mode without JWT is not encrypted.
    assertNotEquals(callbackParams(await world.authorize()).get("code"), null);
  });
});

test("jarm: without a key at the jwks_uri a page shows the refusal, because no response can be sent (JARM §2.2)", () => {
  const { jwks: _jwks, ...client } = encryptingClient({
    jwks_uri: "https://app.example/jwks.json",
    authorization_encrypted_response_alg: "ECDH-ES",
  });
  const fetch = () => Promise.resolve(Response.json({ keys: [] }));
  return inWorld({ ...options, clients: [client], fetch }, async (world) => {
    for (const scope of ["read", '"']) {
      await assertRefusedOnPage(world, await world.authorize({ response_mode: "jwt", scope }), {
        error: "invalid_client_metadata",
        reason: "encryption_key_missing",
      });
    }
    // The approval of a pushed request is stored before its response is made.
    const query = new URL(world.authorizeUrl({ response_mode: "jwt" })).search.slice(1);
    const { request_uri } = await (await world.post("/oauth2/par", query)).json();
    const pushed = `/oauth2/authorize?${new URLSearchParams({ client_id: "public", request_uri })}`;
    await assertRefusedOnPage(world, await world.get(pushed), {
      error: "invalid_client_metadata",
      reason: "encryption_key_missing",
    });
  });
});

test("jarm: seams see the parameters before and the JWT after (JARM §2.1)", () => {
  const seams: Seams = {
    authorization_response: (value) => ({ ...value, params: [...value.params, ["added", value.mode]] }),
    jwt: (value) =>
      value.token === "authorization_response"
        ? { ...value, claims: { ...value.claims, aud: "another" } }
        : value,
  };
  return inWorld({ ...options, seams }, async (world) => {
    const jwt = await responseOf(world);
    const altered = world.journal.at(-1)?.facts.altered?.map(({ seam }) => seam);
    assertEquals(altered, ["authorization_response", "jwt"]);
    const { aud, added } = await verify(world, jwt, "another");
    assertEquals([aud, added], ["another", "jwt"]);
  });
});

it("jarm: a redacted entry of the journal has neither the JWT nor its code (JARM §2.1; RFC 9700 §4.2)", async ({ world }) => {
  const jwt = await responseOf(world);
  const { code } = decodeJwt(jwt);
  const entry = world.journal.at(-1)!;
  const [whole, redacted] = [entry, redact(entry)].map((each) => JSON.stringify(each));
  assertEquals([whole!.includes(jwt), redacted!.includes(jwt), redacted!.includes(`${code}`)], [
    true,
    false,
    false,
  ]);
});

test("jarm: a client registers its algorithms (JARM §3)", () =>
  inWorld({ ...options, registration: true }, async (world) => {
    const register = (members: Readonly<Record<string, unknown>>) =>
      send(world, "POST", "/connect/register", {
        body: { redirect_uris: ["http://127.0.0.1/cb"], ...members },
      });
    const name = "authorization_signed_response_alg";
    for (const alg of ["RS256", "ES256"]) assertEquals((await register({ [name]: alg })).body[name], alg);
    for (const alg of ["none", "HS256", "PS256"]) {
      const { status, body } = await register({ [name]: alg });
      assertEquals([status, body["error"]], [400, "invalid_client_metadata"], alg);
    }
    const chosen = await register({ authorization_signing_alg_values_supported: ["PS256", "ES256"] });
    assertEquals(chosen.body[name], "ES256");
    const { status } = await register({ authorization_encrypted_response_alg: "ECDH-ES" });
    assertEquals(status, 400);
  }));

test("jarm: a client that must have signed responses is refused without such a mode (FAPI 2.0 Message Signing §5.4.1)", () => {
  const clients = [{ client_id: "signed", redirect_uris: [redirectUri], require_signed_response: true }];
  return inWorld({ ...options, clients }, async (world) => {
    for (const response_mode of [undefined, "query", "form_post"]) {
      const answer = await world.authorize({ client_id: "signed", response_mode });
      assertEquals([answer.status, world.lastRefusal()?.reason], [400, "response_mode_required"]);
      const pushed = await world.post("/oauth2/par", {
        ...Object.fromEntries(new URL(world.authorizeUrl({ client_id: "signed" })).searchParams),
        response_mode,
      });
      assertEquals([pushed.status, (await pushed.json()).error], [400, "invalid_request"]);
    }
    for (const response_mode of modes) {
      assertEquals(
        (await verify(world, await responseOf(world, { client_id: "signed", response_mode }), "signed")).iss,
        world.issuer,
      );
    }
  });
});
