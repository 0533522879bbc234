/** Appendix 2 of the checklist: the answer to each error of a token request, one row per test. */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { basic, clients, inWorld, type Params, redirectUri, verifier, type World } from "../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const options = {
  clients: [
    ...clients,
    { client_id: "no grant", redirect_uris: [redirectUri], grant_types: [], response_types: ["code"] },
  ],
};

const basicClient = basic("basic", "basic secret: a+b%c");
const challenge = "Basic";

type Send = (world: World, code: string) => Promise<Response> | Response;

interface Row {
  /** The expected error, status and reason. */
  readonly refused: readonly [error: string, status: number, reason: string];
  readonly send: Send;
  /** The client of the code. Default: `public`. */
  readonly of?: string;
}

const changed = (params: Params, headers?: HeadersInit): Send => (world, code) =>
  world.redeem(code, params, headers);

/** A request that is valid except for its body and content type. */
function body(type: string | null, encode: (form: string) => BodyInit = (form) => form): Send {
  return (world, code) => {
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: "public",
      code_verifier: verifier,
    });
    const headers = new Headers(type === null ? {} : { "content-type": type });
    const octets = encode(form.toString());
    // `Request` sets a content type for a text body, but not for bytes.
    const content = typeof octets === "string" ? new TextEncoder().encode(octets) : octets;
    return world.fetch(
      new Request(`${world.issuer}/oauth2/token`, { method: "POST", headers, body: content }),
    );
  };
}

const form = "application/x-www-form-urlencoded";
const toJson = (text: string) => JSON.stringify(Object.fromEntries(new URLSearchParams(text)));
const raw = (...octets: number[]) => (text: string) =>
  new Uint8Array([...new TextEncoder().encode(`${text}&x=`), ...octets]);

const badBodies: Readonly<Record<string, Row>> = {
  "JSON (B3)": { refused: ["invalid_request", 400, "not_a_form"], send: body("application/json", toJson) },
  "no content type (B3)": { refused: ["invalid_request", 400, "not_a_form"], send: body(null) },
  "multipart (B3)": {
    refused: ["invalid_request", 400, "not_a_form"],
    send: body("multipart/form-data; boundary=x"),
  },
  "plain text (B3)": { refused: ["invalid_request", 400, "not_a_form"], send: body("text/plain") },
  "another charset (B2)": {
    refused: ["invalid_request", 400, "not_a_form"],
    send: body(`${form}; charset=latin1`),
  },
  "octets that are not UTF-8 (B2)": {
    refused: ["invalid_request", 400, "body_not_utf8"],
    send: body(form, raw(0xff)),
  },
  "a percent that encodes nothing (B2)": {
    refused: ["invalid_request", 400, "malformed_encoding"],
    send: body(form, (text) => `${text}&x=%zz`),
  },
  "escaped octets that are not UTF-8 (B2)": {
    refused: ["invalid_request", 400, "malformed_encoding"],
    send: body(form, (text) => `${text}&x=%ff`),
  },
  "more than 64 KiB (B2)": {
    refused: ["invalid_request", 413, "body_too_large"],
    send: body(form, (text) => `${text}&x=${"x".repeat(65_536)}`),
  },
  "more than 100 parameters (B2)": {
    refused: ["invalid_request", 400, "too_many_parameters"],
    send: body(form, (text) => text + "&x".repeat(100)),
  },
  "a content encoding (B2)": {
    refused: ["invalid_request", 415, "body_encoded"],
    send: changed({}, { "content-encoding": "gzip" }),
  },
};

const twice = ["invalid_request", 400, "repeated_parameter"] as const;
const absent = ["invalid_request", 400, "missing_parameter"] as const;
const twoWays = ["invalid_request", 400, "two_auth_methods"] as const;

