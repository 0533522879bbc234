/** How many runs the rows of a card take, by the usual run of the client. */

import { assertEquals } from "@std/assert";
import { createRowRuns } from "../../../src/kit/examine/row_runs.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { listVariants, type MisbehaviourName, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import type { Need } from "../../../src/kit/faults/needs.ts";
import type { Outcome } from "../../../src/kit/faults/outcome.ts";
import type { Seen } from "../../../src/kit/faults/seen.ts";
import { present } from "../../../src/ground/values/present.ts";
import { seenAt } from "../faults/seen_requests.ts";
import { test } from "../../runner.ts";

const never = () => Promise.reject(new Error("not run"));

type Terms = Parameters<typeof createRowRuns>[0];

/** The rows of a client whose usual run has these requests. What the terms do not name must not run. */
const rowsOf = (seen: readonly Seen[], terms: Partial<Terms> = {}) =>
  createRowRuns({
    does: [],
    rightRunOf: () => ({ seen, hasPhase: true, shows: [] }),
    usualRuns: [],
    nameless: { seen },
    runRight: never,
    runWrong: never,
    ...terms,
  });

type WrongRun = Awaited<ReturnType<Terms["runWrong"]>>;

/** Resolves to what a run with a fault has come to. */
const ended = (outcome: Outcome, more: Partial<WrongRun> = {}): Promise<WrongRun> =>
  Promise.resolve({
    ...{ outcome, because: "", requests: [], isProven: false, trustsBrowsers: false },
    ...more,
  });

const countOf = (seen: readonly Seen[], ...names: readonly MisbehaviourName[]) =>
  rowsOf(seen).countRuns(names);

const path = "/.well-known/openid-configuration";
const metadata = seenAt("metadata", { number: 1, path });
const tokens = seenAt("token", {
  number: 2,
  form: { grant_type: "authorization_code" },
  body: '{"id_token":"e"}',
});
const userinfo = seenAt("userinfo", { number: 3, authorization: "Bearer t" });

const cases: readonly (readonly [
  what: string,
  seen: readonly Seen[],
  names: readonly MisbehaviourName[],
  runs: number,
  waits: number,
])[] = [
  ["a row that the client meets takes one", [metadata], ["metadata.issuer_missing"], 1, 0],
  ["one that it does not meet takes two", [], ["metadata.issuer_missing"], 2, 0],
  [
    "each variant takes one",
    [tokens],
    ["id_token.aud_empty", "id_token.exp_missing"],
    listVariants("id_token.aud_empty").length + 1,
    0,
  ],
  ["without an ID token, no variant is tried", [], ["id_token.aud_empty"], 2, 0],
  [
    "one row shows that the client has no API of its own",
    [],
    ["access_token.unreadable", "access_token.expired", "access_token.alg_none"],
    2,
    0,
  ],
  [
    "rows with equal settings share a right run",
    [userinfo],
    [
      "userinfo.jwt_unsigned",
      "userinfo.jwt_other_key",
    ],
    1,
    0,
  ],
  ["a client that is not answered waits", [userinfo], ["userinfo.never_answers"], 1, 1],
  [
    "a server on this machine shows nothing of a public one",
    // A page that a browser of the driver opens has no Host.
    [seenAt("metadata", { number: 1, path, host: "localhost:9000" }), seenAt("page", { number: 2 })],
    ["metadata.token_endpoint_http"],
    0,
    0,
  ],
  ["one that does not ask does not wait", [], ["userinfo.never_answers"], 0, 0],
  ["one that loads no keys does not wait for them", [], ["keys.silent"], 2, 0],
  ["a row whose server has other settings takes a right run, too", [], ["refresh.not_rotated"], 2, 0],
  ["a row about what only the caller can say takes none", [tokens], ["login.two_people"], 0, 0],
];

test("row runs: two people who log in at once log in five times, and one with a known email four times", () => {
  const does = ["account", "two_browsers", "email"] as const;
  const counts = (["login.two_people", "login.email_of_another_person"] as const).map((name) =>
    rowsOf([tokens], { does }).countRuns([name]).runs
  );
  assertEquals(counts, [5, 4]);
});

test("row runs: a login that another browser begins takes two runs", () => {
  const name = "authorization_response.state_of_another_browser";
  const login = seenAt("authorize", { number: 1, query: "state=s&response_type=code" });
  assertEquals(countOf([login, tokens], name).runs, 2 * Math.max(1, listVariants(name).length));
});

for (const [what, seen, names, runs, waits] of cases) {
  test(`row runs: ${what}`, () => assertEquals(countOf(seen, ...names), { runs, waits }));
}

