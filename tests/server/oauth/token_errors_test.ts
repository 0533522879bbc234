/** The answer to each error of a token request, one row per test. */

import { assertEquals } from "@std/assert";
import { testWith } from "./test_in_world.ts";
import { basic, clients, type Params, redirectUri, verifier, type World } from "../../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const options = {
  clients: [
    ...clients,
    { client_id: "no grant", redirect_uris: [redirectUri], grant_types: [], response_types: ["code"] },
  ],
};

const it = testWith(options);

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

const notAForm = ["invalid_request", 400, "not_a_form"] as const;

const badBodies: Readonly<Record<string, Row>> = {
  "JSON (OAuth 2.1 §3.2.4)": { refused: notAForm, send: body("application/json", toJson) },
  "more than 64 KiB (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 413, "body_too_large"],
    send: body(form, (text) => `${text}&x=${"x".repeat(65_536)}`),
  },
  "more than 100 parameters (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 400, "too_many_parameters"],
    send: body(form, (text) => text + "&x".repeat(100)),
  },
  "a content encoding (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 415, "body_encoded"],
    send: changed({}, { "content-encoding": "gzip" }),
  },
};

const twice = ["invalid_request", 400, "repeated_parameter"] as const;
const absent = ["invalid_request", 400, "missing_parameter"] as const;
const twoWays = ["invalid_request", 400, "two_auth_methods"] as const;

const badParameters: Readonly<Record<string, Row>> = {
  "grant_type missing (OAuth 2.1 §3.2.4)": { refused: absent, send: changed({ grant_type: undefined }) },
  "grant_type empty (OAuth 2.1 §3.2, §3.2.4)": { refused: absent, send: changed({ grant_type: "" }) },
  "code missing (OAuth 2.1 §3.2.4)": { refused: absent, send: changed({ code: undefined }) },
  "client_id missing (OAuth 2.1 §4.1.3)": {
    refused: ["invalid_request", 400, "client_id_missing"],
    send: changed({ client_id: undefined }),
  },
  "grant_type twice (OAuth 2.1 §3.2)": {
    refused: twice,
    send: changed({ grant_type: Array(2).fill("authorization_code") }),
  },
  "code twice, one empty (OAuth 2.1 §3.2)": {
    refused: twice,
    send: (world, code) => world.redeem(code, { code: ["", code] }),
  },
  "an unknown parameter twice (OAuth 2.1 §3.2)": { refused: twice, send: changed({ 'é"\\': ["1", "1"] }) },
  "Basic and a secret in the body (OAuth 2.1 §2.4)": {
    of: "basic",
    refused: twoWays,
    send: changed({ client_id: "basic", client_secret: "basic secret: a+b%c" }, basicClient),
  },
  "Basic and another client_id in the body (OAuth 2.1 §2.4)": {
    of: "basic",
    refused: ["invalid_request", 400, "client_id_differs"],
    send: changed({ client_id: "post" }, basicClient),
  },
};

const failed = (reason: string) => ["invalid_client", 401, reason] as const;
const asBasic = (id: string, secret: string) => changed({ client_id: undefined }, basic(id, secret));

const badAuthentication: Readonly<Record<string, Row>> = {
  "Basic with a wrong secret (OAuth 2.1 §3.2.4)": {
    of: "basic",
    refused: failed("secret_wrong"),
    send: asBasic("basic", "x"),
  },
};

const otherGrant = ["unsupported_grant_type", 400, "grant_type_unsupported"] as const;
const notForClient = ["unauthorized_client", 400, "grant_type_not_for_client"] as const;
const wrongGrant = (reason: string) => ["invalid_grant", 400, reason] as const;
const unknownCode = wrongGrant("code_unknown");

const badGrants: Readonly<Record<string, Row>> = {
  "grant_type=password (OAuth 2.1 §3.2.4)": {
    refused: otherGrant,
    send: changed({ grant_type: "password" }),
  },
  "grant_type=refresh_token with an unknown token (OAuth 2.1 §3.2.4)": {
    refused: wrongGrant("refresh_unknown"),
    send: changed({ grant_type: "refresh_token", refresh_token: "bogus" }),
  },
  "grant_type=client_credentials of a public client (OAuth 2.1 §3.2.4)": {
    refused: notForClient,
    send: changed({ grant_type: "client_credentials" }),
  },
  "a grant that is not for the client (OAuth 2.1 §3.2.4)": {
    of: "no grant",
    refused: notForClient,
    send: changed({ client_id: "no grant" }),
  },
  "a code that was never issued (OAuth 2.1 §3.2.4)": {
    refused: unknownCode,
    send: changed({ code: "made-up" }),
  },
  "a code with another secret (OAuth 2.1 §3.2.4)": {
    refused: unknownCode,
    send: (world, code) => world.redeem(`${code.split(".")[0]}.${"A".repeat(43)}`),
  },
  "a code of another client (OAuth 2.1 §4.1.3)": {
    refused: wrongGrant("code_of_another_client"),
    send: changed({ client_id: undefined }, basicClient),
  },
  "code_verifier malformed (OAuth 2.1 §4.1.3)": {
    refused: ["invalid_request", 400, "verifier_malformed"],
    send: changed({ code_verifier: "short" }),
  },
  "code_verifier missing (OAuth 2.1 §4.1.3)": {
    refused: wrongGrant("verifier_missing"),
    send: changed({ code_verifier: undefined }),
  },
  "redirect_uri with a slash more (OAuth 2.1 §10.2)": {
    refused: wrongGrant("redirect_uri_differs"),
    send: changed({ redirect_uri: `${redirectUri}/` }),
  },
  "scope wider than granted (OAuth 2.1 §3.2.4)": {
    refused: ["invalid_scope", 400, "scope_not_granted"],
    send: changed({ scope: "read write" }),
  },
  "scope malformed (OAuth 2.1 §3.2.4)": {
    refused: ["invalid_scope", 400, "scope_malformed"],
    send: changed({ scope: "a  b" }),
  },
  "resource not granted (RFC 8707 §2.2)": {
    refused: ["invalid_target", 400, "resource_not_granted"],
    send: changed({ resource: "https://api.example/" }),
  },
  "resource malformed (RFC 8707 §2.2)": {
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
  it(`token: ${name} is refused in JSON, and changes nothing (OAuth 2.1 §3.2.4)`, async ({ world, store }) => {
    const code = await world.code({ client_id: of });
    store.forget();
    const terms = { error, status, reason, challenge: status === 401 ? challenge : null };
    await assertRefusedInJson(world, await send(world, code), terms);
    assertEquals(store.writes.filter((line) => !line.startsWith("put throttle ")), []);
    // A client without the grant type has no correct request.
    if (of !== "no grant") await assertTokens(await correct(world, code, of));
  });
}
