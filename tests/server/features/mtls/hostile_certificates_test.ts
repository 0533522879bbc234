/** Certificates that a client has built to mislead or to occupy the server (RFC 8705 §7.4, RFC 5280 §6). */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { exportJWK } from "jose";
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import * as der from "../../../../src/ground/crypto/x509/der.ts";
import { nameConstraints } from "../../../../src/ground/crypto/x509/general_names.ts";
import { readCertificates, toPem } from "../../../../src/ground/crypto/x509/pem.ts";
import { measureEffort } from "../../../effort.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { assertRefused, refusalOf } from "../../tokens/bearer.ts";
import { createWorld, inWorld, type WorldOptions } from "../../../world.ts";
import { authority, certify, post, validity } from "./certificates.ts";

type Keys = Readonly<Record<"publicKey" | "privateKey", KeyObject>>;

const createKeys = (): Keys => generateKeyPairSync("ec", { namedCurve: "P-256" });

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

const nameOf = (name: string) =>
  der.sequence(der.setOf(der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(name))));

const extension = (id: string, value: der.Octets) =>
  der.sequence(der.objectIdentifier(id), der.octetString(value));

const isAuthority = extension("2.5.29.19", der.sequence(der.booleanTrue()));
const keyUsage = (...bits: number[]) => extension("2.5.29.15", der.namedBits(...bits));
const nameLimits = nameConstraints({ permitted: ["partner.example"] });
const forPurpose = (id: string) => extension("2.5.29.37", der.sequence(der.objectIdentifier(id)));
const forServers = forPurpose("1.3.6.1.5.5.7.3.1");
const forAnything = forPurpose("2.5.29.37.0");
// DER leaves it out, but some programs write it.
const booleanFalse = new Uint8Array([0x01, 0x01, 0x00]);
const unknownExtension = (critical: der.Octets) =>
  der.sequence(der.objectIdentifier("1.2.3.4"), critical, der.octetString(der.utf8String("a")));

let serialNumber = 0;

/** Returns a certificate in PEM. Without terms, the subject signs itself. */
function build(
  subject: string,
  { publicKey, privateKey }: Keys,
  { issuer = subject, by = privateKey, from = validity.from, until = validity.until, extensions = [] }: {
    readonly issuer?: string;
    readonly by?: Keys["privateKey"];
    readonly from?: number;
    readonly until?: number;
    readonly extensions?: readonly der.Octets[];
  } = {},
): string {
  const signed = der.sequence(
    der.explicit(0, der.integer([2])),
    der.integer([1, ++serialNumber]),
    ecdsaWithSha256,
    nameOf(issuer),
    der.sequence(der.time(from), der.time(until)),
    nameOf(subject),
    new Uint8Array(publicKey.export({ format: "der", type: "spki" })),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signature = der.bitString(sign("sha256", signed, by));
  return toPem("CERTIFICATE", der.sequence(signed, ecdsaWithSha256, signature));
}

const method = { token_endpoint_auth_method: "tls_client_auth", grant_types: ["client_credentials"] };
const form = { grant_type: "client_credentials" };
const app = { ...method, client_id: "app", tls_client_auth_subject_dn: "CN=app" };

test("tls_client_auth: a certificate cannot hide that of another client in an extension (RFC 8705 §7.4)", async () => {
  const [other, owner] = [await certify("CN=other"), await certify("CN=owner", { by: "itself" })];
  const hiding = (pem: string) =>
    build("app", createKeys(), {
      extensions: [extension("1.2.3.4", new TextEncoder().encode(`\n${pem}`))],
    });
  const jwk = await exportJWK(new X509Certificate(owner.cert).publicKey) as Record<string, string>;
  const own = {
    ...method,
    client_id: "own",
    token_endpoint_auth_method: "self_signed_tls_client_auth",
    jwks: { keys: [jwk] },
  };
  await using world = createWorld({ mtls: { ca: authority.cert }, clients: [app, own] });
  const ask = (client_id: string, pem: string) =>
    refusalOf(world, post(world, "/oauth2/token", { ...form, client_id }, { cert: hiding(pem) }));
  assertEquals(await ask("app", other.cert), [401, "invalid_client", "certificate_untrusted"]);
  assertEquals(await ask("own", owner.cert), [401, "invalid_client", "certificate_key_differs"]);
});

test("tls_client_auth: certificates that sign one another do not occupy the server (RFC 5280 §6)", async () => {
  const keys = createKeys();
  const ring = Array.from({ length: 9 }, () => build("ring", keys, { extensions: [isAuthority] }));
  const leaf = build("app", createKeys(), { issuer: "ring", by: keys.privateKey });
  await using world = createWorld({ mtls: { ca: authority.cert }, clients: [app] });
  const ask = (cert: string) =>
    refusalOf(world, post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert }));
  const refused = [401, "invalid_client", "certificate_untrusted"];
  assertEquals(await ask(leaf + ring[0]), refused);
  const effort = await measureEffort(async () => assertEquals(await ask(leaf + ring.join("")), refused));
  assert(effort < 60, `${effort}`);
});

