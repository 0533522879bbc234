/** Each text of client metadata has a bound, wherever the client comes from (RFC 7591 §2, §5). */

import { assertEquals, assertThrows } from "@std/assert";
import { type ClientMetadata, createServer } from "../../../src/mod.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { describeClient } from "../../../src/server/oauth/clients/metadata/client_metadata.ts";
import type { Schema } from "../../../src/ground/schema/schema.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { test } from "../../runner.ts";
import { clientId, documentOf, outcomeOf, withDocuments } from "./client_documents.ts";
import { authority } from "./mtls/certificates.ts";
import { assertRefused, createRegistrationWorld, nativeUri, register, registered } from "./registration.ts";

/** The bounds in characters, by the place of the text. Others are one of a few words. */
const bounds: Readonly<Record<string, number>> = {
  client_secret: 1024,
  client_name: 256,
  "redirect_uris[0]": 2048,
  token_endpoint_auth_method: 256,
  "grant_types[0]": 256,
  "response_types[0]": 256,
  scope: 8192,
  client_uri: 2048,
  logo_uri: 2048,
  policy_uri: 2048,
  tos_uri: 2048,
  "contacts[0]": 256,
  software_id: 256,
  software_version: 256,
  jwks_uri: 2048,
  sector_identifier_uri: 2048,
  initiate_login_uri: 2048,
  backchannel_logout_uri: 2048,
  "post_logout_redirect_uris[0]": 2048,
  token_endpoint_auth_signing_alg: 256,
  tls_client_auth_subject_dn: 1024,
  tls_client_auth_san_dns: 1024,
  tls_client_auth_san_uri: 2048,
  tls_client_auth_san_ip: 1024,
  tls_client_auth_san_email: 1024,
  "introspects[0]": 2048,
  "authorization_details_types[0]": 2048,
  "token_exchange.from[0]": 2048,
  "token_exchange.to[0]": 2048,
  "token_exchange.actors[0]": 2048,
  "token_exchange.without_proof[0]": 2048,
  "token_exchange.id_jag[0].audience": 2048,
  "token_exchange.id_jag[0].client_id": 2048,
  "token_exchange.id_jag[0].scope": 8192,
};

function listTexts({ type, enum: words, properties = {}, items }: Schema, place: string): readonly string[] {
  if (type === "array" && items !== undefined) return listTexts(items, `${place}[0]`);
  const inside = Object.entries(properties).flatMap(([name, each]) => listTexts(each, `${place}.${name}`));
  return type === "string" && words === undefined ? [place] : inside;
}

test("client metadata: each text has a bound (RFC 7591 §5)", () => {
  const { properties = {} } = describeClient(gatherSlots(defaultFeatures(everyFeature)));
  const { client_id: _boundByItsForm, ...others } = properties;
  const texts = Object.entries(others).flatMap(([name, schema]) => listTexts(schema, name));
  assertEquals(texts.toSorted(), Object.keys(bounds).toSorted());
});

/** Returns metadata in which the text at the place has this length. */
function withText(place: string, length: number): Record<string, unknown> {
  const text = "n".repeat(length);
  const [name = "", ...inside] = place.split(/\.|(\[0\])/).filter(Boolean);
  const value = inside.reduceRight<unknown>(
    (value, each) => each === "[0]" ? [value] : { [each]: value },
    text,
  );
  return { [name]: value };
}

const tooLong = (place: string, by = 1) => withText(place, bounds[place]! + by);
const isOfJag = (place: string) => place.includes(".id_jag");

test("client metadata: a server does not start with a text that is too long (RFC 7591 §5)", () => {
  for (const [place, bound] of Object.entries(bounds).filter(([place]) => !isOfJag(place))) {
    const start = (metadata: object) =>
      createServer({
        issuer: "https://as.test",
        mtls: { ca: authority.cert },
        authorizationDetails: { payment: { schema: {}, title: "Pay", summary: "Pay" } },
        clients: [{
          client_id: "app",
          redirect_uris: ["https://app.example/cb"],
          ...metadata,
        }] as ClientMetadata[],
      });
    assertThrows(
      () => start(tooLong(place)),
      TypeError,
      `clients[0].${place} must have at most ${bound} characters`,
    );
  }
});

/** What a client may say about itself, in servers with mutual TLS. */
const ofStrangers = Object.keys(bounds).filter((place) =>
  !/^(client_secret|introspects|authorization_details|token_exchange|token_endpoint_auth_signing_alg)/.test(
    place,
  )
);

test("registration: a text that is too long is refused, with its bound (RFC 7591 §3.2.2)", async () => {
  await using world = createRegistrationWorld({ mtls: { ca: authority.cert } });
  for (const place of ofStrangers) {
    world.clock.advance(61);
    const answered = await register(world, { redirect_uris: [nativeUri], ...tooLong(place) });
    const refusal = place.startsWith("redirect_uris")
      ? "invalid_redirect_uri redirect_uri_invalid"
      : "invalid_client_metadata metadata_invalid";
    assertRefused(world, answered, `400 ${refusal}`);
    const problem = `${place} must have at most ${bounds[place]} characters`;
    assertEquals(answered.body["error_description"], problem);
  }
  for (const [name, length] of [["client_name", 256], ["software_id", 256]] as const) {
    await registered(world, withText(name, length));
  }
  const longest = `${nativeUri}?${"a".repeat(2048 - nativeUri.length - 1)}`;
  await registered(world, { redirect_uris: [longest] });
});

test("client documents: a text that is too long is refused, with its bound (CIMD §4)", () =>
  withDocuments(async ({ world, host }) => {
    // A document with a longer scope is longer than a document can be.
    for (const place of ofStrangers.filter((place) => place !== "scope")) {
      host.answer = () => Response.json(documentOf(tooLong(place)));
      world.clock.advance(61);
      assertEquals(await outcomeOf(world), "400 client_document_invalid", place);
      const problem = `${place} must have at most ${bounds[place]} characters`;
      assertEquals(world.lastRefusal()?.expected, `${problem}, in the document at ${clientId}`);
    }
  }, { mtls: { ca: authority.cert } }));
