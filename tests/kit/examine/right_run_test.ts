/** What a client tries and cannot finish with a right server is the first entry of its card. */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { formatBrief } from "../../../src/kit/examine/card/format_brief.ts";
import { createReport } from "../../../src/kit/examine/card/report.ts";
import type { Phase } from "../../../src/kit/faults/misbehaviour.ts";
import { judgeRightRun } from "../../../src/kit/examine/right_run.ts";
import { createWorld } from "../../../src/kit/examine/scenario.ts";
import { examine, type ExamineTerms, formatCard, type Mock, type Scenario } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

type Tokens = Awaited<ReturnType<Mock["login"]>>;
type InPhase = (as: Mock, scenario: Scenario, tokens: Tokens) => Promise<unknown>;

/** A client that logs in, and then does this in one phase. */
const doing = (phase: Phase, work: InPhase): ExamineTerms["client"] => async (as, scenario) => {
  const { clientId: client, api } = scenario;
  const more = phase === "call_api" ? { resource: api } : {};
  const tokens = await as.login("alice", { client, scope: "openid orders offline_access", ...more });
  if (scenario.phase === phase) await work(as, scenario, tokens);
};

async function send(as: Mock, path: string, params: Readonly<Record<string, string>>): Promise<void> {
  const response = await as.fetch(as.issuer + path, { method: "POST", body: new URLSearchParams(params) });
  const text = await response.text();
  if (!response.ok) throw new Error(`the server answers ${text}`);
}

const refresh = (as: Mock, { clientId }: Scenario, token = "") =>
  send(as, "/oauth2/token", { grant_type: "refresh_token", refresh_token: token, client_id: clientId });

const revoke = (as: Mock, { clientId }: Scenario, token = "") =>
  send(as, "/oauth2/revoke", { token, client_id: clientId });

async function call(as: Mock, { api }: Scenario, token?: string): Promise<void> {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await as.fetch(api, { headers });
  await body?.cancel();
  if (status !== 200) throw new Error(`the API answers ${status}`);
}

const swallow = (work: InPhase): InPhase => (...args) => work(...args).catch(() => {});
const thenFail = (work: InPhase): InPhase => async (...args) => {
  await work(...args);
  throw new Error("the own needs are not met");
};

const wrongRefresh: InPhase = (as, scenario) => refresh(as, scenario, "wrong");
const rightRefresh: InPhase = (as, scenario, { refresh_token: token }) => refresh(as, scenario, token);
const wrongCode: InPhase = (as, { clientId: client_id }) =>
  send(as, "/oauth2/token", { grant_type: "authorization_code", code: "wrong", client_id });
const wrongCall: InPhase = (as, scenario) => call(as, scenario, "wrong");
const unsupported: InPhase = () => Promise.reject(new Error("there is no such phase"));
const wrongRegistration: InPhase = (as) => send(as, "/connect/register", { redirect_uris: "none" });

const lookUp = async (as: Mock) =>
  void await (await as.fetch(`${as.issuer}/.well-known/other`)).body?.cancel();

type Found = "has" | "does not" | RegExp;