const badParameters: Readonly<Record<string, Row>> = {
  "grant_type missing (B25)": { refused: absent, send: changed({ grant_type: undefined }) },
  "grant_type empty (B6, B25)": { refused: absent, send: changed({ grant_type: "" }) },
  "code missing (B27)": { refused: absent, send: changed({ code: undefined }) },
  "code empty (B6, B27)": { refused: absent, send: changed({ code: "" }) },
  "client_id missing (B21)": {
    refused: ["invalid_request", 400, "client_id_missing"],
    send: changed({ client_id: undefined }),
  },
  "redirect_uri missing (B43)": {
    refused: ["invalid_request", 400, "redirect_uri_missing"],
    send: changed({ redirect_uri: undefined }),
  },
  "grant_type twice (B5)": {
    refused: twice,
    send: changed({ grant_type: Array(2).fill("authorization_code") }),
  },
  "code twice (B5)": { refused: twice, send: (world, code) => world.redeem(code, { code: [code, code] }) },
  "code twice, one empty (B5)": {
    refused: twice,
    send: (world, code) => world.redeem(code, { code: ["", code] }),
  },
  "client_id twice (B5)": { refused: twice, send: changed({ client_id: ["public", "public"] }) },
  "redirect_uri twice (B5)": { refused: twice, send: changed({ redirect_uri: [redirectUri, redirectUri] }) },
  "code_verifier twice (B5)": { refused: twice, send: changed({ code_verifier: [verifier, verifier] }) },
  "scope twice (B5)": { refused: twice, send: changed({ scope: ["read", "read"] }) },
  "an unknown parameter twice (B5)": { refused: twice, send: changed({ 'é"\\': ["1", "1"] }) },
  "code_verifier malformed (B34)": {
    refused: ["invalid_request", 400, "verifier_malformed"],
    send: changed({ code_verifier: verifier.slice(1) }),
  },
  "Basic and a secret in the body (B17)": {
    of: "basic",
    refused: twoWays,
    send: changed({ client_id: "basic", client_secret: "basic secret: a+b%c" }, basicClient),
  },
  "Basic and another client_id in the body (B18)": {
    of: "basic",
    refused: ["invalid_request", 400, "client_id_differs"],
    send: changed({ client_id: "post" }, basicClient),
  },
};

const failed = (reason: string) => ["invalid_client", 401, reason] as const;
const asBasic = (id: string, secret: string) => changed({ client_id: undefined }, basic(id, secret));
const header = (authorization: string) => changed({ client_id: undefined }, { authorization });

const badAuthentication: Readonly<Record<string, Row>> = {
  "Basic with a wrong secret (B15)": {
    of: "basic",
    refused: failed("secret_wrong"),
    send: asBasic("basic", "x"),
  },
  "Basic of an unknown client (B15, B23)": {
    refused: failed("client_unknown"),
    send: asBasic("unknown", "x"),
  },
  "Basic of a public client (B19)": {
    refused: failed("public_client_sent_secret"),
    send: asBasic("public", "x"),
  },
  "Basic of a client that posts (B20)": {
    of: "post",
    refused: failed("method_not_registered"),
    send: asBasic("post", "post-secret"),
  },
  "Basic without credentials (B22)": { refused: failed("basic_malformed"), send: header("Basic") },
  "Basic that is not base64 (B22)": { refused: failed("basic_malformed"), send: header("Basic ===") },
  "another scheme (B22)": { refused: failed("authorization_header_unreadable"), send: header("Bearer x") },
  "another scheme from a public client (B19)": {
    refused: failed("authorization_header_unreadable"),
    send: changed({}, { authorization: "Bearer x" }),
  },
  "a wrong secret in the body (B16)": {
    of: "post",
    refused: failed("secret_wrong"),
    send: changed({ client_id: "post", client_secret: "x" }),
  },
  "a secret in the body from an unknown client (B16, B23)": {
    refused: failed("client_unknown"),
    send: changed({ client_id: "unknown", client_secret: "x" }),
  },
  "a secret in the body from a public client (B19)": {
    refused: failed("public_client_sent_secret"),
    send: changed({ client_secret: "x" }),
  },
  "a secret in the body from a Basic client (B20)": {
    of: "basic",
    refused: failed("method_not_registered"),
    send: changed({ client_id: "basic", client_secret: "basic secret: a+b%c" }),
  },
  "a confidential client without credentials (B11)": {
    of: "basic",
    refused: failed("secret_missing"),
    send: changed({ client_id: "basic" }),
  },
  "an unknown client_id (B16)": {
    refused: failed("client_unknown"),
    send: changed({ client_id: "unknown" }),
  },
};

const otherGrant = ["unsupported_grant_type", 400, "grant_type_unsupported"] as const;
const wrongUri = ["invalid_grant", 400, "redirect_uri_differs"] as const;
const unknownCode = ["invalid_grant", 400, "code_unknown"] as const;