test("row runs: a client that fails with what a fault needs before it has not noticed the fault", async () => {
  const keys = seenAt("jwks", { number: 4 });
  const judged = async (name: MisbehaviourName) => {
    const runs = createRowRuns({
      does: [],
      rightRunOf: () => ({ seen: [metadata, keys, tokens], hasPhase: true, shows: [] }),
      usualRuns: [],
      // The usual right run passes.
      nameless: { seen: [metadata, keys, tokens] },
      runRight: () => Promise.resolve({ seen: [], error: "a key of an unknown type" }),
      runWrong: () =>
        Promise.resolve({
          ...{ outcome: "noticed", because: "It refused.", requests: [] },
          ...{ isProven: false, trustsBrowsers: false },
        }),
    });
    const { outcome, because } = await runs.run(name);
    return [outcome, because];
  };
  assertEquals(await judged("keys.symmetric_published"), [
    "unknown",
    "The client also failed with a right answer: a key of an unknown type",
  ]);
  // This one needs nothing before it, so the usual run is its right one.
  assertEquals(await judged("id_token.exp_missing"), ["noticed", "It refused."]);
});

for (
  const [control, outcome] of [
    ["tolerated", "noticed"],
    ["not_reached", "noticed"],
    ["not_applicable", "noticed"],
    ["noticed", "unknown"],
    ["broke", "unknown"],
  ] as const
) {
  test(`row runs: a client whose control is ${control} and which refuses the fault is ${outcome}`, async () => {
    const runs = rowsOf([tokens], {
      runWrong: (name) => ended(name === "token_response.scope_order" ? control : "noticed"),
    });
    assertEquals((await runs.run("token_response.scope_more")).outcome, outcome);
  });
}

/** Runs a row whose runs end so in turn. Returns its outcome, and how often it ran. */
async function runInTurn(name: MisbehaviourName, outcomes: readonly Outcome[], seen: readonly Seen[]) {
  let count = 0;
  const runWrong = () => ended(outcomes[count++] ?? "fooled", { isProven: true });
  const { outcome } = await rowsOf(seen, { runWrong }).run(name);
  return [outcome, count];
}

test("row runs: a client that once does not come to the fault, or does not end, runs once more", async () => {
  for (const stray of ["not_reached", "hung"] as const) {
    assertEquals(await runInTurn("id_token.exp_missing", [stray], [tokens]), ["fooled", 2], stray);
    assertEquals(await runInTurn("id_token.exp_missing", [stray, stray], [tokens]), [stray, 2], stray);
    // The client does not ask for metadata usually either.
    assertEquals(await runInTurn("metadata.minimal", [stray], [tokens]), [stray, 1], stray);
  }
  // Here a client that stops waiting does right.
  assertEquals(await runInTurn("userinfo.never_answers", ["hung"], [tokens, userinfo]), ["hung", 1]);
  assertEquals(await runInTurn("userinfo.never_answers", ["not_reached"], [tokens, userinfo]), ["fooled", 2]);
});

test("row runs: only a client of which nothing is known needs to show its pages", async () => {
  const shown = "authorization_response.error_markup";
  assertEquals(await runInTurn(shown, ["fooled"], [tokens]), ["fooled", 1]);
  // Each variant runs twice.
  const unknown = listVariants(shown).flatMap(() => ["unknown", "unknown"] as const);
  assertEquals(await runInTurn(shown, unknown, [tokens]), ["not_applicable", unknown.length]);
});

test("row runs: where names differ, the rows of an area share the run that shows a right answer", async () => {
  const seen = [metadata, seenAt("jwks", { number: 4 }), tokens];
  const right: string[] = [];
  const runs = createRowRuns({
    does: [],
    rightRunOf: () => ({ seen, hasPhase: true, shows: [] }),
    usualRuns: [],
    runRight: (name) => {
      right.push(name);
      return Promise.resolve({ seen, ...present({ error: name.startsWith("id_") ? "no" : undefined }) });
    },
    runWrong: () =>
      Promise.resolve({
        ...{ outcome: "noticed", because: "It refused.", requests: [] },
        ...{ isProven: false, trustsBrowsers: false },
      }),
  });
  const names = ["id_token.aud_empty", "id_token.exp_missing", "metadata.issuer_missing"] as const;
  const outcomes = [];
  for (const name of names) outcomes.push((await runs.run(name)).outcome);
  assertEquals([right, outcomes], [[names[0], names[2]], ["unknown", "unknown", "noticed"]]);
});

