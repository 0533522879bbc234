/** A verdict follows from the requests of the client and its own words: which outcome, why, and what shows it. */

import { assertEquals } from "@std/assert";
import { to } from "../../../src/kit/faults/finds.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { judge, readThrown, type Word } from "../../../src/kit/faults/judge.ts";
import { isAdvice, type Level, type Watch } from "../../../src/kit/faults/misbehaviour.ts";
import { test } from "../../runner.ts";
import { seenAt } from "./seen_requests.ts";

type Kind = Word["kind"];
type Trial = Parameters<typeof judge>[1];

const begun = seenAt("authorize", { number: 1 });
const answered = seenAt("token", { number: 2, form: { grant_type: "authorization_code", code: "a" } });
const used = seenAt("userinfo", { number: 3 });
const again = seenAt("userinfo", { number: 4 });
const refreshed = seenAt("token", { number: 5, facts: { grantType: "refresh_token" }, form: {} });
const refusedCode = seenAt("token", { number: 6, status: 400, form: { grant_type: "authorization_code" } });
const many = Array.from({ length: 25 }, (_, index) => seenAt("keys", { number: 10 + index }));

const keySet = seenAt("jwks", { number: 9 });
const success: Word = { kind: "success" };
const refusal: Word = { kind: "refusal", error: "Error: no" };
const crash: Word = { kind: "crash", error: "TypeError: x" };
const failure: Word = { kind: "nothing", error: "TypeError: fetch failed" };
const silence: Word = { kind: "nothing" };

const uses = to("userinfo");
const sendsCode = to("token");

/** Where a correct client notices, and where it goes on. */
const must = (watch: Watch) => ({ level: "must", watch }) as const;
const may = (watch: Watch) => ({ level: "tolerate", watch }) as const;

const twice = "Afterwards the client sent GET userinfo 2 times. It ended later with Error: no";
const several = "Afterwards the client sent GET userinfo, POST token (refresh_token).";
const both = "Afterwards the client sent POST token, GET userinfo.";
const shows = "The journal entry of POST token shows it.";
const met = "The test kit met the fault instead of the client.";
const signed = "The client sent GET userinfo.";
const kept = "The client did not load the keys again, and it may limit how often it does.";
const stopped = "The client stopped. It ended with Error: no";
const lost = "The client failed, but not with a refusal: TypeError: fetch failed";
const sent = "Afterwards the client sent GET userinfo.";
const wentOn = "The client went on with GET userinfo.";
const refused = "The client refused: Error: no";
const onlyServerOnce = "The client sent POST token, and only the server refused.";
const onlyServer = `${onlyServerOnce} It ended with Error: no`;
const failed = "The client's own code failed: TypeError: x";
const silent = "The client sent no request that shows the fault, but this does not prove that it is right.";
const unknown = "The client sent nothing that shows what it did, and it is not known whether it succeeded.";
const others =
  "Another misbehaviour is on and has acted, so the client's word may be about that one: switch it off first.";
const late = "The client did not end within the limit.";
const mayWait = `${late} No rule says how long it may wait.`;
const never = "The client never came to the place where the server misbehaves.";

const asked = "The client asked: GET userinfo 2 times.";

const unmet = { acted: [], earlier: [answered, begun], later: [used] };
const usedAndRefused = { later: [used], word: refusal };
const firstTwenty = "2 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29";

