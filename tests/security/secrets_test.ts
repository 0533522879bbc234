/** No store holds a secret that a reader of the store could use, and no redacted journal entry shows one. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { recordRequest } from "../../src/tools/cli/start/log.ts";
import { type JournalEntry, memoryStore, redact, type Store } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { createWorld, type World, worldDefaults, type WorldOptions } from "../world.ts";
import { everyFlowOptions, runEveryFlow, type Secret } from "./every_flow.ts";
import { formType, requestTo } from "./site.ts";

/**
 * What a store may hold in plain text, and why:
 *
 * - the id half of codes, sessions and opaque tokens: it finds the record and proves nothing;
 * - the SHA-256 hash of their secret half and of a first-use client's secret, for comparison;
 * - for refresh tokens the hash of the part that all tokens of a chain share, and the key that makes each token's
 *   proof: a token also needs the shared part itself, which only the client has;
 * - the PKCE challenge, which is a hash of the verifier;
 * - the private signing key and the encryption key, if the server made them: processes share them through the store, and
 *   only its owner can read SQLite's file (mode 600). With `signingKeys` the store has neither;
 * - the request: client, person, scope, resource, nonce, redirect URI, times.
 */
const allowed = {
  challenge: /"challenge":"[A-Za-z0-9_-]{43}"/,
  hash: /"(secretHash|hash)":"[A-Za-z0-9_-]{43}"/,
  privateKey: /"d":"[A-Za-z0-9_-]{43}"/,
  encryptionKey: /"sealing":"[A-Za-z0-9_-]{43}"/,
};

/** The encodings in which a store could hold a secret. */
function spellings(text: string): Buffer[] {
  const octets = Buffer.from(text);
  const spelled = [
    octets,
    Buffer.from(JSON.stringify(text).slice(1, -1)),
    Buffer.from(encodeURIComponent(text)),
    Buffer.from(octets.toString("base64").replace(/=+$/, "").slice(0, -1)),
    Buffer.from(octets.toString("base64url").slice(0, -1)),
    Buffer.from(octets.toString("hex")),
    octets.subarray(0, 12),
  ];
  // Most secrets are base64url, so their decoded bytes count as well.
  return /^[A-Za-z0-9_-]{43}$/.test(text) ? [...spelled, Buffer.from(text, "base64url")] : spelled;
}

function findIn(dump: Buffer, secrets: readonly Secret[]): readonly string[] {
  return secrets.filter(({ text }) => spellings(text).some((spelled) => dump.includes(spelled)))
    .map(({ what }) => what);
}

function assertNothingIn(dump: Buffer, secrets: readonly Secret[]): void {
  assertEquals(findIn(dump, secrets), []);
  const kinds = new Set(secrets.map(({ what }) => what.split(" ")[0]));
  const expected = ["code", "cookie", "access", "refresh", "ID", "assertion", "verifier", "secret"];
  for (const kind of [...expected, "password", "Basic", "encrypted", "state"]) {
    assert(kinds.has(kind), `the run had no ${kind} to look for`);
  }
}

/** Asserts that the dump holds what it may hold, which shows that the search works. */
function assertAllowedPresent(dump: Buffer, keysInside: boolean): void {
  const text = dump.toString("latin1");
  for (const [name, pattern] of Object.entries(allowed)) {
    const expected = keysInside || !name.endsWith("Key");
    assertEquals(pattern.test(text), expected, `${name} is ${expected ? "missing" : "present"}`);
  }
}

/** Records every put, in order. */
function recordingStore(): { readonly store: Store; readonly dump: () => Buffer } {
  const store = memoryStore();
  const lines: string[] = [];
  const put: Store["put"] = (kind, id, value, terms) => {
    lines.push(JSON.stringify([kind.name, id, value]));
    return store.put(kind, id, value, terms);
  };
  return { store: { ...store, put }, dump: () => Buffer.from(lines.join("\n")) };
}

/** The entry as a console, a file or a page would show it. */
function show(entry: JournalEntry): string {
  const seen = redact(entry);
  const shown = inspect(seen, { depth: 20, maxStringLength: Infinity, maxArrayLength: Infinity });
  return [JSON.stringify(seen), JSON.stringify(recordRequest(entry)), shown].join("\n");
}

function assertLeaksNothing(journal: readonly JournalEntry[], secrets: readonly Secret[]): void {
  for (const entry of journal) {
    const text = show(entry);
    const leaked = secrets.filter((secret) => text.includes(secret.text.slice(0, 8))).map(({ what }) => what);
    assertEquals(leaked, [], `${entry.request.method} ${entry.request.path}`);
  }
}

