/** `start --snapshot`: a file that no server wrote is refused with its place, and changes nothing, or the server works with it. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { openSnapshot, planSnapshot } from "../../../src/tools/cli/start/snapshot_file.ts";
import { chance } from "../../chance.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { assertHarmless, recordSnapshot, tryFile, tryHostile } from "./hostile_snapshots.ts";

const it = testIn(inFolder);

it("hostile snapshot: what a server has written is taken, and it works with it", async (path) => {
  const { text, listRequests } = await recordSnapshot(path("ready.json"));
  assertEquals(await tryFile(path("same.json"), text, listRequests()), { failures: [] });
});

// All of them are in tests/slow.
test("hostile snapshot: any wrong value in one place is refused with the place, or the server works", () =>
  tryHostile((all) => Array.from({ length: 40 }, () => chance().pick(all))));

const session = { secretHash: "x", accounts: [] };
const record = { kind: "session", id: "a", expiresAt: 2e9, value: session };
const own = { name: "", people: [], clients: [], clock: { ahead: 0, skew: 0 }, records: [] };
const acme = { ...own, name: "acme" };
const key = { kty: "EC", crv: "P-256", x: "x", y: "y", d: "d" };
const [es256, rs256] = testKeysFor(["ES256", "RS256"]);
const keySet = (members: object) => [{
  kind: "key_set",
  id: "signing",
  expiresAt: 2e9,
  value: { signing: [], sealing: "A".repeat(43), ...members },
}];

const hostile: readonly (readonly [name: string, change: object, expected: RegExp])[] = [
  ["another version", { postern_snapshot: 2 }, /postern_snapshot must be 1/],
  ["no server", { servers: [] }, /servers must have 1 item or more/],
  ["a tenant without its server", { servers: [acme] }, /servers\[0\]\.name must be empty/],
  ["a tenant twice", { servers: [own, acme, acme] }, /servers\[2\]\.name must be another one than before/],
  [
    "a name of no tenant",
    { servers: [own, { ...own, name: "../a" }] },
    /A tenant cannot be called "\.\.\/a"/,
  ],
  [
    "a clock in milliseconds",
    serverWith({ clock: { ahead: 1e12, skew: 0 } }),
    /servers\[0\]\.clock must give a time/,
  ],
  [
    "a skew before 1970",
    serverWith({ clock: { ahead: 0, skew: -1e10 } }),
    /servers\[0\]\.clock must give a time/,
  ],
  [
    "a time that stands at no time",
    serverWith({ clock: { ahead: 0, skew: 0, frozenAt: -1 } }),
    /\.clock must give a time/,
  ],
  ["a person twice", serverWith({ people: [{ username: "a" }, { username: "a" }] }), /people\[1\]\.username/],
  ["a client without an id", serverWith({ clients: [{}] }), /clients\[0\]\.client_id is required/],
  [
    "a person of a tenant",
    { servers: [own, { ...acme, people: [{}] }] },
    /tenant acme: people\[0\]\.username is requ/,
  ],
  [
    "an unknown kind",
    serverWith({ records: [{ ...record, kind: "acme/grant" }] }),
    /records\[0\]\.kind must be one of access_token, /,
  ],
  [
    "a kind of every object",
    serverWith({ records: [{ ...record, kind: "__proto__" }] }),
    /records\[0\]\.kind must be one/,
  ],
  ["no value", serverWith({ records: [{ ...record, value: undefined }] }), /records\[0\]\.value is required/],
  [
    "a record twice",
    serverWith({ records: [record, record] }),
    /records\[1\] must have another id than servers\[0\]\.records\[0\]/,
  ],
  [
    "an end after the year 9999",
    serverWith({ records: [{ ...record, expiresAt: 1e15 }] }),
    /\[0\]\.expiresAt must be a number from 0/,
  ],
  [
    "a value of another kind",
    serverWith({ records: [{ ...record, kind: "grant" }] }),
    /value\.status is required/,
  ],
  [
    "an account of no time",
    withSession({ accounts: [{ subject: "a", sid: "b", authTime: "now", amr: [], clients: [] }] }),
    /accounts\[0\]\.authTime must be a number/,
  ],
  [
    "a key that is none",
    serverWith({ records: keySet({ signing: [{ alg: "ES256", jwk: key, signsFrom: 0 }] }) }),
    /signing\[0\]\.jwk must be a private key for ES256/,
  ],
  [
    "a key for another use",
    serverWith({
      records: keySet({ signing: [{ alg: "ES256", jwk: { ...es256, use: "enc" }, signsFrom: 0 }] }),
    }),
    /signing\[0\]\.jwk must be a private key for ES256/,
  ],
  [
    "a key with which nothing can be signed",
    serverWith({
      records: keySet({ signing: [{ alg: "RS256", jwk: { ...rs256, dp: "x" }, signsFrom: 0 }] }),
    }),
    /signing\[0\]\.jwk must be a private key for RS256/,
  ],
  [
    "a short key for cookies",
    serverWith({ records: keySet({ sealing: "AAAA" }) }),
    /value\.sealing must be 32 octets/,
  ],
  [
    "a key for cookies in another alphabet",
    serverWith({ records: keySet({ sealing: "+".repeat(43) }) }),
    /value\.sealing must be 32/,
  ],
  [
    "a long key for cookies",
    serverWith({ records: keySet({ sealing: "A".repeat(44) }) }),
    /value\.sealing must be 32/,
  ],
];

function serverWith(members: object): object {
  return { servers: [{ ...own, ...members }] };
}

function withSession(members: object): object {
  return serverWith({ records: [{ ...record, value: { ...session, ...members } }] });
}

for (const [name, change, expected] of hostile) {
  it(`hostile snapshot: ${name} is refused, and the sentence has the place`, async (path) => {
    const file = { postern_snapshot: 1, issuer: "https://as.test", servers: [own], ...change };
    const { refusal = "" } = await tryFile(path("hostile.json"), JSON.stringify(file), []);
    assertMatch(refusal, /^--snapshot .+hostile\.json: /);
    assertMatch(refusal, expected);
  });
}

it("hostile snapshot: records that reach for others are as good as none", async (path) => {
  const { text, listRequests } = await recordSnapshot(path("ready.json"));
  const [first, ...others] = JSON.parse(text).servers;
  const kinds = [...new Set<string>(first.records.map(({ kind }: { kind: string }) => kind))];
  for (const gone of kinds) {
    const records = first.records.filter(({ kind }: { kind: string }) => kind !== gone);
    const file = JSON.stringify({ ...JSON.parse(text), servers: [{ ...first, records }, ...others] });
    await assertHarmless(path("hostile.json"), { name: `no ${gone}`, text: file }, listRequests());
  }
  const expired = first.records.map((each: object) => ({ ...each, expiresAt: 1 }));
  const file = JSON.stringify({ ...JSON.parse(text), servers: [{ ...first, records: expired }] });
  await assertHarmless(path("hostile.json"), { name: "all expired", text: file }, listRequests());
});

it("hostile snapshot: a refused file leaves the records in a store as they are", async (path) => {
  const store = memoryStore();
  const clients = [{ client_id: "shop", redirect_uris: ["https://app.test/callback"] }];
  const open = () => createStartedMock({ issuer: "https://as.test", alg: "ES256", clients }, { store });
  const before = await open();
  const tokens = await before.mock.login("alice", { scope: "openid offline_access" });
  await before.mock.tenant("acme").login("alice");
  await before.mock.close();
  const records = [{ ...record, value: { accounts: 1 } }];
  const wrongServers = [{ people: [{}] }, { clients: [{}] }, { records }].map((
    wrong,
  ) => [own, { ...acme, ...wrong }]);
  for (const servers of wrongServers) {
    const file = path("hostile.json");
    await Deno.writeTextFile(
      file,
      JSON.stringify({ postern_snapshot: 1, issuer: "https://as.test", servers }),
    );
    const started = await open();
    const plan = await planSnapshot({ snapshot: file }, "https://as.test");
    await assertRejects(() => openSnapshot(plan, started));
    await started.mock.close();
  }
  await using as = (await open()).mock;
  assertEquals((await as.refresh({ ...tokens }, { client: "shop" })).token_type, "Bearer");
});