/** What was watched, what happened besides one wrong token response, the judgement, and which requests show it. */
const judgements: readonly (readonly [
  entry: { readonly level: Level; readonly watch: Watch },
  trial: Partial<Trial>,
  outcome: string,
  because: string,
  evidence: string,
])[] = [
  [must({ never: uses }), unmet, "not_reached", never, "1 2"],
  [must({}), { acted: [], word: refusal }, "not_reached", `${never} It refused: Error: no`, "1"],
  [must({}), { acted: [], word: crash }, "not_reached", `${never} It ended with TypeError: x`, "1"],
  [must({}), { acted: [], word: silence }, "not_reached", never, "1"],
  [must({ never: uses }), { later: [used] }, "fooled", sent, "2 3"],
  [may({ never: uses }), { later: [used] }, "broke", sent, "2 3"],
  [{ level: "should", watch: { never: uses } }, { later: [used] }, "fooled", sent, "2 3"],
  [{ level: "hardening", watch: { never: uses } }, { later: [used] }, "fooled", sent, "2 3"],
  [{ level: "robustness", watch: { never: uses } }, { later: [used] }, "broke", sent, "2 3"],
  [must({ never: uses }), { later: [again, used], word: refusal }, "fooled", twice, "2 3 4"],
  [must({ never: (later) => later }), { later: [used, again, refreshed] }, "fooled", several, "2 3 4 5"],
  [must({ never: (_, acted) => acted }), {}, "fooled", shows, "2"],
  [must({ never: (later, acted) => [...acted, ...later] }), { later: [used] }, "fooled", both, "2 3"],
  [must({ elsewhere: uses, sign: uses }), { later: [used], isHung: true }, "not_applicable", met, "2 3"],
  [must({ elsewhere: uses, never: uses }), { later: [used] }, "fooled", sent, "2 3"],
  [must({ elsewhere: () => [], sign: uses }), { isHung: true, later: [used] }, "hung", late, "2"],
  [must({ refusalSays: "waited" }), { isHung: true }, "unknown", `${late} Until then it waited.`, "2"],
  [must({ refusalSays: "waited", timeoutIsRefusal: true }), { isHung: true }, "unknown", mayWait, "2"],
  [{ level: "should", watch: { timeoutIsRefusal: true } }, { isHung: true }, "unknown", mayWait, "2"],
  [{ level: "hardening", watch: { timeoutIsRefusal: true } }, { isHung: true }, "hung", late, "2"],
  [must({ sign: uses }), { later: [used], othersActed: true }, "noticed", signed, "2 3"],
  [must({ invisible: true }), { later: [used], othersActed: true, word: refusal }, "unknown", others, "2 3"],
  [may({}), { othersActed: true }, "unknown", others, "2"],
  [must({}), { othersActed: true, word: crash }, "unknown", others, "2"],
  [may({ sign: uses }), usedAndRefused, "broke", refused, "2 3"],
  [may({ sign: uses }), { later: [used], word: crash }, "tolerated", wentOn, "2 3"],
  [may({}), { later: [used] }, "tolerated", "The client went on and succeeded.", "2 3"],
  [may({}), { word: crash }, "crashed", failed, "2"],
  [may({}), { word: silence }, "unknown", unknown, "2"],
  [may({ wordProvesNothing: true }), {}, "unknown", silent, "2"],
  [may({ wordProvesNothing: true }), { word: refusal }, "unknown", `${silent} It refused: Error: no`, "2"],
  [may({ sign: uses, wordProvesNothing: true }), usedAndRefused, "tolerated", wentOn, "2 3"],
  [must({ sign: () => [] }), { later: many, word: refusal }, "noticed", refused, firstTwenty],
  [must({ refusalSays: "stopped" }), { word: refusal }, "noticed", stopped, "2"],
  [must({ sign: uses, signSays: "asked" }), { later: [again, used, refreshed] }, "noticed", asked, "2 3 4"],
  [must({ sign: (_, acted) => acted }), {}, "noticed", shows, "2"],
  [must({ sign: uses, wordProvesNothing: true }), usedAndRefused, "noticed", signed, "2 3"],
  [must({ wordProvesNothing: true }), { word: refusal }, "unknown", `${silent} It refused: Error: no`, "2"],
  [must({ wordProvesNothing: true, invisible: true }), {}, "unknown", silent, "2"],
  [must({ wordProvesNothing: true }), { word: crash }, "crashed", failed, "2"],
  [must({ successProvesNothing: true, invisible: true }), {}, "unknown", silent, "2"],
  [must({ successProvesNothing: true }), { word: refusal }, "noticed", refused, "2"],
  [must({ successProvesNothing: true }), { word: silence }, "unknown", unknown, "2"],
  // It may keep the keys that it has (OpenID Connect Core §10.1.1 sets no time).
  [must({ never: uses, mayKeepKeys: true }), { later: [used] }, "unknown", kept, "2 3"],
  [must({ never: uses, mayKeepKeys: true }), { acted: [keySet], later: [used] }, "fooled", sent, "9 3"],
  [may({ mayKeepKeys: true }), { word: refusal }, "unknown", `${kept} It ended with Error: no`, "2"],
  [may({ mayKeepKeys: true }), { word: refusal, later: [keySet] }, "broke", refused, "2 9"],
  [may({ mayKeepKeys: true }), { later: [used] }, "tolerated", "The client went on and succeeded.", "2 3"],
  [must({ invisible: true }), {}, "fooled", "The client succeeded with the wrong answer.", "2"],
  [
    must({}),
    {},
    "unharmed",
    "The client succeeded, and sent nothing wrong. Its requests do not show whether it checks this.",
    "2",
  ],
  [must({ trusts: sendsCode }), { later: [refusedCode], word: refusal }, "unharmed", onlyServer, "2 6"],
  [
    must({ trusts: sendsCode, sign: uses }),
    { later: [refusedCode, used] },
    "unharmed",
    onlyServerOnce,
    "2 3",
  ],
  [must({ trusts: sendsCode }), { later: [refusedCode, answered], word: refusal }, "noticed", refused, "2 6"],
  [must({ trusts: sendsCode }), { word: refusal }, "noticed", refused, "2"],
  [must({ trusts: sendsCode }), { later: [refusedCode], word: crash }, "crashed", failed, "2 6"],
  [must({ invisible: true }), { word: failure }, "unknown", lost, "2"],
  [must({ invisible: true }), { word: silence }, "unknown", unknown, "2"],
];

