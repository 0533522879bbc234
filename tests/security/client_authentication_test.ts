/** Clients authenticate at the token endpoint by their registered method only. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { createServer } from "../../src/mod.ts";
import { challengeOf } from "../server/oauth/refusals.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createWorld, type Params, redirectUri, type World } from "../world.ts";
import { readRefusal } from "./site.ts";

const secret = "basic secret: a+b%c";
const headerOf = (pair: string | Uint8Array) => {
  const octets = typeof pair === "string" ? new TextEncoder().encode(pair) : pair;
  return `Basic ${btoa(String.fromCharCode(...octets))}`;
};

/** A token request of the client `basic` with this Authorization header. */
async function redeemWith(
  world: World,
  authorization: string | undefined,
  changed: Params = {},
): Promise<Response> {
  const code = await world.code({ client_id: "basic" });
  const headers = authorization === undefined ? {} : { authorization };
  return await world.redeem(code, { client_id: undefined, ...changed }, headers);
}

const encoded = headerOf("basic:basic+secret%3A+a%2Bb%25c").slice("Basic ".length);

const it = testInWorld({});

it("Basic: every well-formed spelling of the credentials is accepted (RFC 6749 §2.3.1, RFC 7617 §2)", async (world) => {
  const spellings = [
    `Basic ${encoded}`,
    `basic ${encoded}`,
    `BASIC ${encoded}`,
    `bAsIc   ${encoded}`,
    headerOf("basic:basic%20secret%3a+a%2bb%25c"),
    headerOf("%62asic:basic+secret:+a%2Bb%25c"),
    `Basic ${encoded.replace(/=+$/, "")}`,
  ];
  for (const header of spellings) {
    assertEquals((await redeemWith(world, header)).status, 200, header);
  }
});

/** Headers that are not well-formed Basic, or that hold the credentials of another client. */
const badHeaders: readonly string[] = [
  "Basic",
  "Basic ",
  "Basic =",
  "Basic ====",
  "Basic ###",
  "Basic a",
  // decodes to the same octets, but its unused bits are not zero
  `Basic ${encoded.replace("w==", "x==")}`,
  `Basic ${encoded}*`,
  `Basic ${encoded}====`,
  `Basic ${encoded.slice(0, 8)} ${encoded.slice(8)}`,
  `Basic\t${encoded}`,
  `Basic${encoded}`,
  `Basic realm="postern", ${encoded}`,
  `Basic ${encoded}, Basic ${encoded}`,
  `Basic ${encoded},Bearer x`,
  `Basic ${btoa("\x00\xff").replaceAll("/", "_")}`,
  headerOf("basic"),
  headerOf(":"),
  headerOf("basic:"),
  headerOf(`:${secret}`),
  headerOf("basic: "),
  headerOf("%20:%20"),
  headerOf("basic:%"),
  headerOf("basic:%zz"),
  headerOf("basic:%ff"),
  headerOf("basic:%ED%A0%80"),
  headerOf("%c0%af:x"),
  headerOf("basic:é"),
  headerOf(new Uint8Array([98, 97, 115, 105, 99, 58, 255, 254])),
  headerOf("basic:basic+secret%3A+a%2Bb%25c\0"),
  headerOf("basic:basic+secret%3A+a%2Bb%25c\r\n"),
  headerOf("BASIC:basic+secret%3A+a%2Bb%25c"),
  headerOf("basic :basic+secret%3A+a%2Bb%25c"),
  headerOf("unknown:basic+secret%3A+a%2Bb%25c"),
  headerOf("public:"),
  headerOf("__proto__:constructor"),
  encoded,
  "",
  ":",
  "x".repeat(50_000),
  `Basic ${"A".repeat(50_000)}`,
];

it("Authorization: any other header gets a 401 with a challenge, and never a 500 (OAuth 2.1 §3.2.4)", async (world) => {
  for (const header of badHeaders) {
    const response = await redeemWith(world, header);
    assertEquals(response.status, 401, header.slice(0, 80));
    const challenge = challengeOf("Basic", await response.clone().json());
    assertEquals(response.headers.get("www-authenticate"), challenge, header.slice(0, 80));
    assertEquals(await readRefusal(response), "401 invalid_client", header.slice(0, 80));
    world.clock.advance(61); // so that failed attempts are not throttled
  }
});

test("Basic: octets beyond ASCII are read as UTF-8 only (RFC 7617 §2.1)", async () => {
  const clients = [{ client_id: "basic", client_secret: "é", redirect_uris: [redirectUri] }];
  await using world = createWorld({ clients });
  const pair = [...new TextEncoder().encode("basic:")];
  for (const octets of [[0xe9], [0x65, 0xcc, 0x81]]) {
    const response = await redeemWith(world, headerOf(new Uint8Array([...pair, ...octets])));
    assertEquals(await readRefusal(response), "401 invalid_client");
  }
  for (const right of [headerOf(new Uint8Array([...pair, 0xc3, 0xa9])), headerOf("basic:%C3%A9")]) {
    assertEquals((await redeemWith(world, right)).status, 200);
  }
});

