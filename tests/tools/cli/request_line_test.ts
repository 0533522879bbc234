/** The line for each request: what it says, and that it has no secrets. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { describeRequest, isWorthALine } from "../../../src/tools/cli/start/request_line.ts";
import { recordRequest } from "../../../src/tools/cli/start/log.ts";
import type { JournalEntry } from "../../../src/mod.ts";
import { entryOf } from "../../kit/mock/journal/journal_entries.ts";
import { runWithSecrets, secretOptions } from "../../kit/mock/journal/secret_run.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, createWorld, inWorld, type World } from "../../world.ts";

const plain = createColours({ isTTY: false });

function lines({ journal }: World): string {
  return journal.map((entry) => describeRequest(entry, plain)).join("\n");
}

const it = testInWorld({});

it("request line: it names the request, the status, the client and the person", async (world) => {
  await world.redeem(await world.code());
  const time = String.raw`\d\d:\d\d:\d\d`;
  assertMatch(
    lines(world),
    new RegExp(`^${time}  303    0 ms  GET     /oauth2/authorize +public  alice$`, "m"),
  );
  assertMatch(
    lines(world),
    new RegExp(`^${time}  200    0 ms  POST    /oauth2/token +public  authorization_code  alice$`, "m"),
  );
});

test("request line: it begins with the time of this machine", () => {
  for (const receivedAt of [1_800_000_000, 1_800_003_661.5, 1_790_000_000 + 86_399]) {
    const line = describeRequest({ ...createEntry({}), receivedAt }, plain);
    assertEquals(line.slice(0, 10), `${new Date(receivedAt * 1000).toTimeString().slice(0, 8)}  `);
  }
});

test("request line: a request that guard accepts has no status, because the caller answers it", () => {
  const entry = createEntry({ clientId: "a" });
  const line = describeRequest({ ...entry, response: { ...entry.response, status: 0 } }, plain);
  assertEquals(line.slice(8).replace(/ +a$/, " a"), "  ok     0 ms  GET     / a");
});

it("request line: a client that the server does not know is named so, at each endpoint", async (world) => {
  await world.authorize({ client_id: "stranger" });
  await world.post("/oauth2/token", { grant_type: "client_credentials" }, basic("stranger", "canary"));
  await world.get("/connect/logout?client_id=stranger");
  assertEquals(
    lines(world).split("\n").filter((line) => /^\d/.test(line)).map((line) => line.slice(23)),
    [
      "GET     /oauth2/authorize        stranger (unknown)",
      "POST    /oauth2/token            stranger (unknown)  client_credentials",
      "GET     /connect/logout          stranger (unknown)",
    ],
  );
});

test("request line: an unknown client_id that may be a secret is hidden", async () => {
  const clients = [{
    client_id: "shop",
    client_secret: "canary-s",
    redirect_uris: ["https://app.example/cb"],
  }];
  const form = { grant_type: "client_credentials" };
  await using world = createWorld({ clients });
  // the id and the secret are swapped, the secret is sent as the id, a token is sent as the id
  await world.post("/oauth2/token", form, basic("canary-other", "shop"));
  await world.post("/oauth2/token", { ...form, client_id: "canary-s" });
  await world.authorize({ client_id: "canary-s" });
  await world.authorize({ client_id: "eyJjYW5hcnk.eyJjYW5hcnk.canary" });
  const text = lines(world);
  assert(!/canary|eyJ[\w-]+\./.test(text), text);
  assertEquals(text.match(/\[redacted\] \(unknown\)/g)?.length, 4, text);
});

it("request line: a refusal has the rule, what was expected and what was received", async (world) => {
  await world.authorize({ redirect_uri: "https://evil.example/cb" });
  const text = lines(world);
  assertMatch(text, /^ {10}✗ invalid_request \(redirect_uri_\w+\) .+$/m);
  assertMatch(text, /^ {12}rule {6}OAuth 2\.1 /m);
  assertMatch(text, /^ {12}expected {2}.*https:\/\/app\.example\/cb/m);
  assertMatch(text, /^ {12}received {2}https:\/\/evil\.example\/cb$/m);
});

test("request line: a request that breaks a rule and is answered anyway names the rule", async () => {
  const client = { client_id: "raw", client_secret: "a+b", redirect_uris: ["https://app.example/cb"] };
  await using world = createWorld({ clients: [client] });
  const headers = { authorization: `Basic ${btoa("raw:a+b")}` };
  await world.post("/oauth2/token", { grant_type: "client_credentials", scope: "read" }, headers);
  const [line, ...below] = lines(world).split("\n");
  assertMatch(line!, / 200 +0 ms {2}POST +\/oauth2\/token /);
  assertEquals(below, [
    "          ! advice (basic_not_encoded) " +
    "The client_id and the client_secret in the Authorization header are not form-encoded",
    "            fix       Form-encode the client_id and the secret before they are joined and base64-encoded.",
    "            rule      RFC 6749 §2.3.1",
    "            expected  Basic base64(urlencode(client_id):urlencode(client_secret))",
  ]);
});

test("request line: the configuration that would allow the request follows, ready to paste", () => {
  const entry = createEntry({
    refusal: {
      error: "invalid_request",
      reason: "x",
      description: "No.",
      remedy: JSON.stringify({ clients: [{ client_id: "a" }] }, null, 2),
    },
  });
  const [, pasted = ""] = describeRequest(entry, plain).split(
    "add this to the configuration (to the entry of the client, if it has one):\n",
  );
  assertEquals(JSON.parse(pasted), { clients: [{ client_id: "a" }] });
});

test("request line: hooks that changed the answer follow, with their seams", () => {
  const altered = [{ seam: "claims", by: "id_token" }, { seam: "response", by: "response" }];
  const [, ...below] = describeRequest(createEntry({ altered }), plain).split("\n");
  assertEquals(below, ['          ~ changed by "id_token" (at claims), "response"']);
});

test("request line: an API of the test has its address, and a fault that the answer does not show has no line", () => {
  const altered = [{ seam: "claims", by: "a\x1bb" }];
  const more = { resource: { url: "https://api.test/orders" } };
  const lines = describeRequest(createEntry({ more, altered, fault: new Error("canary") }), plain).split(
    "\n",
  );
  assertEquals(lines.map((line) => line.slice(23).trim()), [
    "GET     https://api.test/orders",
    '"a\\u{1B}b" (at claims)',
  ]);
});

const durations = { 0.9994: "999 ms", 0.9995: " 1.0 s", 98.94: "98.9 s", 99: "  99 s", 3600: "3600 s" };

test("request line: the duration takes six characters", () => {
  for (const [seconds, text] of Object.entries(durations)) {
    const line = describeRequest({ ...createEntry({}), duration: Number(seconds) }, plain);
    assertEquals(line.slice(15, 21), text);
  }
});

test("request line: it contains no secret of a whole run", () =>
  inWorld(secretOptions, async (world) => {
    const { lasting, passing } = await runWithSecrets(world);
    const text = lines(world);
    for (const secret of [...lasting, ...passing]) {
      assert(!text.includes(secret), `${secret} is in:\n${text}`);
    }
    assertStringIncludes(text, "✗ invalid_grant");
  }));

test("request line: text from a request cannot move the cursor or fill the screen", () => {
  const hostile = "\x1b[2J\r\n12:00:00  POST /oauth2/token 200\u202e";
  const entry = createEntry({
    clientId: hostile,
    refusal: { error: "invalid_request", reason: "x", description: "No.", received: hostile.repeat(100) },
  }, `/${hostile}`);
  const text = describeRequest(entry, plain);
  // deno-lint-ignore no-control-regex
  assert(!/[\x00-\x09\x0b-\x1f\x7f\u202e]/.test(text), JSON.stringify(text));
  assertEquals(text.split("\n").length, 3);
  assert(text.split("\n").every((line) => line.length < 500));
});

test("request line: the files of a page have no line, unless they are refused", () => {
  const entry = (path: string, status: number) => ({
    ...createEntry({}, path),
    response: { status, headers: [] },
  });
  const silent: readonly (readonly [path: string, status: number])[] = [
    ["/static/postern.css", 200],
    ["/static/postern.css", 304],
    ["/tenant/static/copy.js", 200],
    ["/favicon.ico", 404],
  ];
  for (const [path, status] of silent) assert(!isWorthALine(entry(path, status)), path);
  const printed: readonly (readonly [path: string, status: number])[] = [
    ["/static/none.css", 404],
    ["/", 200],
    ["/oauth2/token", 200],
  ];
  for (const [path, status] of printed) assert(isWorthALine(entry(path, status)), path);
});

function createEntry(facts: JournalEntry["facts"], path = "/"): JournalEntry {
  const request = { method: "GET", path, query: "", headers: [] };
  return entryOf({ request, response: { status: 400, headers: [] }, facts });
}

test("request line: a poll of a device that waits has one more line, without the rule (RFC 8628 §3.5)", () => {
  const refusal = {
    error: "authorization_pending",
    reason: "device_login_pending",
    description: "The person has not answered yet",
    spec: "RFC 8628 §3.5",
  };
  const lines = describeRequest(createEntry({ clientId: "tv", refusal }), plain).split("\n");
  assertEquals(lines.slice(1), [`${" ".repeat(10)}authorization_pending: The person has not answered yet`]);
});

test("request line: a person whom the request has created is marked as new", () => {
  const entry = createEntry({ clientId: "agent", subject: "carol", subjectIsNew: true });
  assertMatch(describeRequest(entry, plain), / agent {2}carol \(new\)$/);
  assertEquals(recordRequest(entry)["subject_is_new"], true);
});