for (const fails of [false, true]) {
  const shared = fails
    ? "share no run that fails"
    : "share the run that shows that the client does not do it";
  test(`row runs: where names differ, rows of an area with the same needs ${shared}`, async () => {
    const right: string[] = [];
    const runs = createRowRuns({
      does: [],
      rightRunOf: () => ({ seen: [tokens], hasPhase: true, shows: [] }),
      usualRuns: [],
      runRight: (name) => {
        right.push(name);
        return Promise.resolve({ seen: [tokens], ...present({ error: fails ? `no ${name}` : undefined }) });
      },
      runWrong: never,
    });
    const names = [
      "introspection.active_missing",
      "introspection.active_text",
      // Another need, another area, another phase, and metadata of its own.
      "introspection.jwt_alg_none",
      "device.poll_html",
      "dpop.bearer_token",
      "dpop.bearer_challenge",
      "pushed_request.endpoint_missing",
      "pushed_request.refused",
      "pushed_request.unavailable",
    ] as const;
    const reasons = [];
    for (const name of names) {
      const { outcome, because } = await runs.run(name);
      assertEquals(outcome, "not_applicable");
      reasons.push(because.includes(name));
    }
    assertEquals(right, names.filter((name) => fails || name !== "introspection.active_text"));
    assertEquals(reasons, names.map(() => fails));
  });
}

test("row runs: the rows about the values of logins share a thousand logins, if the examination is thorough", async () => {
  let [begun, running, most] = [0, 0, 0];
  const runs = createRowRuns({
    jobs: 3,
    does: ["pkce", "state"],
    rightRunOf: () => ({ seen: [tokens], hasPhase: true, shows: [] }),
    usualRuns: [[tokens]],
    async runLogin() {
      const seen = ++begun > 400 ? [] : [tokens];
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return { seen };
    },
    nameless: { seen: [tokens] },
    // A login with the same values again.
    runRight: () => Promise.resolve({ seen: [tokens] }),
    runWrong: never,
  });
  const about = ["login.verifier_short", "login.verifier_repeated"] as const;
  const others = ["login.verifier_shown", "login.nonce_short"] as const;
  assertEquals([...about, ...others].map((name) => runs.isDecided(name)), [false, false, true, true]);
  assertEquals(runs.countRuns(about).runs, 1000);
  assertEquals(runs.countRuns(others).runs, 0);
  const judged = [];
  for (const name of [...about, ...others]) judged.push((await runs.run(name)).because);
  assertEquals(judged[0], "Only 400 of 1000 logins succeeded, too few to count.");
  assertEquals(about.map(runs.isAlone), [true, true]);
  assertEquals([begun, most], [1000, 3]);
});

test("row runs: a value that is short in few logins needs no thousand", async () => {
  const form = { grant_type: "authorization_code", code: "c", code_verifier: "short" };
  const runs = createRowRuns({
    does: ["pkce"],
    rightRunOf: () => ({ seen: [tokens], hasPhase: true, shows: [] }),
    usualRuns: [[seenAt("token", { number: 2, form })]],
    runLogin: never,
    runRight: never,
    runWrong: never,
  });
  assertEquals((await runs.run("login.verifier_short")).outcome, "fooled");
});

test("row runs: a phase that the client tries in vain is not reached, also by a row that needs something else", async () => {
  const judge = async (problem: { readonly problem?: string }) => {
    const runs = createRowRuns({
      does: [],
      rightRunOf: () => ({ seen: [], hasPhase: false, shows: [], ...problem }),
      usualRuns: [],
      nameless: { seen: [] },
      runRight: never,
      runWrong: never,
    });
    return (await runs.run("access_token.expired")).outcome;
  };
  assertEquals(await judge({ problem: "It failed" }), "not_reached");
  assertEquals(await judge({}), "not_applicable");
});

const userinfoOf = [metadata, seenAt("jwks", { number: 4 }), tokens, userinfo];
const clients: readonly (readonly Seen[])[] = [[], [tokens], userinfoOf];
const saying: readonly (readonly Need[])[] = [[], ["account", "email", "nonce", "pages", "pkce", "state"]];

for (const hasPhase of [true, false]) {
  for (const knows of [true, false]) {
    const which = `that ${hasPhase ? "has" : "lacks"} the phase, and ${knows ? "learns" : "does not learn"}`;
    test(`row runs: what is decided for a client ${which} its name runs nothing, and all else runs`, async () => {
      const wrong: string[] = [];
      for (const seen of clients) {
        for (const does of saying) {
          for (const isThorough of [true, false]) {
            for (const name of misbehaviourNames) {
              let ran = false;
              const runRight = () => (ran = true, Promise.resolve({ seen }));
              const runs = createRowRuns({
                does,
                rightRunOf: () => ({ seen, hasPhase, shows: [] }),
                usualRuns: [seen],
                ...present({
                  nameless: knows ? undefined : { seen },
                  runLogin: isThorough ? runRight : undefined,
                }),
                runRight,
                runWrong: () => (ran = true, ended("noticed", { isProven: true })),
              });
              // Others wait for this row.
              if (name !== "access_token.unreadable") await runs.run("access_token.unreadable");
              // A client that learns the name may send such a value in this run only.
              if (knows && catalogue.get(name)!.shows !== undefined) continue;
              ran = false;
              const isDecided = runs.isDecided(name);
              await runs.run(name);
              if (isDecided === ran) wrong.push(`${name} ${seen.length} ${does.length} ${isThorough}`);
            }
          }
        }
      }
      assertEquals(wrong, []);
    });
  }
}

