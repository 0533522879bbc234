/** The filter line of the inspector, and the tags of exchanges. */

import { assertEquals } from "@std/assert";
import { filterNames, parseFilter, splitByName } from "../../../../src/kit/mock/journal/filter.ts";
import { listTags } from "../../../../src/kit/mock/journal/tags.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { basic, type World } from "../../../world.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import { entryOf } from "./journal_entries.ts";
import { keepWorld } from "./kept_world.ts";

/** A login of `public` that works, a wrong verifier of `public`, and a wrong secret of `basic`. */
async function runMixed(world: World): Promise<void> {
  await world.redeem(await world.code());
  await world.redeem(await world.code(), { code_verifier: "x".repeat(43) });
  await world.redeem("x", { client_id: undefined }, basic("basic", "wrong"));
  await world.get("/.well-known/openid-configuration");
}

const cases: Readonly<Record<string, readonly number[]>> = {
  "": [0, 1, 2, 3, 4, 5],
  "client:basic": [4],
  "client:PUBLIC outcome:refused": [3],
  "person:alice -outcome:refused": [0, 1, 2],
  "outcome:ok endpoint:token": [1],
  "rule:7636": [3],
  'rule:"RFC 7636 §4.6"': [3],
  "rule:rfc7636": [3],
  "rule:4.6": [3],
  "reason:verifier_wrong": [3],
  "error:invalid_client": [4],
  "status:4xx": [3, 4],
  "status:4XX": [3, 4],
  "status:401": [4],
  "grant:authorization_code status:200": [1],
  "-endpoint:metadata -endpoint:authorize": [1, 3, 4],
  "path:/oauth2/token": [1, 3, 4],
  "public refused": [3],
  "code_verifier": [3],
  '"does not match"': [3],
  "-POST": [0, 2, 5],
  "method:post": [1, 3, 4],
  'client:"public"': [0, 1, 2, 3],
  "https://as.test": [0, 2],
};

const it = testInWorld({});

it("filter: each line selects what it says", async (world) => {
  await runMixed(world);
  const all = keepWorld(world);
  for (const [line, expected] of Object.entries(cases)) {
    const filter = parseFilter(line);
    assertEquals(filter.problems, [], line);
    assertEquals(all.flatMap((kept, at) => filter.matches(kept) ? [at] : []), expected, line);
  }
});

it("filter: a flow and an id select their exchanges", async (world) => {
  await runMixed(world);
  const all = keepWorld(world);
  const { id, facts: { flow } } = world.journal[1]!;
  const select = (line: string) => all.flatMap((kept, at) => parseFilter(line).matches(kept) ? [at] : []);
  assertEquals([select(`flow:${flow}`), select(`id:${id}`)], [[0, 1], [1]]);
});

it("filter: a misbehaviour is found by its name, by its area, and by a star", async (world) => {
  await world.code();
  const [kept] = keepWorld(world);
  const altered = [{ seam: "claims", by: "id_token.nonce_wrong" }, { seam: "response", by: "my hook" }];
  const changed = new KeptEntry({ ...kept!.entry, facts: { altered } }, kept!.endpoint, false);
  const found = (line: string) => parseFilter(line).matches(changed);
  const lines = [
    "misbehaviour:id_token.nonce_wrong",
    "misbehaviour:id_token",
    "misbehaviour:*",
    'hook:"my hook"',
  ];
  for (const line of lines) {
    assertEquals(found(line), true, line);
  }
  assertEquals(found("misbehaviour:access_token"), false);
  assertEquals(listTags({ facts: {}, altered }), ["misbehaviour:id_token.nonce_wrong", 'hook:"my hook"']);
});

test("filter: a reason selects advice, too, which is no error", () => {
  const facts = { advice: { reason: "redirect_uri_loopback", description: "d" } };
  const kept = new KeptEntry(entryOf({ facts }), "authorize", false);
  const lines = ["reason:redirect_uri_loopback", "error:invalid_request"];
  assertEquals(lines.map((line) => parseFilter(line).matches(kept)), [true, false]);
});

