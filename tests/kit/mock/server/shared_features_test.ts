/** Mocks with the same options share their features. */

import { assertEquals } from "@std/assert";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
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
