/** Where each error of an authorization request goes, one row per test. */

import { assertEquals, assertNotMatch, assertStringIncludes } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { memoryStore, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { fail, OAuthError } from "../../../src/server/oauth/contracts/refusals.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { clients, inWorld, type Params, redirectUri } from "../../world.ts";
import { assertCode, assertRefusedByRedirect, assertRefusedOnPage } from "./refusals.ts";

const options = {
  clients: [
    ...clients,
    {
      client_id: "several",
      redirect_uris: [redirectUri, "https://app.example/other"],
      oauth_version: "2.1" as const,
    },
    { client_id: "nowhere" },
    { client_id: "no flow", redirect_uris: [redirectUri], response_types: [] },
    { client_id: "no grant", redirect_uris: [redirectUri], grant_types: [] },
  ],
};

const it = testWith(options);

// These errors stay on a page of the server, because no verified redirect URI could receive them.
const pages: readonly (readonly [name: string, changed: Params, reason: string])[] = [
  ["client_id in another case (OAuth 2.1 §1.9, §4.1.2.1)", { client_id: "Public" }, "client_unknown"],
  [
    "redirect_uri missing, several registered (OAuth 2.1 §2.3.2)",
    { client_id: "several", redirect_uri: undefined },
    "redirect_uri_missing",
  ],
  ["no redirect_uri registered (OAuth 2.1 §2.3.1)", { client_id: "nowhere" }, "redirect_uri_none_registered"],
  ["response_mode in another case (OAuth 2.1 §1.9)", { response_mode: "Query" }, "response_mode_unsupported"],
];

for (const [name, changed, reason] of pages) {
  it(`authorize: ${name} stays on a page, with 400 (OAuth 2.1 §4.1.2.1)`, async ({ world }) => {
    const response = await world.authorize(changed);
    await assertRefusedOnPage(world, response, { error: "invalid_request", reason });
    assertCode(await world.authorize());
  });
}

test("authorize: on a page, invalid_client has status 400 and no challenge (OAuth 2.1 §4.1.2.1)", () => {
  const handle = () =>
    fail(new OAuthError("invalid_client", "Client authentication failed", { reason: "made_up" }));
  const endpoint = { method: "GET", path: "/made_up", refusal: "page", handle } as const;
  const feature = { name: "made_up", spec: "none", endpoints: [endpoint] };
  return inWorld(
    { features: [...defaultFeatures({ ...everyFeature, firstUse: false }), feature] },
    async (world) => {
      const expected = { error: "invalid_client", reason: "made_up", status: 400 };
      await assertRefusedOnPage(world, await world.get("/made_up"), expected);
    },
  );
});

it("authorize: the page for an unsupported response_mode has no error code (OpenID Connect Core §3.1.2.6)", async ({ world }) => {
  const html = await (await world.authorize({ response_mode: "pigeon" })).text();
  assertNotMatch(html, /invalid_request/);
  assertStringIncludes(html, "pigeon");
});

const misnamed = { response_type: undefined, Response_Type: "code" };
const noType = "invalid_request response_type_missing";
const otherType = "unsupported_response_type response_type_unsupported";
const repeated = "invalid_request repeated_parameter";
const badResource = "invalid_target resource_malformed";
const noFlow = "unauthorized_client client_lacks_code_flow";
const unregistrable = "registration_not_supported parameter_unsupported";

const redirects: readonly (readonly [name: string, changed: Params, errorAndReason: string])[] = [
  ["response_type missing (OAuth 2.1 §4.1.1)", { response_type: undefined }, noType],
  ["response_type named in another case (OAuth 2.1 §1.9, §4.1.1)", misnamed, noType],
  ["response_type=CODE (OAuth 2.1 §1.9, §4.1.1)", { response_type: "CODE" }, otherType],
  ["response_type=code id_token (OAuth 2.1 §4.1.1)", { response_type: "code id_token" }, otherType],
  ["request twice, the first empty (OAuth 2.1 §3.1)", { request: ["", "eyJ"] }, repeated],
  ["request_uri twice, the first empty (OAuth 2.1 §3.1)", { request_uri: ["", "urn:x"] }, repeated],
  ["registration twice, the first empty (OAuth 2.1 §3.1)", { registration: ["", "{}"] }, repeated],
  ["second resource malformed (RFC 8707 §2)", { resource: ["https://api.example/", "api"] }, badResource],
  ["client without response types (OAuth 2.1 §4.1.2.1)", { client_id: "no flow" }, noFlow],
  ["client without grant types (OAuth 2.1 §4.1.2.1)", { client_id: "no grant" }, noFlow],
  ["registration (OpenID Connect Core §6.1)", { registration: "{}" }, unregistrable],
];

for (const [name, changed, errorAndReason] of redirects) {
  const [error = "", reason = ""] = errorAndReason.split(" ");
  it(`authorize: ${name} goes to the client (OAuth 2.1 §4.1.2.1)`, async ({ world }) => {
    assertRefusedByRedirect(world, await world.authorize(changed), { error, reason });
    const stateless = await world.authorize({ ...changed, state: undefined });
    assertRefusedByRedirect(world, stateless, { error, reason, state: null });
    assertCode(await world.authorize());
  });
}

/** A store whose puts of this kind fail. */
function failingStore(kind: string, error: () => Error): Store {
  const store = memoryStore();
  return {
    ...store,
    put: (of, ...rest) => of.name === kind ? Promise.reject(error()) : store.put(of, ...rest),
  };
}

const faults: readonly (readonly [name: string, fault: (text: string) => Error, errorAndReason: string])[] = [
  ["an internal fault", (text) => new Error(text), "server_error unexpected_error"],
  ["overload", (text) => new StoreUnavailable(text), "temporarily_unavailable store_unavailable"],
];

for (const [name, fault, errorAndReason] of faults) {
  const [error = "", reason = ""] = errorAndReason.split(" ");
  test(`authorize: ${name} after validation goes to the client, without its cause (OAuth 2.1 §4.1.2.1)`, () =>
    inWorld({ store: failingStore("grant", () => fault("canary")) }, async (world) => {
      const params = assertRefusedByRedirect(world, await world.authorize(), { error, reason });
      assertNotMatch(params.toString(), /canary|\.ts/);
      assertEquals((world.journal.at(-1)?.facts.fault as Error).message, "canary");
    }));
}
