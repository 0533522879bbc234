/** Names of clients are texts that people can read as they are, wherever the client comes from (RFC 7591 §2.2, §5). */

import { assertEquals, assertThrows } from "@std/assert";
import { createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { clientId, documentOf, outcomeOf, withDocuments } from "./client_documents.ts";
import {
  assertRefused,
  nativeUri,
  register,
  registered,
  send,
  testInRegistration as it,
} from "./registration.ts";

const long = "must have at most 256 characters";
const invisible = (codePoint: string) => `must not have the invisible character ${codePoint}`;

/** Each line: a name, and what is wrong with it. */
const wrong: readonly (readonly [name: string, expected: string])[] = [
  ["n".repeat(257), long],
  ["\u{1f4bb}".repeat(257), long],
  ["Bank\0", invisible("U+0000")],
  ["Bank\nof Rome", invisible("U+000A")],
  ["Bank\u0085", invisible("U+0085")],
  ["Soft\u00adly", invisible("U+00AD")],
  ["\u202eknaB", invisible("U+202E")],
  ["\u2066Bank\u2069", invisible("U+2066")],
  ["Bank\u2028of Rome", invisible("U+2028")],
  ["\ufeffBank", invisible("U+FEFF")],
  ["Bank\u{e0041}", invisible("U+E0041")],
  ["\u200cBank", invisible("U+200C")],
  ["Bank\u200d", invisible("U+200D")],
  ["Bank \u200dof Rome", invisible("U+200D")],
  ["Ba\u200c\u200cnk", invisible("U+200C")],
];

const right: readonly string[] = [
  "n".repeat(256),
  "\u{1f4bb}".repeat(256),
  "Bank of Rome",
  "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  "\u0915\u094d\u200d\u0937",
  "\u{1f469}\u200d\u{1f4bb} Notes",
];

const places = ["client_name", "client_name#de", "client_name#ja-Hira-JP"];

it("client name: a registration and its update refuse what people cannot read (RFC 7591 §2.2)", async (world) => {
  const { client_id, registration_client_uri, registration_access_token: token } = await registered(world);
  for (const place of places) {
    for (const [name, expected] of wrong) {
      const metadata = { redirect_uris: [nativeUri], [place]: name };
      const body = { client_id, ...metadata };
      const updated = await send(world, "PUT", registration_client_uri, { body, token });
      for (const answered of [updated, await register(world, metadata)]) {
        assertRefused(world, answered, "400 invalid_client_metadata metadata_invalid");
        assertEquals(answered.body["error_description"], `${place} ${expected}`);
      }
    }
    for (const name of right) await registered(world, { [place]: name });
  }
});

test("client name: a client document with a name that people cannot read is refused (CIMD §4)", () =>
  withDocuments(async ({ world, host }) => {
    for (const [name, expected] of wrong) {
      host.answer = () => Response.json(documentOf({ "client_name#de": name }));
      world.clock.advance(61);
      assertEquals(await outcomeOf(world), "400 client_document_invalid");
      assertEquals(
        world.lastRefusal()?.expected,
        `client_name#de ${expected}, in the document at ${clientId}`,
      );
    }
    for (const name of right) {
      host.answer = () => Response.json(documentOf({ client_name: name }));
      world.clock.advance(24 * 3600);
      assertEquals(await outcomeOf(world), "code");
    }
  }));

test("client name: a server does not start with a name that people cannot read", () => {
  for (const [client_name, expected] of wrong) {
    const clients = [{ client_id: "app", client_name, redirect_uris: ["https://app.example/cb"] }];
    assertThrows(
      () => createServer({ issuer: "https://as.test", clients }),
      TypeError,
      `clients[0].client_name ${expected}`,
    );
  }
});