const rules: readonly (readonly [spec: string, tags: readonly string[]])[] = [
  ["RFC 7636 §4.6", ["rule:7636"]],
  ["RFC 6749 §10.12; RFC 9700 §2.1, RFC 9700 §4.7.1", ["rule:6749", "rule:9700"]],
  ["OAuth 2.1 §4.1.2", ["rule:oauth2.1"]],
  ["OpenID Connect Core §5.7", ["rule:openid"]],
  ["RP-Initiated Logout §2", ["rule:openid"]],
  ["OpenID Connect Core §3; RFC 6749 §4.1.3", ["rule:6749", "rule:openid"]],
  ["Postern", []],
];

test("filter: each rule of a refusal or of an advice is a tag, and selects it", () => {
  for (const [spec, tags] of rules) {
    for (const name of ["refusal", "advice"] as const) {
      const facts = { [name]: { error: "invalid_request", reason: "some_reason", description: "d", spec } };
      assertEquals(listTags({ facts, altered: [] }), ["reason:some_reason", ...tags], spec);
      const kept = new KeptEntry(entryOf({ facts }), "token", false);
      for (const tag of tags) {
        assertEquals(parseFilter(tag).matches(kept), true, tag);
      }
      assertEquals(parseFilter("rule:8252").matches(kept), false);
    }
  }
});

test("filter: twenty different words are searched, and more are a problem", () => {
  const line = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
  const kept = new KeptEntry(entryOf({}), "token", false);
  const read = (text: string) => {
    const { problems, selects, matches } = parseFilter(text);
    return [problems, selects, matches(kept)];
  };
  assertEquals(read(line(20)), [[], "matches", false]);
  assertEquals(read(`${line(20)} WORD0 word1`), [[], "matches", false]);
  assertEquals(read(line(21)), [[{ kind: "too_many", words: 21, most: 20 }], "nothing", false]);
});

test("filter: a time selects the requests that took longer", () => {
  const all = [0.4, 0.5, 0.501, 1, 1.001, 61].map((duration) =>
    new KeptEntry(entryOf({ duration }), "token", false)
  );
  const lines = {
    "took:>500ms": [2, 3, 4, 5],
    "took:>1s": [4, 5],
    "TOOK:>1.001s": [5],
    'took:">1m 1s"': [],
    "-took:>0.5s": [0, 1],
  };
  for (const [line, expected] of Object.entries(lines)) {
    const filter = parseFilter(line);
    assertEquals(filter.problems, [], line);
    assertEquals(all.flatMap((kept, at) => filter.matches(kept) ? [at] : []), expected, line);
  }
});

test("filter: a line demands the values of a name, and not those that it excludes", () => {
  assertEquals(splitByName("client:shop -client:tv CLIENT:app -endpoint:page text", "client"), {
    values: ["shop", "app"],
    others: ["-client:tv", "-endpoint:page", "text"],
  });
});

test("filter: another text in place of a time is a problem, and selects nothing less", () => {
  for (const value of ["1s", ">", ">1", ">-1s", ">+1s", "<1s", ">1s1s", ">>1s"]) {
    const { problems, selects } = parseFilter(`took:${value}`);
    assertEquals(problems, [
      { word: `took:${value}`, kind: "values", suggestions: ["took:>1s", "took:>500ms"] },
    ]);
    assertEquals(selects, "everything");
  }
});

test("filter: an unknown name is a problem that names the nearest one", () => {
  assertEquals(parseFilter("clint:shop").problems, [
    { word: "clint:", kind: "similar", suggestions: ["client:shop"] },
  ]);
  assertEquals(parseFilter("xyzzy:1").problems, [
    { word: "xyzzy:", kind: "names", suggestions: filterNames },
  ]);
  assertEquals(parseFilter("outcome:bad").problems, [
    { word: "outcome:bad", kind: "values", suggestions: ["outcome:ok", "outcome:refused", "outcome:failed"] },
  ]);
  assertEquals(parseFilter("status:many").problems, [
    { word: "status:many", kind: "values", suggestions: ["status:400", "status:4xx"] },
  ]);
});

it("filter: no word finds a secret", async (world) => {
  await world.redeem(await world.code({ state: "STATE-CANARY" }));
  const code = new URLSearchParams(world.journal[1]!.request.body!).get("code")!;
  const all = keepWorld(world);
  // A word that begins with "-" would find everything else.
  for (const text of ["STATE-CANARY", code.split(".")[1]!.replace(/^-+/, "")]) {
    assertEquals(all.filter((kept) => parseFilter(text).matches(kept)).length, 0, text);
  }
});