const root = createKeys();
const rootOptions = { extensions: [isAuthority] };
const trusted = build("Root", root, rootOptions);

const between: readonly (readonly [string, readonly der.Octets[], boolean])[] = [
  ["may sign certificates (§4.2.1.3)", [isAuthority, keyUsage(5, 6)], true],
  ["may only sign other things (§4.2.1.3)", [isAuthority, keyUsage(0)], false],
  ["is for servers only (§4.2.1.12)", [isAuthority, forServers], false],
  ["is for any purpose (§4.2.1.12)", [isAuthority, forAnything], true],
  ["is no authority (§4.2.1.9)", [keyUsage(5)], false],
  ["has no extension (§4.2.1.9)", [], false],
  ["says that it is none (§4.2.1.9)", [extension("2.5.29.19", der.sequence(booleanFalse))], false],
  ["has an unknown extension (§4.2)", [isAuthority, unknownExtension(booleanFalse)], true],
  [
    "has an unknown extension that is critical (§4.2)",
    [isAuthority, unknownExtension(der.booleanTrue())],
    false,
  ],
  // The server does not compare names with these limits, so nobody may sign for it under them.
  ["has name constraints (§6.1.4 (g))", [isAuthority, extension("2.5.29.30", nameLimits)], false],
];

const it = testInWorld({ mtls: { ca: trusted }, clients: [app] });

for (const [what, extensions, isAccepted] of between) {
  it(`tls_client_auth: a chain is ${isAccepted ? "accepted" : "refused"} if the certificate between ${what} (RFC 5280 §6.1.4)`, async (world) => {
    const [middle, leaf] = [createKeys(), createKeys()];
    const cert = build("app", leaf, { issuer: "Middle", by: middle.privateKey }) +
      build("Middle", middle, { issuer: "Root", by: root.privateKey, extensions });
    const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
    if (isAccepted) assertEquals((await asked).status, 200);
    else await assertRefused(world, asked, "401 invalid_client certificate_untrusted");
  });
}

test("tls_client_auth: an authority with name constraints is refused, with the extension (RFC 5280 §6.1.4 (g))", async () => {
  const limited = build("Root", root, { extensions: [isAuthority, extension("2.5.29.30", nameLimits)] });
  const cert = build("app", createKeys(), { issuer: "Root", by: root.privateKey });
  await using world = createWorld({ mtls: { ca: limited }, clients: [app] });
  const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  await assertRefused(world, asked, "401 invalid_client certificate_untrusted");
  assertEquals(
    world.lastRefusal()?.received,
    '"CN=Root", with extensions that this server does not process: 2.5.29.30',
  );
});

const leaves: readonly (readonly [what: string, extensions: readonly der.Octets[], isAccepted: boolean])[] = [
  // The handshake signs.
  ["whose keyUsage has digitalSignature (§4.2.1.3)", [keyUsage(0)], true],
  ["whose keyUsage has digitalSignature and keyAgreement (§4.2.1.3)", [keyUsage(0, 4)], true],
  ["whose keyUsage has keyEncipherment (§4.2.1.3)", [keyUsage(2)], false],
  ["whose keyUsage has keyCertSign (§4.2.1.3)", [keyUsage(5)], false],
  ["for any purpose (§4.2.1.12)", [forAnything], true],
  ["for servers only (§4.2.1.12)", [forServers], false],
  ["with an unknown extension (§4.2)", [unknownExtension(booleanFalse)], true],
  ["with an unknown extension that is critical (§4.2)", [unknownExtension(der.booleanTrue())], false],
];

for (const [what, extensions, isAccepted] of leaves) {
  it(`tls_client_auth: a certificate ${what} is ${isAccepted ? "accepted" : "refused"} (RFC 5280 §6.1)`, async (world) => {
    const cert = build("app", createKeys(), { issuer: "Root", by: root.privateKey, extensions });
    const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
    if (isAccepted) assertEquals((await asked).status, 200);
    else await assertRefused(world, asked, "401 invalid_client certificate_untrusted");
  });
}

it("tls_client_auth: five certificates between the client and the authority are read, and no more (RFC 5280 §6)", async (world) => {
  const ask = (count: number) => {
    let [cert, issuer, by] = ["", "Root", root.privateKey];
    for (const subject of [...Array.from({ length: count }, (_, at) => `Level ${at}`), "app"]) {
      const keys = createKeys();
      cert = build(subject, keys, { issuer, by, extensions: subject === "app" ? [] : [isAuthority] }) +
        cert;
      [issuer, by] = [subject, keys.privateKey];
    }
    return post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  };
  assertEquals((await ask(5)).status, 200);
  await assertRefused(world, ask(6), "401 invalid_client certificate_untrusted");
});

