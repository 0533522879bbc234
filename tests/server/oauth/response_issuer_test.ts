/** The options issAnnounced and issSent: a server that is wrong about iss, for tests of clients (RFC 9207). */

import { assertEquals } from "@std/assert";
import type { SeamValues } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { callbackParams, createWorld, inWorld } from "../../world.ts";
import { assertCannotCreate } from "./refusals.ts";

const sent = [
  ["right", "https://as.test"],
  ["absent", null],
  ["foreign", "https://another-issuer.invalid"],
  ["slash", "https://as.test/"],
] as const;

for (const [issSent, iss] of sent) {
  test(`issSent: with ${issSent}, codes and errors have ${iss ?? "no iss"} in every response mode (RFC 9207 §2)`, () =>
    inWorld({ issSent }, async (world) => {
      for (const changed of [{}, { scope: '"' }]) {
        assertEquals(callbackParams(await world.authorize(changed)).get("iss"), iss);
        const fragment = (await world.authorize({ ...changed, response_mode: "fragment" })).headers.get(
          "location",
        );
        assertEquals(new URLSearchParams(new URL(fragment!).hash.slice(1)).get("iss"), iss);
        const form = await (await world.authorize({ ...changed, response_mode: "form_post" })).text();
        assertEquals(form.includes('name="iss"'), iss !== null);
      }
      const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
      assertEquals([metadata.issuer, metadata.authorization_response_iss_parameter_supported], [
        "https://as.test",
        true,
      ]);
      // The sign-in works, and tokens have the right issuer.
      const tokens = await (await world.redeem(await world.code({ scope: "openid" }))).json();
      assertEquals(JSON.parse(atob(tokens.id_token.split(".")[1])).iss, "https://as.test");
    }));
}

test("issAnnounced: false leaves the member out of all metadata (RFC 9207 §3)", () =>
  inWorld({ issAnnounced: false }, async (world) => {
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const metadata = await (await world.get(`/.well-known/${name}`)).json();
      assertEquals("authorization_response_iss_parameter_supported" in metadata, false);
    }
  }));

test("issSent, issAnnounced: the journal names the option, and then the function at the same seam", () => {
  const alter = {
    authorization_response: (value: SeamValues["authorization_response"]) => ({
      ...value,
      params: [...value.params, ["sent", `${new Map(value.params).get("iss")}`]] as const,
    }),
    metadata: (members: SeamValues["metadata"]) => members,
  };
  return inWorld({ issSent: "slash", issAnnounced: false, seams: alter }, async (world) => {
    assertEquals(callbackParams(await world.authorize()).get("sent"), "https://as.test/");
    await world.get("/.well-known/oauth-authorization-server");
    assertEquals(world.journal.slice(-2).map(({ facts }) => facts.altered), [
      [
        { seam: "authorization_response", by: "the option issSent" },
        { seam: "authorization_response", by: "seams.authorization_response" },
      ],
      [{ seam: "metadata", by: "the option issAnnounced" }],
    ]);
  });
});

test("issSent: a right server has no function at any seam", () =>
  inWorld({ issSent: "right", issAnnounced: true }, async (world) => {
    await world.authorize();
    assertEquals(world.journal.map(({ facts }) => facts.altered), [undefined]);
  }));

test("issSent: another word is a set-up mistake", () =>
  assertCannotCreate(() => createWorld({ issSent: "wrong" as "right" }), "issSent must be one of"));
