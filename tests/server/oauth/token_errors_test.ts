/** The answer to each error of a token request, one row per test. */

import { assertEquals } from "@std/assert";
import { testWith } from "./test_in_world.ts";
import { clients, type Params, redirectUri, verifier, type World } from "../../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const options = {
  clients: [
    ...clients,
    { client_id: "no grant", redirect_uris: [redirectUri], grant_types: [], response_types: ["code"] },
  ],
};

const it = testWith(options);

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

const badBodies: Readonly<Record<string, Row>> = {
  "more than 100 parameters (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 400, "too_many_parameters"],
    send: changed(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, "x"]))),
  },
  "another charset (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 400, "not_a_form"],
    send: changed({}, { "content-type": "application/x-www-form-urlencoded; charset=utf-16" }),
  },
  "another charset in quotes (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 400, "not_a_form"],
    send: changed({}, { "content-type": 'application/x-www-form-urlencoded;charset="UTF-16"' }),
  },
  "a content encoding (OAuth 2.1 §3.2.2)": {
    refused: ["invalid_request", 415, "body_encoded"],
    send: changed({}, { "content-encoding": "gzip" }),
  },
};

const twice = ["invalid_request", 400, "repeated_parameter"] as const;
const absent = ["invalid_request", 400, "missing_parameter"] as const;

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
};

const wrongGrant = (reason: string) => ["invalid_grant", 400, reason] as const;

const badGrants: Readonly<Record<string, Row>> = {
  "a grant that is not for the client (OAuth 2.1 §3.2.4)": {
    of: "no grant",
    refused: ["unauthorized_client", 400, "grant_type_not_for_client"],
    send: changed({ client_id: "no grant" }),
  },
  "a code with another secret (OAuth 2.1 §3.2.4)": {
    refused: wrongGrant("code_unknown"),
    send: (world, code) => world.redeem(`${code.split(".")[0]}.${"A".repeat(43)}`),
  },
  "code_verifier missing (OAuth 2.1 §4.1.3)": {
    refused: wrongGrant("verifier_missing"),
    send: changed({ code_verifier: undefined }),
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

for (const [name, row] of Object.entries({ ...badBodies, ...badParameters, ...badGrants })) {
  const { refused: [error, status, reason], send, of = "public" } = row;
  it(`token: ${name} is refused in JSON, and changes nothing (OAuth 2.1 §3.2.4)`, async ({ world, store }) => {
    const code = await world.code({ client_id: of });
    store.forget();
    await assertRefusedInJson(world, await send(world, code), { error, status, reason });
    assertEquals(store.writes, []);
    // A client without the grant type has no correct request.
    if (of !== "no grant") await assertTokens(await world.redeem(code));
  });
}

it("token: the refusal of repeated parameters names the first one (OAuth 2.1 §3.2)", async ({ world }) => {
  await world.redeem("x", { scope: ["a", "a"], code: ["x", "x"] });
  assertEquals(world.lastRefusal()?.received, "code, more than once");
  await world.redeem("x", { state: ["a", "a"], scope: ["a", "a"] });
  assertEquals(world.lastRefusal()?.received, "state, more than once");
});

const mostParameters = 100;
const mostOctets = 64 * 1024;

it("token: a form of 100 parameters and 64 KB is accepted, and one octet more is not (OAuth 2.1 §3.2.2)", async ({ world }) => {
  const code = await world.code();
  const named = { grant_type: "authorization_code", client_id: "public", code, redirect_uri: redirectUri };
  const form = `${new URLSearchParams({ ...named, code_verifier: verifier })}`;
  const others = Array.from({ length: mostParameters - 5 }, (_, at) => `x${at}=`).join("&");
  const body = `${form}&${others}`.padEnd(mostOctets, "x");
  const tooLarge = { error: "invalid_request", status: 413, reason: "body_too_large" };
  await assertRefusedInJson(world, await world.post("/oauth2/token", `${body}x`), tooLarge);
  await assertTokens(await world.post("/oauth2/token", body));
});
