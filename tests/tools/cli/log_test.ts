/** `--log json`: an object in each line, what it says about a request, and that it has no secrets. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { escapeHidden } from "../../../src/ground/values/hidden_characters.ts";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { createLog, logForms, recordRequest } from "../../../src/tools/cli/start/log.ts";
import { entryOf } from "../../kit/mock/journal/journal_entries.ts";
import { findCommands, findHidden, hostileLines } from "../../security/terminal_text.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type World } from "../../world.ts";
import { withServer } from "./in_process.ts";

type Line = Readonly<Record<string, unknown>>;

/** Starts a server with a log of JSON, does the work, and returns its lines. */
async function readLog(
  args: readonly string[],
  work: (issuer: string) => Promise<void>,
): Promise<{ readonly lines: readonly Line[]; readonly stdout: string }> {
  const { code, stdout, stderr } = await withServer(["--log", "json", ...args], async (server) => {
    await work(`http://localhost:${server.port}`);
    server.signal("SIGTERM");
  });
  assertEquals([code, stderr], [0, ""]);
  const texts = stdout.trimEnd().split("\n");
  return { lines: texts.map((text) => JSON.parse(text)), stdout };
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("log: each line is an object with a time, from the start to the end, and secrets are in none", async () => {
  const key = "Kg9Yl3cXv2PqRw8TzUu5aA", token = "a-control-token-of-a-test";
  const form = { grant_type: "authorization_code", client_id: "demo", code: "c0de-of-a-client" };
  const { lines, stdout } = await readLog(["--control", token, "--inspector-key", key], async (issuer) => {
    const body = new URLSearchParams(form);
    await (await fetch(`${issuer}/oauth2/token?state=5tate`, { method: "POST", body })).text();
    await (await fetch(`${issuer}/oauth2/jwks`)).text();
  });
  for (const { time, level, message } of lines) {
    assertMatch(`${time}`, rfc3339);
    assert(["info", "warn", "error"].includes(`${level}`) && typeof message === "string");
  }
  assertEquals(lines.map(({ message }) => message), [
    "started",
    "POST /oauth2/token 400 invalid_grant (code_unknown)",
    "GET /oauth2/jwks 200",
    "stopping",
    "stopped",
  ]);
  const [started, refused, read, stopping] = lines;
  const issuer = `${started!["issuer"]}`;
  assertEquals([started!["inspector"], started!["control_needs_token"]], [`${issuer}/inspector`, true]);
  const { method, path, status, outcome, error, reason, client_id, grant_type } = refused!;
  assertEquals(
    { method, path, status, outcome, error, reason, client_id, grant_type },
    {
      ...{ method: "POST", path: "/oauth2/token", status: 400, outcome: "refused", error: "invalid_grant" },
      ...{ reason: "code_unknown", client_id: "demo", grant_type: "authorization_code" },
    },
  );
  assertEquals([refused!["level"], read!["level"], read!["outcome"]], ["warn", "info", "ok"]);
  assert(typeof read!["duration_ms"] === "number" && typeof read!["request_id"] === "string");
  assertEquals(stopping!["signal"], "SIGTERM");
  for (const secret of [key, token, form.code, "5tate"]) assert(!stdout.includes(secret), secret);
});

test("log: --quiet leaves out the requests only, and without a key none is in the log", async () => {
  const { lines, stdout } = await readLog(["--quiet"], async (issuer) => {
    await (await fetch(`${issuer}/oauth2/token`, { method: "POST" })).text();
  });
  assertEquals(lines.map(({ message }) => message), ["started", "stopping", "stopped"]);
  assert(!stdout.includes("key="), stdout);
});

test("log: what other machines can do is a warning", async () => {
  const args = ["--issuer", "https://id.acme.com", "--expose-demo"];
  const { lines } = await readLog(args, () => Promise.resolve());
  assertEquals(
    lines.filter(({ level }) => level === "warn").map(({ message }) => message).slice(0, 2),
    ["Other machines can reach this server.", "Its demo credentials are public."],
  );
});

const last = ({ journal }: World) => recordRequest(journal.at(-1)!);

const it = testInWorld({});

it("log: a request has its flow, its person and the rule that refused it", async (world) => {
  const code = await world.code();
  const authorized = last(world);
  assertEquals([authorized["subject"], authorized["outcome"], authorized["status"]], ["alice", "ok", 303]);
  await world.redeem(code, { code_verifier: undefined });
  const refused = last(world);
  assertEquals([refused["flow"], refused["rule"]], [authorized["flow"], "RFC 7636 §4.5"]);
  assertEquals(refused["expected"], "the code_verifier whose hash was the code_challenge");
});

test("log: a fault is an error with its stack, and advice is a warning", async () => {
  const world = createWorld({ seams: { response: () => Promise.reject(new Error("canary")) } });
  await world.get("/userinfo");
  const failed = last(world);
  assertEquals([failed["level"], failed["outcome"], failed["status"]], ["error", "failed", 500]);
  assertMatch(`${failed["fault"]}`, /^Error: canary\n +at /);
  await world.close();
  await inWorld({}, async (world) => {
    await world.authorize({ login_hint: "nobody" });
    const advised = last(world);
    assertEquals([advised["level"], advised["outcome"]], ["warn", "ok"]);
    assertEquals((advised["advice"] as Line)["reason"], "login_hint_unknown");
  });
});

it("log: text of a request cannot break a line, reach a terminal, or fill the log", async (world) => {
  const hostile = "a\n\x1b[2J\u0085\u2028\u202e\u{e0001}";
  assertEquals(JSON.parse(escapeHidden(JSON.stringify({ hostile }))), { hostile });
  assertMatch(escapeHidden(JSON.stringify(hostile)), /^[\x20-\x7e]+$/);
  await world.authorize({ client_id: hostile });
  assertMatch(JSON.stringify(last(world)), /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
  await world.authorize({ client_id: "x".repeat(5000) });
  assert(JSON.stringify(last(world)).length < 4000);
});

const jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.canary";
const reason = { reason: "scope_unknown", description: "No.\n", expected: "a\u202e" };
const remedy = "x".repeat(1000);

test("log: a request has a member for each of its facts, on one line, without secrets and long remedies", () => {
  const refused = recordRequest(entryOf({
    ...{ duration: 0.0012345, response: { status: 400, headers: [] } },
    facts: {
      ...{ clientId: "app\n", clientIsUnknown: true, subject: "carol", subjectIsNew: true, flow: "f" },
      refusal: {
        ...{
          ...reason,
          error: "invalid_scope",
          spec: "RFC 6749 §3.3",
          received: "b",
          redirectUris: ["canary"],
        },
        ...{ looksLike: "Flask-Dance", instead: "No check.", remedy },
      },
      altered: [{ seam: "claims", by: "a\nb" }],
      // A fault that the answer does not show, such as that of a hook.
      fault: new Error("canary"),
    },
  }));
  assertEquals(refused, {
    ...{ level: "warn", message: "POST /oauth2/token 400 invalid_scope (scope_unknown)" },
    ...{ method: "POST", path: "/oauth2/token", status: 400, duration_ms: 1.235, outcome: "refused" },
    ...{ error: "invalid_scope", reason: "scope_unknown", description: "No.\\u{A}", rule: "RFC 6749 §3.3" },
    ...{ expected: "a\\u{202E}", received: "b", looks_like: "Flask-Dance", instead: "No check.", remedy },
    ...{ client_id: "app\\u{A}", subject: "carol", client_is_unknown: true, subject_is_new: true },
    ...{ flow: "f", request_id: "id", altered_by: ["a\\u{A}b"] },
  });
  const advised = recordRequest(entryOf({
    request: { method: "GET", path: `/${jwt}`, query: "", headers: [] },
    facts: {
      advice: { ...reason, remedy: `${remedy}x` },
      more: { resource: { url: `https://api.test/${jwt}\u{202e}` } },
    },
  }));
  const { duration_ms: _, request_id: __, ...members } = advised;
  assertEquals(members, {
    ...{
      level: "warn",
      message: "GET https://api.test/[redacted]\\u{202E} 200",
      method: "GET",
      path: "/[redacted]",
    },
    ...{ url: "https://api.test/[redacted]\\u{202E}", status: 200, outcome: "ok" },
    advice: { reason: "scope_unknown", description: "No.\\u{A}", expected: "a\\u{202E}" },
  });
});

test("log: as json, a line has the time of its request, and the files of a page have none", () => {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  const write = (_name: string, octets: Uint8Array) => (lines.push(decoder.decode(octets)), octets.length);
  const log = createLog("json", createColours({}), { write, unblock() {} });
  const { now } = Date;
  try {
    Date.now = () => 1000;
    for (const path of ["/oauth2/token", "/static/postern.css"]) {
      log.writeRequest(entryOf({ request: { method: "GET", path, query: "", headers: [] } }));
    }
    Date.now = () => 2000;
    log.write({ level: "info", message: "the end" });
  } finally {
    Date.now = now;
  }
  const written = lines.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(written.map(({ time, message }) => [new Date(time).getTime(), message]), [
    [1000, "GET /oauth2/token 200"],
    [2000, "the end"],
  ]);
});

for (const form of logForms) {
  test(`log: as ${form}, nothing in a request or a fault is hidden, or obeyed by a terminal or a CI system`, async () => {
    let printed = "";
    const decoder = new TextDecoder();
    const write = (_name: string, octets: Uint8Array) => {
      printed += decoder.decode(octets);
      return octets.length;
    };
    const log = createLog(form, createColours({}), { write, unblock() {} });
    const world = createWorld({ journal: log.writeRequest });
    for (const line of hostileLines) {
      await world.authorize({ client_id: line, redirect_uri: line, scope: line, login_hint: line });
      await world.get(`/##[error]${encodeURIComponent(line)}`);
      log.write({ level: "warn", message: line, members: { line } });
      log.write({ level: "error", message: `first\n${line}` });
    }
    await world.close();
    const failing = createWorld({
      seams: { response: () => Promise.reject(new Error(hostileLines.join("\n"))) },
      journal: log.writeRequest,
    });
    await failing.get("/userinfo");
    await failing.close();
    log.write({ level: "error", message: "the end" });
    assert(printed.split("\n").length > 3 * hostileLines.length);
    assertEquals([findHidden(printed), findCommands(printed)], [[], []]);
  });
}

it("trace: the log has it, and a request without one has none (W3C Trace Context §3.2)", async (world) => {
  const [traceId, parentId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  await world.get("/oauth2/jwks", { traceparent: `00-${traceId}-${parentId}-01` });
  await world.get("/oauth2/jwks");
  const [first, second] = world.journal;
  const { trace_id, parent_id } = recordRequest(first!);
  assertEquals([trace_id, parent_id], [traceId, parentId]);
  assertEquals("trace_id" in recordRequest(second!), false);
});
