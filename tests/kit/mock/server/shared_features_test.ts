/** Servers of mocks with the same options share their features, and those of others do not. */

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
import { findFeatures } from "../../../../src/kit/mock/server/shared_features.ts";
import { test } from "../../../runner.ts";

const rows: readonly (readonly [options: MockOptions, announced: string])[] = [
  [{}, "register, documents, dpop"],
  [{ registration: false }, "documents, dpop"],
  [{ clientDocuments: false }, "register, dpop"],
  [{ dpop: false }, "register, documents"],
  [{ issuer: "https://as.example.com" }, "documents, dpop"],
  [{ issuer: "https://other.test" }, "register, documents, dpop"],
  [{ also: ["https://as.example.com"] }, "documents, dpop"],
  [{ also: ["https://other.test"] }, "register, documents, dpop"],
];

test("features: those of a mock follow from its own options, also after mocks with others", async () => {
  for (const [options, announced] of [...rows, ...rows.toReversed()]) {
    await using as = await createMock(options);
    const response = await as.fetch(`${as.issuer}/.well-known/oauth-authorization-server`);
    const metadata = await response.json();
    const found = Object.entries({
      register: metadata.registration_endpoint,
      documents: metadata.client_id_metadata_document_supported,
      dpop: metadata.dpop_signing_alg_values_supported,
    });
    const names = found.filter(([, value]) => value !== undefined).map(([name]) => name);
    assertEquals(names.join(", "), announced, JSON.stringify(options));
  }
});

test("features: issuers that no other machine reaches share them, unless a tenant has something of its own", () => {
  const find = (issuer: string, isOwn = false) => findFeatures({ issuer }, isOwn);
  assertStrictEquals(find("https://one.test"), find("http://localhost:8080"));
  assert(find("https://one.test") !== find("https://as.example.com"));
  assert(find("https://one.test", true) !== find("https://one.test"));
  // Each other name counts as the issuer does.
  const findAlso = (...also: readonly string[]) => findFeatures({ issuer: "https://one.test", also }, false);
  assertStrictEquals(findAlso("https://two.test", "http://localhost:8080"), find("https://one.test"));
  for (const also of [["https://as.example.com"], ["https://two.test", "https://as.example.com"]]) {
    assertStrictEquals(findAlso(...also), find("https://as.example.com"));
  }
});

test("features: a client that needs mTLS is told the option of a mock, which has authorities of its own", async () => {
  const client = { client_id: "app", token_endpoint_auth_method: "tls_client_auth", redirect_uris: [] };
  await assertRejects(() => createMock({ clients: [client] }), Error, "set the option mtls)");
});