const badGrants: Readonly<Record<string, Row>> = {
  "grant_type=password (B25)": { refused: otherGrant, send: changed({ grant_type: "password" }) },
  "grant_type=implicit (B25)": { refused: otherGrant, send: changed({ grant_type: "implicit" }) },
  "grant_type=refresh_token with an unknown token (B25, B53)": {
    refused: ["invalid_grant", 400, "refresh_unknown"],
    send: changed({ grant_type: "refresh_token", refresh_token: "bogus" }),
  },
  "grant_type=client_credentials of a public client (B25)": {
    refused: ["unauthorized_client", 400, "grant_type_not_for_client"],
    send: changed({ grant_type: "client_credentials" }),
  },
  "grant_type in another case (B25)": {
    refused: otherGrant,
    send: changed({ grant_type: "Authorization_Code" }),
  },
  "a grant that is not for the client (B26)": {
    of: "no grant",
    refused: ["unauthorized_client", 400, "grant_type_not_for_client"],
    send: changed({ client_id: "no grant" }),
  },
  "a code that was never issued (B27)": { refused: unknownCode, send: changed({ code: "made-up" }) },
  "a code cut short (B27)": { refused: unknownCode, send: (world, code) => world.redeem(code.slice(0, -1)) },
  "a code with another secret (B27)": {
    refused: unknownCode,
    send: (world, code) => world.redeem(`${code.split(".")[0]}.${"A".repeat(43)}`),
  },
  "a code of another client (B28)": {
    refused: ["invalid_grant", 400, "code_of_another_client"],
    send: changed({ client_id: undefined }, basicClient),
  },
  "code_verifier missing (B31)": {
    refused: ["invalid_grant", 400, "verifier_missing"],
    send: changed({ code_verifier: undefined }),
  },
  "redirect_uri another (B42)": {
    refused: wrongUri,
    send: changed({ redirect_uri: "https://app.example/other" }),
  },
  "redirect_uri with a slash more (B42)": {
    refused: wrongUri,
    send: changed({ redirect_uri: `${redirectUri}/` }),
  },
  "scope wider than granted (B44)": {
    refused: ["invalid_scope", 400, "scope_not_granted"],
    send: changed({ scope: "read write" }),
  },
  "scope malformed (B44)": {
    refused: ["invalid_scope", 400, "scope_malformed"],
    send: changed({ scope: "a  b" }),
  },
  "resource not granted (B45)": {
    refused: ["invalid_target", 400, "resource_not_granted"],
    send: changed({ resource: "https://api.example/" }),
  },
  "resource malformed (B45)": {
    refused: ["invalid_target", 400, "resource_malformed"],
    send: changed({ resource: "api" }),
  },
};

/** The correct request, by the client of the code. */
function correct(world: World, code: string, client: string): Promise<Response> {
  if (client === "basic") return world.redeem(code, { client_id: undefined }, basicClient);
  if (client === "post") return world.redeem(code, { client_id: "post", client_secret: "post-secret" });
  return world.redeem(code);
}

for (
  const [name, row] of Object.entries({ ...badBodies, ...badParameters, ...badAuthentication, ...badGrants })
) {
  const { refused: [error, status, reason], send, of = "public" } = row;
  test(`token: ${name} is refused in JSON, and changes nothing (B8)`, () =>
    inWorld(options, async (world) => {
      const code = await world.code({ client_id: of });
      const terms = { error, status, reason, challenge: status === 401 ? challenge : null };
      await assertRefusedInJson(world, await send(world, code), terms);
      // A client without the grant type has no correct request.
      if (of !== "no grant") await assertTokens(await correct(world, code, of));
    }));
}

for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
  test(`token: ${method} is refused and changes nothing (B1)`, () =>
    inWorld(options, async (world) => {
      const code = await world.code();
      const query = new URLSearchParams({ grant_type: "authorization_code", code, client_id: "public" });
      const response = await world.fetch(new Request(`${world.issuer}/oauth2/token?${query}`, { method }));
      assertEquals([response.status, response.headers.get("allow")], [405, "POST"]);
      assertEquals(world.lastRefusal()?.reason, "method_not_allowed");
      assertEquals(response.headers.get("cache-control"), "no-store");
      await assertTokens(await world.redeem(code));
    }));
}