for (const [at, [entry, trial, outcome, because, evidence]] of judgements.entries()) {
  test(`judge: ${outcome} (${at}): ${because}`, () => {
    const usual = { acted: [answered], later: [], earlier: [begun], usual: [], word: success };
    const judged = judge(entry, { ...usual, isHung: false, othersActed: false, ...trial });
    const ids = judged.evidence.map(({ entry: { id } }) => id).join(" ");
    assertEquals([judged.outcome, judged.because, ids], [outcome, because, evidence]);
  });
}

test("judge: where the server does not answer, no row accuses a client that waits of more than a lack of care", () => {
  const silent = [...catalogue.values()].filter(({ watch }) => watch.timeoutIsRefusal);
  assertEquals(silent.map(({ level }) => level).includes("must"), true);
  for (const entry of silent) {
    const trial = { acted: [answered], later: [], earlier: [], usual: [], word: silence };
    const { outcome } = judge(entry, { ...trial, isHung: true, othersActed: false });
    assertEquals(outcome, isAdvice(entry.level) ? "hung" : "unknown", entry.server);
  }
});

test("judge: a client that succeeds without tokens is fooled, and one that got some by another code is not", () => {
  const outcomeOf = (trial: Pick<Trial, "acted" | "later">, watch: Watch = {}) =>
    judge(must(watch), {
      ...trial,
      ...{ earlier: [], usual: [], word: success, isHung: false, othersActed: false },
    })
      .because;
  const lacks = "The client says that it succeeded, but it got no tokens.";
  const right =
    "The client succeeded, and sent nothing wrong. Its requests do not show whether it checks this.";
  assertEquals(outcomeOf({ acted: [refusedCode], later: [] }), lacks);
  assertEquals(outcomeOf({ acted: [refusedCode], later: [refusedCode, refreshed] }), lacks);
  assertEquals(outcomeOf({ acted: [refusedCode], later: [] }, { wordProvesNothing: true }), lacks);
  assertEquals(outcomeOf({ acted: [refusedCode], later: [refusedCode, answered] }), right);
  assertEquals(outcomeOf({ acted: [answered], later: [] }), right);
  assertEquals(outcomeOf({ acted: [refusedCode, answered], later: [] }), right);
  assertEquals(outcomeOf({ acted: [seenAt("userinfo", { number: 7, status: 401 })], later: [] }), right);
});

const named = (name: string, message: string, members: object = {}) =>
  Object.assign(new Error(message), { name }, members);
const coded = (code: string) => named("Error", "it broke", { code });
const within = (cause: unknown) => new Error("the login failed", { cause });
const broken = new TypeError("login.start is not a function");