it("Authorization: two headers are refused, right or wrong", async (world) => {
  const right = basic("basic", secret).authorization;
  const wrong = basic("basic", "guess").authorization;
  const pairs = [[right, right], [right, wrong], [wrong, right], [right, "Bearer x"], ["Bearer x", right]];
  for (const pair of pairs) {
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    for (const each of pair) headers.append("authorization", each);
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: await world.code({ client_id: "basic" }),
    });
    const request = new Request(`${world.issuer}/oauth2/token`, {
      method: "POST",
      headers,
      body: `${body}`,
    });
    assertEquals(await readRefusal(await world.fetch(request)), "401 invalid_client");
  }
});

it("client authentication: a blank secret in a request never matches", async (world) => {
  for (const blank of ["", " ", "\0", "null", "undefined"]) {
    for (const id of ["basic", "post", "public", "unknown"]) {
      const code = await world.code();
      const presented = [
        [{ client_id: undefined }, basic(id, blank)],
        [{ client_id: id, client_secret: blank }, {}],
      ] as const;
      for (const [changed, headers] of presented) {
        if (id === "public" && blank === "" && "client_secret" in changed) continue; // empty counts as left out
        const response = await world.redeem(code, changed, headers);
        assertEquals(await readRefusal(response), "401 invalid_client", JSON.stringify([id, blank]));
      }
      world.clock.advance(61);
    }
  }
});

test("client authentication: a blank secret in the configuration is refused at start", () => {
  for (const client_secret of ["", " ", "\t\n", "\u00a0", null, 0, false, {}, []]) {
    const clients = [{ client_id: "a", client_secret: client_secret as string }];
    assertThrows(() => createServer({ clients }), TypeError, "clients[0].client_secret");
  }
});

const assertion = {
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: "eyJhbGciOiJub25lIn0.eyJpc3MiOiJiYXNpYyIsInN1YiI6ImJhc2ljIn0.",
};

const asPost = { client_id: "post", client_secret: "post-secret" };

/** Requests of the client `basic` with its right header and something else. */
const besideBasic: Readonly<Record<string, Params>> = {
  "a right secret in the body": { client_secret: secret },
  "a wrong secret in the body": { client_secret: "guess" },
  "client_id and secret in the body": { client_id: "basic", client_secret: secret },
  "another client_id": { client_id: "public" },
  "another client with its secret": asPost,
  "client_id in other case": { client_id: "Basic" },
  "an assertion": assertion,
  "an assertion without its type": { client_assertion: "x" },
};

for (const [what, changed] of Object.entries(besideBasic)) {
  it(`client authentication, Basic and ${what}: refused, even if one of them is right (OAuth 2.1 §2.4)`, async (world) => {
    const code = await world.code({ client_id: "basic" });
    const header = basic("basic", secret);
    const response = await world.redeem(code, { client_id: undefined, ...changed }, header);
    assertEquals(await readRefusal(response), "400 invalid_request");
    assertEquals((await world.redeem(code, { client_id: undefined }, header)).status, 200);
  });
}

it("client authentication: two secrets, two ids or two methods in the body are refused (OAuth 2.1 §2.4)", async (world) => {
  const code = await world.code({ client_id: "post" });
  const twice: readonly Params[] = [
    { ...asPost, ...assertion },
    { client_id: ["public", "public"] },
    { ...asPost, client_secret: ["post-secret", "post-secret"] },
  ];
  for (const changed of twice) {
    assertEquals(await readRefusal(await world.redeem(code, changed)), "400 invalid_request");
  }
  assertEquals((await world.redeem(code, asPost)).status, 200);
});

it("client authentication: an invalid assertion is a failed attempt and is not ignored (OAuth 2.1 §3.2.4)", async (world) => {
  const { client_assertion_type } = assertion;
  for (const sent of [assertion, { client_assertion: "x" }, { client_assertion_type }]) {
    for (const client_id of ["public", "basic", "unknown", undefined]) {
      const code = await world.code();
      const response = await world.redeem(code, { client_id, ...sent });
      // RFC 9110 §15.5.2: every 401 has a challenge.
      const challenge = challengeOf("Basic", await response.clone().json());
      assertEquals(response.headers.get("www-authenticate"), challenge);
      assertEquals(await readRefusal(response), "401 invalid_client", `${client_id} ${Object.keys(sent)}`);
      assertEquals((await world.redeem(code)).status, 200);
    }
  }
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
      await using world = createWorld({ clients: registered });
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
  }
}