const ownKeys: WorldOptions = { issuer: "https://as.test", alg: "ES256" };

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`secrets, ${accessTokens} tokens: no record of a store holds one, at any time (RFC 6819 §5.1.4.1), and redact() removes each one and its first eight characters`, async () => {
    const { store, dump } = recordingStore();
    // One server makes its keys, and the other one has a configured key.
    const keysInside = accessTokens === "jwt";
    const options = { ...everyFlowOptions, ...(keysInside ? ownKeys : {}), accessTokens, store };
    const world = createWorld(options, keysInside ? {} : worldDefaults);
    const secrets = await runEveryFlow(world).finally(() => world.close());
    assertAllowedPresent(dump(), keysInside);
    assertNothingIn(dump(), secrets);

    assert(secrets.length > 30, `only ${secrets.length} secrets`);
    const raw = JSON.stringify(world.journal);
    // This client's secret is only ever sent encoded.
    for (const { what, text } of secrets.filter((each) => each.what !== "secret of the client basic")) {
      assert(raw.includes(text), `${what} is not in the raw journal, so its absence proves nothing`);
    }
    assertLeaksNothing(world.journal, secrets);
  });
}

test("secrets: the search finds one in each encoding, and nothing in other text", () => {
  const secrets = [
    { what: "code", text: "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE" },
    { what: "secret", text: "c0ffee: a+b%c" },
  ];
  const around = Buffer.from("octets before and after");
  assertEquals(findIn(Buffer.concat([around, around]), secrets), []);
  for (const { what, text } of secrets) {
    for (const spelled of spellings(text)) {
      assertEquals(findIn(Buffer.concat([around, spelled, around]), secrets), [what]);
    }
  }
});

const it = testInWorld({});

it("journal: redact() keeps client, subject, parameter names and the reason of a refusal", async (world) => {
  await world.redeem(await world.code(), { code_verifier: undefined });
  const [authorized, refused] = world.journal.map(redact);
  assertEquals([authorized!.facts.clientId, authorized!.facts.subject], ["public", "alice"]);
  assert(/(^|&)code_challenge=/.test(authorized!.request.query), authorized!.request.query);
  assertEquals([refused!.response.status, refused!.facts.refusal?.reason], [400, "verifier_missing"]);
  assert(/(^|&)grant_type=/.test(refused!.request.body ?? ""), refused!.request.body);
});

const canary = "c4n4ry-51d3kn0ck-0f-4-s3cr3t";

const inForm = (body: string) => (world: World) =>
  new Request(`${world.issuer}/oauth2/token`, { method: "POST", headers: formType, body });

const inHeader = (name: string, value: string) => (world: World) =>
  requestTo(world, { method: "POST", path: "/oauth2/token" }, { client_id: "public" }, { [name]: value });

/** Places where a client sends a secret by mistake. */
const misplaced: Readonly<Record<string, (world: World) => Request>> = {
  "JSON in a form": inForm(JSON.stringify({ client_id: "public", client_secret: canary })),
  "JSON in a form, with an equal sign": inForm(JSON.stringify({ url: "?a=b", code: canary })),
  "a form of one word": inForm(canary),
  "a form with a word beside its parameters": inForm(`client_id=public&${canary}&code=x`),
  "a word with padding": inForm(`${canary}==`),
  "a query of one word": (world) => new Request(`${world.issuer}/oauth2/authorize?${canary}`),
  "a query at the token endpoint": (world) =>
    new Request(`${world.issuer}/oauth2/token?code=${canary}`, { method: "POST" }),
  "the credentials of another scheme": inHeader("authorization", `Bearer ${canary}`),
  "a proxy's credentials": inHeader("proxy-authorization", `Basic ${canary}`),
  "a cookie of another program": inHeader("cookie", `other=${canary}`),
  "a referrer": inHeader("referer", `https://app.example/cb?code=${canary}`),
  "a key in a header": inHeader("x-api-key", canary),
  "a token that a proxy forwards": inHeader("x-forwarded-access-token", canary),
  "a proof of possession": inHeader("dpop", canary),
  "an assertion": inForm(`client_id=public&client_assertion=${canary}`),
};

for (const [what, build] of Object.entries(misplaced)) {
  it(`journal: redact() removes a secret in ${what}`, async (world) => {
    await world.fetch(build(world));
    assertEquals(world.journal.length, 1);
    assertLeaksNothing(world.journal, [{ what, text: canary }]);
  });
}
