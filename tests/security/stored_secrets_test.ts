/** No store holds a secret that a reader of the store could use. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore, type Store } from "../../src/mod.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { test } from "../runner.ts";
import { createWorld, worldDefaults, type WorldOptions } from "../world.ts";
import { everyFlowOptions, runEveryFlow, type Secret } from "./every_flow.ts";

/**
 * What a store may hold in plain text, and why:
 *
 * - the id half of codes, sessions and opaque tokens: it finds the record and proves nothing;
 * - the SHA-256 hash of their secret half and of a first-use client's secret, for comparison;
 * - for refresh tokens the hash of the part that all tokens of a chain share, and the key that makes each token's
 *   proof: a token also needs the shared part itself, which only the client has;
 * - the PKCE challenge, which is a hash of the verifier;
 * - the private signing key and the sealing key, if the server made them: processes share them through the store, and
 *   only its owner can read SQLite's file (mode 600). With `signingKeys` the store has neither;
 * - the request: client, person, scope, resource, nonce, redirect URI, times.
 */
const allowed = {
  challenge: /"challenge":"[A-Za-z0-9_-]{43}"/,
  hash: /"(secretHash|hash)":"[A-Za-z0-9_-]{43}"/,
  privateKey: /"d":"[A-Za-z0-9_-]{43}"/,
  sealingKey: /"sealing":"[A-Za-z0-9_-]{43}"/,
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
  return secrets.filter(({ text }) => spellings(text).some((spelled) => dump.includes(spelled))).map((
    { what },
  ) => what);
}

function assertNothingIn(dump: Buffer, secrets: readonly Secret[]): void {
  assertEquals(findIn(dump, secrets), []);
  const kinds = new Set(secrets.map(({ what }) => what.split(" ")[0]));
  for (
    const kind of [
      "code",
      "cookie",
      "access",
      "refresh",
      "ID",
      "assertion",
      "verifier",
      "secret",
      "password",
      "Basic",
      "sealed",
      "state",
    ]
  ) {
    assert(kinds.has(kind), `the run had no ${kind} to look for`);
  }
}

/** Records every put, in order. */
function recordingStore(): { readonly store: Store; readonly dump: () => Buffer } {
  const store = memoryStore();
  const lines: string[] = [];
  const recording: Store = {
    ...store,
    put(kind, id, value, terms) {
      lines.push(JSON.stringify([kind.name, id, value]));
      return store.put(kind, id, value, terms);
    },
  };
  return { store: recording, dump: () => Buffer.from(lines.join("\n")) };
}

async function readFolder(folder: string): Promise<{ readonly names: string[]; readonly dump: Buffer }> {
  const names = (await readdir(folder)).sort();
  return { names, dump: Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name))))) };
}

const hasSqlite = await import("node:sqlite").then(() => true, () => false);

const ownKeys: WorldOptions = { issuer: "https://as.test", alg: "ES256" };

interface Case {
  readonly what: string;
  readonly options: WorldOptions;
  readonly defaults: WorldOptions;
  readonly keysInside: boolean;
}

const cases: readonly Case[] = (["jwt", "opaque"] as const).flatMap((accessTokens) => [
  {
    what: `${accessTokens} tokens, keys that the server makes`,
    options: { ...everyFlowOptions, ...ownKeys, accessTokens },
    defaults: {},
    keysInside: true,
  },
  {
    what: `${accessTokens} tokens, a configured key`,
    options: { ...everyFlowOptions, accessTokens },
    defaults: worldDefaults,
    keysInside: false,
  },
]);

/** Asserts that the dump holds what it may hold, which shows that the search works. */
function assertAllowedPresent(dump: Buffer, keysInside: boolean): void {
  const text = dump.toString("latin1");
  for (const [name, pattern] of Object.entries(allowed)) {
    const expected = keysInside || !name.endsWith("Key");
    assertEquals(pattern.test(text), expected, `${name} is ${expected ? "missing" : "present"}`);
  }
}

for (const { what, options, defaults, keysInside } of cases) {
  test(`memory, ${what}: no record holds a secret, at any time (RFC 6819 §5.1.4.1)`, async () => {
    const { store, dump } = recordingStore();
    const world = createWorld({ ...options, store }, defaults);
    const secrets = await runEveryFlow(world).finally(() => world.close());
    assertAllowedPresent(dump(), keysInside);
    assertNothingIn(dump(), secrets);
  });

  const name = `SQLite, ${what}: no file of the database holds a secret (RFC 6819 §5.1.4.1)`;
  if (!hasSqlite) test.skip(name, "this runtime has no node:sqlite");
  else {
    test(name, async () => {
      const folder = await mkdtemp(join(tmpdir(), "postern-"));
      const store = await sqliteStore(join(folder, "store.db"));
      try {
        const world = createWorld({ ...options, store }, defaults);
        const secrets = await runEveryFlow(world).finally(() => world.close());
        const running = await readFolder(folder);
        assertEquals(running.names, ["store.db", "store.db-shm", "store.db-wal"]);
        await store.close();
        for (const { dump } of [running, await readFolder(folder)]) {
          assertAllowedPresent(dump, keysInside);
          assertNothingIn(dump, secrets);
        }
      } finally {
        await store.close();
        await rm(folder, { recursive: true });
      }
    });
  }
}

test("store: the search finds a secret in each encoding, and nothing in other text", () => {
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
