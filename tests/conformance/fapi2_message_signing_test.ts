/**
 * The plan fapi2-message-signing-final-test-plan of the OpenID conformance suite, module by module: those about signed
 * requests, and those of the security profile with signed requests and responses.
 */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { encodePart, refusalOf } from "../tokens/bearer.ts";
import {
  describeVariant,
  inSuite,
  proofKeyOf,
  rsaKey,
  type Signing,
  type Suite,
  type Variant,
  variants,
} from "./fapi2_driver.ts";
import { belongsTo, type Module, modules } from "./fapi2_modules.ts";

/** The modules that the plan of the security profile lacks. `MS` is FAPI 2.0 Message Signing. */
const signingModules: readonly Module[] = [
  {
    name: "ensure-request-object-with-multiple-aud-succeeds",
    spec: "MS §5.3.1",
    walk: (suite) => walkAccepted(suite, { claims: { aud: [suite.world.issuer, "https://other.example"] } }),
  },
  {
    name: "ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted",
    spec: "SP §5.3.2.1-13",
    walk: (suite) => {
      const later = suite.world.clock.now + 8;
      return walkAccepted(suite, { claims: { nbf: later, iat: later } });
    },
  },
  {
    name: "ensure-request-object-without-exp-fails",
    spec: "MS §5.3.1",
    walk: (suite) => walkRefused(suite, { claims: { exp: undefined } }, "request_object_unbounded"),
  },
  {
    name: "ensure-request-object-without-nbf-fails",
    spec: "MS §5.3.1",
    walk: (suite) => walkRefused(suite, { claims: { nbf: undefined } }, "request_object_unbounded"),
  },
  {
    name: "ensure-expired-request-object-fails",
    spec: "RFC 9101 §10.2",
    walk: (suite) => {
      const { now } = suite.world.clock;
      const claims = { nbf: now - 900, iat: now - 900, exp: now - 300 };
      return walkRefused(suite, { claims }, "request_object_expired");
    },
  },
  {
    name: "ensure-request-object-with-bad-aud-fails",
    spec: "MS §5.3.1",
    walk: (suite) =>
      walkRefused(suite, { claims: { aud: "https://other.example" } }, "request_object_audience"),
  },
  {
    name: "ensure-request-object-with-exp-over-60-fails",
    spec: "MS §5.3.1",
    walk: (suite) => {
      const { now } = suite.world.clock;
      return walkRefused(suite, { claims: { exp: now + 70 * 60 } }, "request_object_unbounded");
    },
  },
  {
    name: "ensure-request-object-with-nbf-over-60-fails",
    spec: "MS §5.3.1",
    walk: (suite) => {
      const { now } = suite.world.clock;
      const claims = { nbf: now - 70 * 60, iat: now - 70 * 60 };
      return walkRefused(suite, { claims }, "request_object_unbounded");
    },
  },
  {
    name: "ensure-signed-request-object-with-RS256-fails",
    spec: "SP §5.4.1",
    walk: async (suite) => {
      const { privateKey } = await proofKeyOf(rsaKey, "RS256");
      const object = { header: { alg: "RS256", kid: "RSA" }, key: privateKey };
      await walkRefused(suite, object, "request_object_signature");
    },
  },
  {
    name: "ensure-request-object-signature-algorithm-is-not-none",
    spec: "SP §5.4.1",
    walk: (suite) => {
      const text = (signed: string) => `${encodePart({ alg: "none" })}.${signed.split(".")[1]}.`;
      return walkRefused(suite, { text }, "request_object_unsigned");
    },
  },
  {
    name: "ensure-request-object-with-invalid-signature-fails",
    spec: "RFC 9101 §6.2",
    walk: (suite) => {
      const text = (signed: string) =>
        signed.slice(0, -8) + (signed.at(-8) === "A" ? "B" : "A") + signed.slice(-7);
      return walkRefused(suite, { text }, "request_object_signature");
    },
  },
  {
    name: "ensure-matching-key-in-authorization-request",
    spec: "RFC 9101 §6.2",
    walk: (suite) =>
      walkRefused(
        suite,
        { header: { alg: "EdDSA", kid: "EdDSA" }, key: suite.second.key.privateKey },
        "request_object_signature",
      ),
  },
  {
    name: "ensure-unsigned-request-at-par-endpoint-fails",
    spec: "MS §5.3.1",
    walk: async (suite) => {
      assertEquals(await refusalOf(suite.world, suite.push({ object: "absent" })), [
        400,
        "invalid_request",
        "request_source_required",
      ]);
    },
  },
  {
    name: "par-authorization-request-containing-request_uri",
    spec: "RFC 9126 §2.1",
    walk: (suite) =>
      walkRefused(suite, { claims: { request_uri: "urn:example:request" } }, "request_object_nested"),
  },
];

async function walkAccepted(suite: Suite, object: Signing): Promise<void> {
  const { params } = await suite.authorize({ object });
  assertEquals(params.get("error"), null);
  const response = await suite.redeem(params.get("code")!);
  assertEquals(response.status, 200);
}

async function walkRefused(suite: Suite, object: Signing, reason: string): Promise<void> {
  const expected = [400, "invalid_request_object", reason];
  assertEquals(await refusalOf(suite.world, suite.push({ object })), expected);
}

const [usual] = variants;

const signingVariants: readonly Variant[] = [
  ...variants.map((variant) => ({ ...variant, signsRequests: true, signsResponses: true }) as const),
  // A client may do without one of the two.
  { ...usual!, signsRequests: true },
  { ...usual!, signsResponses: true },
];

for (const variant of signingVariants) {
  const all = variant.signsRequests ? [...modules, ...signingModules] : modules;
  for (const module of all.filter((each) => belongsTo(each, variant))) {
    test(`conformance, FAPI 2 (${describeVariant(variant)}): ${module.name} (${module.spec})`, () =>
      inSuite(variant, module.walk));
  }
}