const cases: readonly (readonly [what: string, phase: Phase, work: InPhase, found: Found])[] = [
  ["does it", "refresh", rightRefresh, "has"],
  ["does nothing", "refresh", () => Promise.resolve(), "does not"],
  ["says that it has no such phase", "refresh", unsupported, "does not"],
  [
    "is refused, and throws",
    "refresh",
    wrongRefresh,
    /^The client fails where it refreshes its tokens, although the server is right: Error: the server answers .*\nThe server refused POST \/oauth2\/token .*\n.*refresh_unknown/,
  ],
  [
    "is refused, and says nothing",
    "refresh",
    swallow(wrongRefresh),
    /^No request with which the client refreshes its tokens succeeds, although the server is right\.\nThe server refused POST /,
  ],
  [
    "is refused in the login of this run, goes on, and is refused again",
    "refresh",
    async (...args) => {
      await swallow(wrongCode)(...args);
      await wrongRefresh(...args);
    },
    /\nThe server refused POST \/oauth2\/token .*\n.*refresh_unknown/,
  ],
  ["is refused once, and tries again", "refresh", async (...args) => {
    await swallow(wrongRefresh)(...args);
    await rightRefresh(...args);
  }, "has"],
  [
    "does it, and then throws",
    "refresh",
    thenFail(rightRefresh),
    /^The client refreshes its tokens, and then fails, although the server is right: Error: the own needs are not met$/,
  ],
  [
    "uses the same token again later",
    "refresh",
    async (...args) => {
      await rightRefresh(...args);
      await rightRefresh(...args);
    },
    /^The client refreshes its tokens, and then fails, [^]*refresh_reused/,
  ],
  [
    "refreshes for two callers at once, and then with a wrong token",
    "refresh",
    async (...args) => {
      await both(...args);
      await wrongRefresh(...args);
    },
    /refresh_reused/,
  ],
  ["shows that a revoked token is of no use", "refresh", async (as, scenario, tokens) => {
    await revoke(as, scenario, tokens.refresh_token);
    await assertRejects(() => rightRefresh(as, scenario, tokens));
  }, "does not"],
  ["revokes, shows that the token is of no use, and signs the person out", "refresh", async (...args) => {
    const [as, scenario, tokens] = args;
    await revoke(as, scenario, tokens.refresh_token);
    await assertRejects(() => rightRefresh(...args));
    await as.endSession(tokens);
  }, "does not"],
  ["calls without a token", "call_api", swallow((as, scenario) => call(as, scenario)), "does not"],
  [
    "calls with a wrong token",
    "call_api",
    wrongCall,
    /^The client fails where it calls the API, .*: Error: the API answers 401\nThe server refused GET /,
  ],
  ["calls", "call_api", (as, scenario, tokens) => call(as, scenario, tokens.access_token), "has"],
  ["revokes", "logout", (as, scenario, tokens) => revoke(as, scenario, tokens.refresh_token), "has"],
  [
    "revokes, and then throws",
    "logout",
    thenFail((as, scenario, tokens) => revoke(as, scenario, tokens.refresh_token)),
    /^The client signs the person out or revokes its tokens, and then fails, /,
  ],
  [
    "registers itself, and is refused",
    "register",
    wrongRegistration,
    /^The client fails where it registers itself, .*\nThe server refused POST \/connect\/register/,
  ],
  [
    "looks for metadata where there are none, and is refused in the login of this run only",
    "refresh",
    async (as, ...args) => {
      await lookUp(as);
      await wrongCode(as, ...args);
    },
    /^The client fails before it refreshes its tokens, .*\nThe server refused POST \/oauth2\/token /,
  ],
  ["looks for metadata where there are none, and stops", "refresh", async (as, ...args) => {
    await lookUp(as);
    await unsupported(as, ...args);
  }, "does not"],
];

const rowOf = {
  login: "id_token.missing",
  refresh: "refresh.id_token_other_subject",
  call_api: "refresh.revoked_early",
  logout: "logout.state_missing",
  register: "registration.refused",
} as const satisfies Readonly<Record<Phase, string>>;

for (const [what, phase, work, found] of cases) {
  test(`right run: ${phase}: a client that ${what}`, async () => {
    const only = ["id_token.missing", rowOf[phase]] as const;
    const { phases, unfinished, problem, rows } = await examine({ client: doing(phase, work), only });
    assertEquals(phases.includes(phase), found === "has");
    assertEquals(unfinished, found instanceof RegExp ? [phase] : undefined);
    // The login is another run.
    assertEquals(rows[0]!.outcome, "fooled");
    if (found === "has") assert(!rows[1]!.because.includes("has no phase"), rows[1]!.because);
    if (!(found instanceof RegExp)) return assertEquals(problem, undefined);
    assertMatch(problem ?? "", found);
    assertEquals([rows[1]!.outcome, rows[1]!.because], ["not_reached", problem?.split("\n", 1)[0]]);
  });
}

test("right run: a row of a phase that a client does not have quotes how its run ended", async () => {
  const { rows: [row] } = await examine({ client: doing("logout", unsupported), only: [rowOf.logout] });
  assertMatch(row!.because, / nor revokes its tokens\. Its run ended with Error: there is no such phase$/);
});

test("right run: a client whose one run does all, and fails after the login, is not examined", async () => {
  const client: ExamineTerms["client"] = async (as, scenario) => {
    await as.login("alice", { client: scenario.clientId, scope: "openid" });
    await refresh(as, scenario, "wrong");
  };
  const { message } = await assertRejects(() => examine({ client, only: [rowOf.refresh] }), Error);
  assertMatch(
    message,
    /^Cannot examine the client\. The client logs in, and then fails, [^]*refresh_unknown/,
  );
});