/** An error whose first frame is one of a runtime. */
const inRuntime = (message: string) => {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at decode (node:internal/encoding:447:16)`;
  return error;
};

/** What a client threw, and what it says: of itself, where a timeout is a refusal, and where a loss is one. */
const thrown: readonly (readonly [unknown, usual: Kind, timeout: Kind, loss: Kind])[] = [
  [named("AbortError", "it is over"), "nothing", "refusal", "nothing"],
  [named("TimeoutError", "it is over"), "nothing", "refusal", "nothing"],
  [within(named("TimeoutError", "it is over")), "nothing", "nothing", "nothing"],
  ...["EPIPE", "ECONNRESET", "ECONNREFUSED", "UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT"].map((code) =>
    [coded(code), "nothing", "nothing", "refusal"] as const
  ),
  [within(coded("ECONNRESET")), "nothing", "nothing", "refusal"],
  // Errors of other languages, which a kit has told by their names.
  ...[
    ..."timeout socket.timeout ReadTimeout ConnectTimeoutError httpx.PoolTimeout".split(" "),
    ..."java.net.http.HttpConnectTimeoutException java.net.SocketTimeoutException".split(" "),
  ].map((name) => [named(name, "it is over"), "nothing", "refusal", "nothing"] as const),
  ...[
    ..."ConnectionError ConnectionRefusedError ConnectionResetError BrokenPipeError ConnectError".split(" "),
    ..."URLError gaierror ClientConnectorError httpx.ReadError RemoteDisconnected IncompleteRead".split(" "),
    ..."ConnectionAbortedError WriteError RemoteProtocolError NetworkError ServerDisconnectedError".split(
      " ",
    ),
    ..."java.net.ConnectException java.net.UnknownHostException java.net.SocketException".split(" "),
    ..."NoRouteToHostException ClosedChannelException WebClientRequestException".split(" "),
    ..."ConnectionClosedException org.springframework.web.client.ResourceAccessException".split(" "),
  ].map((name) => [named(name, "no answer"), "nothing", "nothing", "refusal"] as const),
  ..."TimeoutErrors Timeouts timeouts HTTPError ConnectionErrors SocketExceptions a-b.URLError com.IdReadError"
    .split(" ").map((name) => [named(name, "wrong"), "refusal", "refusal", "refusal"] as const),
  ..."EXP ERR_JWT XECONNRESET ECONNRESETx Econnreset xUND_ERR_SOCKET UND_ERR_ UND_ERR_a-b".split(" ")
    .map((code) => [coded(code), "refusal", "refusal", "refusal"] as const),
  ...[
    "fetch failed",
    "terminated",
    "NetworkError when attempting to fetch resource.",
    "the connection was closed",
    "error sending request for url",
    "Failed to fetch",
    "Load failed",
    "Failed to fetch (as.test)",
    "Load failed (as.test)",
  ].map((message) => [new TypeError(message), "nothing", "nothing", "refusal"] as const),
  [within(new TypeError("Load failed (as.test:9000)")), "nothing", "nothing", "refusal"],
  ...["Failed to fetch the keys", "It says: Load failed", "Load failed (no name)", "Load failed ()"]
    .map((message) => [new TypeError(message), "refusal", "refusal", "refusal"] as const),
  [new Error("fetch failed"), "refusal", "refusal", "refusal"],
  ...[
    "The encoded data is not valid",
    "The encoded data was not valid for encoding utf-8",
    "Failed to execute 'decode' on 'TextDecoder': The encoded data was not valid.",
    "TextDecoder.decode: Decoding failed.",
    "Fetch failed: Encountered redirect while redirect mode is set to 'error'",
    'UnexpectedRedirect fetching "https://as.test/". For more information, pass `verbose: true`',
  ].map((message) => [inRuntime(message), "refusal", "refusal", "refusal"] as const),
  ...["unexpected redirect", "too many content-encodings in response: 100, maximum allowed is 5"]
    .map((message) => new TypeError("fetch failed", { cause: new Error(message) }))
    .map((error) => [error, "refusal", "refusal", "refusal"] as const),
  // An address without a host.
  ...["Failed to parse URL from /oauth2/token", "Invalid URL: '/oauth2/token'"]
    .map((message) => [new TypeError(message), "refusal", "refusal", "refusal"] as const),
  ...["Failed to parse URL from undefined", "Invalid URL: 'undefined/oauth2/token'"]
    .map((message) => [new TypeError(message), "crash", "crash", "crash"] as const),
  [inRuntime("Invalid header value"), "nothing", "nothing", "nothing"],
  [within(named("StateError", "the state differs")), "refusal", "refusal", "refusal"],
  [within(broken), "crash", "crash", "crash"],
  [named("StateError", "wrong", { cause: broken }), "refusal", "refusal", "refusal"],
];

for (const [error, ...expected] of thrown) {
  const { message, code = message } = ((error as Error).cause ?? error) as Error & { readonly code?: string };
  test(`judge: what a client says by ${error} of ${code}`, () => {
    const watches: readonly Watch[] = [{}, { timeoutIsRefusal: true }, { lossIsRefusal: true }];
    assertEquals<readonly Kind[]>(watches.map((watch) => readThrown(error, watch).kind), expected);
  });
}

test("judge: an error that the client has only passed on is not its word, alone or inside of another", () => {
  const passed = named("ApiError", "401");
  const kindOf = (error: unknown) =>
    readThrown(error, { lossIsRefusal: true }, (each) => each === passed).kind;
  assertEquals(
    [passed, within(passed), within(named("StateError", "wrong", { cause: passed })), within(undefined)].map(
      kindOf,
    ),
    ["nothing", "nothing", "refusal", "refusal"],
  );
});