const introspects = seenAt("introspect", { number: 5, form: { token: "t" } });
const begins = seenAt("authorize", { number: 1, query: "response_type=code&state=s" });
const browsers = "authorization_response.state_of_another_browser";

/** What one run with the fault came to, and what the row says. */
const verdicts: readonly (readonly [
  name: MisbehaviourName,
  run: Outcome,
  row: Outcome,
  terms?: { readonly seen?: readonly Seen[]; readonly does?: readonly Need[]; readonly trusts?: true },
])[] = [
  [browsers, "fooled", "unknown", { trusts: true }],
  [browsers, "fooled", "fooled", { trusts: true, does: ["two_browsers"] }],
  [browsers, "fooled", "fooled"],
  [browsers, "hung", "hung", { trusts: true }],
  [browsers, "noticed", "noticed", { trusts: true }],
  ["access_token.acr_weak", "fooled", "not_applicable"],
  ["access_token.acr_weak", "broke", "broke"],
  ["access_token.acr_weak", "noticed", "noticed"],
  ["access_token.expired", "fooled", "fooled"],
  ["access_token.expired", "broke", "broke"],
  ["access_token.expired", "broke", "not_applicable", { seen: [begins, tokens, introspects] }],
  ["access_token.expired", "fooled", "fooled", { seen: [begins, tokens, introspects] }],
  ["access_token.expired", "noticed", "noticed", { seen: [begins, tokens, introspects] }],
  ["id_token.aud_array", "broke", "broke", { seen: [begins, tokens, introspects] }],
  ["authorization_response.error_markup", "unknown", "not_applicable"],
  ["authorization_response.error_markup", "unknown", "unknown", { does: ["pages"] }],
  ["authorization_response.error_markup", "fooled", "fooled"],
  ["id_token.exp_missing", "unharmed", "unharmed"],
];

for (const [name, outcome, expected, { seen = [begins, tokens], does = [], trusts } = {}] of verdicts) {
  const title = `${name} is ${expected} after ${outcome}, does ${does}, ${seen.length} requests, ${trusts}`;
  test(`row runs: ${title}`, async () => {
    const runs = rowsOf(seen, {
      does,
      usualRuns: [seen],
      runRight: () => Promise.resolve({ seen }),
      // What is proven needs no control, which would fail here.
      runWrong: (wrong) =>
        ended(wrong === name ? outcome : "noticed", { isProven: true, trustsBrowsers: trusts === true }),
    });
    assertEquals((await runs.run(name)).outcome, expected);
  });
}

for (
  const [name, seen, outcome, runs] of [
    ["id_token.exp_missing", [tokens], "hung", 2],
    ["id_token.exp_missing", [tokens], "not_reached", 2],
    ["id_token.exp_missing", [], "not_reached", 1],
    ["id_token.exp_missing", [], "hung", 1],
    ["metadata.issuer_missing", [metadata], "hung", 2],
    ["metadata.issuer_missing", [tokens], "hung", 1],
    ["keys.empty", userinfoOf, "hung", 2],
    ["keys.empty", [tokens], "hung", 1],
    ["userinfo.sub_missing", userinfoOf, "hung", 2],
    // It waits for the limit, which says what it does.
    ["keys.silent", userinfoOf, "hung", 1],
    ["keys.silent", userinfoOf, "not_reached", 2],
    ["token_response.scope_order", [], "hung", 2],
  ] as const
) {
  test(`row runs: ${name} that ends ${outcome} after ${seen.length} usual requests runs ${runs} times`, async () => {
    assertEquals(await runInTurn(name, [outcome, outcome], seen), [outcome, runs]);
  });
}

for (
  const [problem, outcome] of [["The client fails where it logs in", "fooled"], [
    undefined,
    "not_applicable",
  ]] as const
) {
  test(`row runs: a short verifier of another run, where the client lacks PKCE, and ${problem ?? "has no problem"}`, async () => {
    const form = { grant_type: "authorization_code", code: "c", code_verifier: "short" };
    const right = { seen: [tokens], hasPhase: problem === undefined, shows: [], ...present({ problem }) };
    const usualRuns = [[seenAt("token", { number: 2, form })]];
    const runs = rowsOf([tokens], { rightRunOf: () => right, usualRuns });
    assertEquals((await runs.run("login.verifier_short")).outcome, outcome);
  });
}