it("tls_client_auth: an authority has at most as many authorities below it as its path length says (RFC 5280 §4.2.1.9)", async (world) => {
  const [upper, lower] = [createKeys(), createKeys()];
  const below = build("app", createKeys(), { issuer: "Lower", by: lower.privateKey }) +
    build("Lower", lower, { issuer: "Upper", by: upper.privateKey, extensions: [isAuthority] });
  const ask = (basicConstraints: der.Octets) => {
    const terms = { issuer: "Root", by: root.privateKey, extensions: [basicConstraints] };
    const cert = below + build("Upper", upper, terms);
    return post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  };
  assertEquals((await ask(isAuthority)).status, 200);
  const limited = (...length: readonly number[]) =>
    ask(extension("2.5.29.19", der.sequence(der.booleanTrue(), der.integer(length))));
  await assertRefused(world, limited(0), "401 invalid_client certificate_untrusted");
  assertEquals([(await limited(1)).status, (await limited(1, 0)).status], [200, 200]);
});

it("tls_client_auth: the refusal cuts a long name of the certificate (RFC 8705 §2.1)", async (world) => {
  const keys = createKeys();
  const name = "x".repeat(10_000);
  for (const terms of [{ issuer: name }, { issuer: "Root", by: root.privateKey, until: 1 }]) {
    const cert = build(name, keys, terms);
    assertEquals((await post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert })).status, 401);
    const { received = "" } = world.lastRefusal()!;
    assert(/"CN=x{100,200}…"/.test(received) && received.length < 400, received.slice(0, 500));
  }
});

it("tls_client_auth: a certificate is valid in its first and in its last second (RFC 5280 §4.1.2.5)", async (world) => {
  const { now } = world.clock;
  const ask = (from: number, until: number) => {
    const cert = build("app", createKeys(), { issuer: "Root", by: root.privateKey, from, until });
    return post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  };
  assertEquals((await ask(now, now)).status, 200);
  for (const [from, until] of [[now - 1, now - 1], [now + 1, now + 1]] as const) {
    await assertRefused(world, ask(from, until), "401 invalid_client certificate_not_valid_now");
  }
});

it("tls_client_auth: the name of the issuer counts, too, and not its signature alone (RFC 5280 §6.1.3 (a) (4))", async (world) => {
  const cert = build("app", createKeys(), { issuer: "Other", by: root.privateKey });
  const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  await assertRefused(world, asked, "401 invalid_client certificate_untrusted");
});

it("tls_client_auth: a certificate since 1950 is valid, and one until 1969 is not (RFC 5280 §4.1.2.5.1)", async (world) => {
  const terms = { issuer: "Root", by: root.privateKey };
  const year = (year: number) => Date.UTC(year, 0, 1) / 1000;
  const ask = (from: number, until: number) => {
    const cert = build("app", createKeys(), { ...terms, from: year(from), until: year(until) });
    return post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  };
  for (const from of [1950, 1969]) assertEquals((await ask(from, 2050)).status, 200, `${from}`);
  for (const until of [1950, 1969]) {
    await assertRefused(world, ask(1950, until), "401 invalid_client certificate_not_valid_now");
  }
});

test("tls_client_auth: an expired certificate of an authority does not hide its new one (RFC 5280 §6.1.1)", async () => {
  const expired = build("Root", root, { ...rootOptions, until: 1_000_000 });
  const cert = build("app", createKeys(), { issuer: "Root", by: root.privateKey });
  const outcome = (ca: string): WorldOptions => ({ mtls: { ca }, clients: [app] });
  await inWorld(outcome(expired + trusted), async (world) => {
    assertEquals((await post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert })).status, 200);
  });
  await using world = createWorld(outcome(expired));
  const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  await assertRefused(world, asked, "401 invalid_client certificate_not_valid_now");
});

it("tls_client_auth: the refusal says which certificate of a chain is not valid now (RFC 5280 §6.1.3)", async (world) => {
  const middle = createKeys();
  const between = { issuer: "Root", by: root.privateKey, extensions: [isAuthority] };
  const cert = build("app", createKeys(), { issuer: "Middle", by: middle.privateKey }) +
    build("Middle", middle, { ...between, until: 1_000_000 });
  const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
  await assertRefused(world, asked, "401 invalid_client certificate_not_valid_now");
  assertMatch(world.lastRefusal()!.received!, /CN=Middle.*valid from/);
});

// A certificate has a length of two octets: 30 82 xx xx becomes 30 83 00 xx xx.
const withLongLength = new Uint8Array([0x30, 0x83, 0, ...readCertificates(trusted)[0]!.subarray(2)]);

const wrongOctets: readonly (readonly [string, Uint8Array])[] = [
  ["one octet", new Uint8Array(1)],
  ["a length of 4 GB", new Uint8Array([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0])],
  ["an indefinite length", new Uint8Array([0x30, 0x80, 0, 0])],
  ["a certificate whose length is too long", withLongLength],
  ["10,000 nested sequences", new Uint8Array(20_000).fill(0x30)],
  ["trailing octets", new Uint8Array([...readCertificates(trusted)[0]!, 0])],
];

for (const [what, octets] of wrongOctets) {
  it(`tls_client_auth: ${what} instead of a certificate is invalid_client (RFC 8705 §2)`, async (world) => {
    const cert = toPem("CERTIFICATE", octets);
    const asked = post(world, "/oauth2/token", { ...form, client_id: "app" }, { cert });
    await assertRefused(world, asked, "401 invalid_client certificate_unreadable");
  });
}