test("right run: a client whose one run does all, and then fails, did so after the last phase", async () => {
  const { signal } = new AbortController();
  const terms = { name: undefined, phase: "login", number: 1, options: {}, listens: false, signal } as const;
  await using world = await createWorld(terms);
  const { as, scenario } = world;
  const tokens = await as.login("alice", { client: scenario.clientId, scope: "openid offline_access" });
  await rightRefresh(as, scenario, tokens);
  const { phases, problem } = judgeRightRun(world, ["login", "refresh"], "Error: no");
  assertEquals(phases, ["login", "refresh"]);
  assertMatch(problem ?? "", /^The client refreshes its tokens, and then fails, .*: Error: no$/);
  const sent = new URLSearchParams(as.requests.token.first!.raw().request.body);
  const { problem: told = "" } = judgeRightRun(world, ["login"], `Error: ${sent.get("code_verifier")}`);
  assertMatch(told, /: Error: \[redacted\]$/);
});

test("right run: a client that cannot log in is told what the server refused, also if that is an unknown address", async () => {
  const client: ExamineTerms["client"] = (as) => send(as, "/login", {});
  const { message } = await assertRejects(() => examine({ client, only: ["id_token.missing"] }), Error);
  assertMatch(message, /\nThe server refused POST \/login/);
});

const both: InPhase = (...args) => Promise.all([rightRefresh(...args), rightRefresh(...args)]);

test("right run: a client that cannot finish two phases is told of both", async () => {
  const [refreshes, calls] = [doing("refresh", wrongRefresh), doing("call_api", wrongCall)];
  const { problem = "" } = await examine({
    client: async (as, scenario) => void [await refreshes(as, scenario), await calls(as, scenario)],
    only: [rowOf.refresh, rowOf.call_api],
  });
  assertEquals(problem.match(/^The client fails where [^,]*/gm), [
    "The client fails where it refreshes its tokens",
    "The client fails where it calls the API",
  ]);
});

test("right run: a client whose two callers refresh at the same time keeps its phase, and refresh.slow judges them (RFC 9700 §4.14.2)", async () => {
  const { phases, problem, rows } = await examine({ client: doing("refresh", both), only: ["refresh"] });
  assertEquals([phases, problem], [["login", "refresh"], undefined]);
  const outcomeOf = (name: string) => rows.find((row) => row.name === name)!.outcome;
  assertEquals(["slow", "not_rotated", "invalid_grant"].map((fault) => outcomeOf(`refresh.${fault}`)), [
    ...["fooled", "tolerated", "noticed"],
  ]);
  assertEquals(rows.filter(({ outcome }) => outcome === "unknown").length, 1);
});

test("right run: a client whose two callers refresh is tried again with a server that takes a moment", async () => {
  const fastest: number[] = [];
  const issuers: string[] = [];
  const client = doing("refresh", async (as, ...args) => {
    issuers.push(as.issuer);
    await both(as, ...args).finally(() => {
      const refreshes = as.requests.filter(({ grantType }) => grantType === "refresh_token");
      fastest.push(Math.min(...refreshes.map(({ duration }) => duration)));
    });
  });
  await examine({ client, only: [rowOf.refresh] });
  // In seconds. A timer may be early by a fraction of a millisecond.
  assert(fastest[1]! > 0.099, `${fastest}`);
  assertEquals(new Set(issuers).size, issuers.length);
});

test("right run: one caller refreshes for both, and refresh.slow applies only if that is declared", async () => {
  const client = doing("refresh", async (...args) => {
    const running = rightRefresh(...args);
    await Promise.all([running, running]);
  });
  for (const does of [[], ["two_refreshes"]] as const) {
    const { rows: [row] } = await examine({ client, only: ["refresh.slow"], does });
    assertEquals(row!.outcome, does.length === 0 ? "not_applicable" : "unharmed");
  }
});

test("right run: refresh.slow refuses none of two refreshes, so that the client may end as usual", async () => {
  const client = doing("refresh", async (as, scenario, tokens) => {
    await (scenario.name === "refresh.slow" ? both : rightRefresh)(as, scenario, tokens);
  });
  const { rows: [row] } = await examine({ client, only: ["refresh.slow"], does: ["two_refreshes"] });
  assertEquals([row!.outcome, row!.because], [
    "fooled",
    "The client sent a refresh token a second time: POST token (refresh_token).",
  ]);
});

const late: Readonly<Record<string, (runs: number) => Promise<void>>> = {
  "does not end": () => new Promise(() => {}),
  "gives up": () => Promise.reject(new DOMException("The operation timed out", "TimeoutError")),
  "gives up in Go": () => Promise.reject(new Error("context deadline exceeded")),
  ...Object.fromEntries(
    ["Read timeout", "timed-out", "Time out", "it timedout", "not Within The Limit"].map((words) => [
      `says "${words}"`,
      () => Promise.reject(new Error(words)),
    ]),
  ),
  "is aborted": () => Promise.reject(new DOMException("This operation was aborted", "AbortError")),
};

for (const [what, wait] of Object.entries(late)) {
  const within = what === "does not end" ? 1 : 60;
  for (const times of [1, 2]) {
    test(`right run: a client that ${what} is tried once more: late ${times} times`, async () => {
      let runs = 0;
      const client = doing("refresh", async (...args) => {
        if (++runs <= times) return await wait(runs);
        await rightRefresh(...args);
      });
      const client2: ExamineTerms["client"] = async (as, scenario) => {
        if (scenario.phase === "refresh") await refresh(as, scenario, "tries").catch(() => {});
        await client(as, scenario);
      };
      const { phases, problem } = await examine({ client: client2, only: [rowOf.refresh], within });
      assertEquals(phases.includes("refresh"), times === 1);
      if (times === 2) {
        const [, said] = /^says "(.*)"$/.exec(what) ?? [];
        const words = said ?? "(?:limit|timed out|deadline|AbortError)";
        assertMatch(problem ?? "", new RegExp(`^The client fails where .*${words}`));
      } else assertEquals(problem, undefined);
    });
  }
}

test("right run: a client that is late before it tries the phase is tried once more", async () => {
  const issuers: string[] = [];
  const client = doing("refresh", async (...args) => {
    issuers.push(args[1].issuer);
    if (issuers.length === 1) throw new DOMException("The operation timed out", "TimeoutError");
    await rightRefresh(...args);
  });
  const { phases } = await examine({ client, only: [rowOf.refresh] });
  assertEquals(phases.includes("refresh"), true);
  // It may have kept something of the first one.
  assertEquals(new Set(issuers).size, issuers.length);
});

test("right run: the failure is the first entry in each format", async () => {
  const card = await examine({
    client: doing("refresh", swallow(wrongRefresh)),
    only: [rowOf.login, rowOf.refresh],
  });
  const report = createReport(card);
  const sentence = "No request with which the client refreshes its tokens succeeds";
  const explanation = "refresh_unknown";
  const texts = {
    text: await formatCard(card, "text"),
    brief: formatBrief(report),
    markdown: (await formatCard(card, "markdown")).replace("# Report card\n\n**", "").replaceAll("\\", ""),
    html: /<h1>.*<\/h1>\n<p class="problem">([^]*)/.exec(await formatCard(card, "html"))![1]!,
    junit: /<testcase [^>]*>\s+<failure type="problem" message="([^]*)/.exec(
      await formatCard(card, "junit"),
    )![1]!,
    sarif: JSON.parse(await formatCard(card, "sarif")).runs[0].invocations[0]
      .toolExecutionNotifications[0].message.text,
    json: JSON.parse(await formatCard(card, "json")).problem,
  };
  for (const [form, text] of Object.entries(texts)) {
    assertEquals([form, text.slice(0, sentence.length)], [form, sentence]);
    assertStringIncludes(text, explanation, form);
  }
  assertStringIncludes(texts.text, "\nThe client logs in. It fails where it refreshes its tokens.");
});

test("right run: a client that introspects for the API of the options does so for the API of the run (RFC 7662 §2.1)", async () => {
  const api = "https://api.test/orders";
  const gateway = { client_id: "gateway", client_secret: "s3cret", grant_types: [] };
  const clients = [
    { client_id: "app", redirect_uris: ["https://app.test/callback"] },
    { ...gateway, introspects: [api, "https://other.test"] },
    { ...gateway, client_id: "other", introspects: ["https://other.test"] },
  ];
  const seen: unknown[] = [];
  await examine({
    only: ["id_token.missing"],
    options: { clients },
    async client(as, scenario) {
      const { access_token: token } = await as.login("alice", {
        scope: "openid orders",
        resource: scenario.api,
      });
      const introspect = async (id: string) => {
        const answer = await as.fetch(`${as.issuer}/oauth2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa(`${id}:s3cret`)}` },
          body: new URLSearchParams({ token }),
        });
        return (await answer.json()).active;
      };
      const named = as.clients.all.map(({ introspects = [] }) =>
        introspects.map((each) => each === scenario.api ? api : each)
      );
      seen.push([await introspect("gateway"), await introspect("other"), named]);
    },
  });
  assertEquals(seen[0], [true, false, [[], [api, "https://other.test"], ["https://other.test"]]]);
});
