/** `examine`: a client runs once for each misbehaviour. */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import {
  createMock,
  examine,
  type ExamineTerms,
  type MisbehaviourName,
  misbehaviourNames,
  type Mock,
  type Scenario,
} from "../../../../src/kit/mod.ts";
import type { Phase } from "../../../../src/kit/faults/misbehaviour.ts";
import { putAwaitedFirst } from "../../../../src/kit/examine/row_runs.ts";
import { createClient } from "../../faults/clients/client.ts";
import { quick, quickAlg, strict } from "../../faults/clients/habits.ts";
import { test } from "../../../runner.ts";
import { authorizeUrl, requestToken } from "../authorize_url.ts";

/** Logs in, and redeems the code. Checks nothing. */
async function logInWith(
  fetch: Mock["fetch"],
  { issuer, clientId: client_id, redirectUri: redirect_uri, browse }: Scenario,
): Promise<void> {
  const client = { client_id, redirect_uri };
  const { searchParams } = await browse(authorizeUrl(issuer, client));
  const response = await requestToken({ issuer, fetch }, { ...client, code: searchParams.get("code")! });
  await response.json();
}

const logIn: ExamineTerms["client"] = (as, scenario) => logInWith(as.fetch, scenario);

const only = ["authorization_response.iss_wrong"] as const;

test("examine: the server of each run is closed when the run is over", async () => {
  const servers: Mock[] = [];
  await examine({ client: (as, scenario) => (servers.push(as), logIn(as, scenario)), only });
  assert(servers.length > 1);
  for (const { fetch, issuer } of servers) await assertRejects(() => fetch(issuer), Error, "disposed of");
});

test("examine: a run in process and a run over a port come to the same verdict", async () => {
  const inProcess = await examine({ client: logIn, only });
  // The global fetch is that of a program which knows nothing of the mock.
  const overPort = await examine({
    client: (_as, scenario) => logInWith(fetch as Mock["fetch"], scenario),
    only,
    listen: true,
  });
  for (const card of [inProcess, overPort]) {
    assertEquals(card.phases, ["login"]);
    assertEquals(card.rows.map(({ name, outcome }) => [name, outcome]), [[only[0], "fooled"]]);
    assertEquals(card.problem, undefined);
  }
});

test("examine: a client that stops working during the examination is not taken for one that notices nothing", async () => {
  let runs = 0;
  const card = await examine({
    client: (as, scenario) =>
      ++runs > 3 ? Promise.reject(new Error("database is locked")) : logIn(as, scenario),
    only: ["authorization_response.iss_slash", "authorization_response.iss_wrong", "id_token.missing"],
    jobs: 1,
  });
  assertEquals(card.rows.map(({ outcome }) => outcome), ["fooled", "fooled", "not_reached"]);
  assertMatch(card.rows[2]!.because, /It refused: Error: database is locked$/);
  assertEquals(
    card.problem,
    "After id_token.missing, the client failed although the server was right: Error: database is locked. " +
      "Something around the client may be broken, so do not trust the verdicts.",
  );
  // The login, three misbehaviours, and once more after the last of them.
  assertEquals(runs, 5);
});

test("examine: a client that stops working at the very end is seen, too", async () => {
  let runs = 0;
  const card = await examine({
    client: (as, scenario) => ++runs > 2 ? Promise.reject(new Error("out of disk")) : logIn(as, scenario),
    only,
  });
  assertEquals(card.rows.map(({ outcome }) => outcome), ["fooled"]);
  assertMatch(card.problem!, /^At the end, the client failed .*: Error: out of disk\. /);
});

/** A row of each phase, which says nothing about a client that does not reach the phase. */
const rowOfPhase = {
  login: "id_token.missing",
  refresh: "refresh.id_token_other_subject",
  call_api: "refresh.revoked_early",
  logout: "logout.state_missing",
  register: "registration.refused",
} as const satisfies Readonly<Record<Phase, MisbehaviourName>>;

for (const [phase, name] of Object.entries(rowOfPhase)) {
  test(`examine: a client that ends well, and does not get to ${phase} any more, has failed`, async () => {
    const client = createClient(quick);
    const usualRuns = phase === "login" ? 1 : 2;
    let runs = 0;
    const { rows, problem } = await examine({
      client: async (as, scenario) => {
        if (++runs <= usualRuns) return await client(as, scenario);
        if (phase !== "login") await client(as, { ...scenario, name: undefined, phase: "login" });
      },
      only: [name],
      options: { alg: quickAlg },
      jobs: 1,
    });
    assertEquals(rows.map(({ outcome }) => outcome), ["not_reached"]);
    assertStringIncludes(
      problem ?? "",
      `After ${name}, the client failed although the server was right: The client has no phase ${phase}: it `,
    );
  });
}

test("examine: over a port, a client can register itself with the redirect URI of the scenario", async () => {
  const { phases, rows } = await examine({
    client: createClient(strict),
    only: ["registration.refused", "client_document.refused"],
    listen: true,
  });
  assertEquals(phases, ["login", "register"]);
  assertEquals(rows.map(({ outcome }) => outcome), ["noticed", "tolerated"]);
});

test("examine: over a port, a client of the options keeps its own redirect URI", async () => {
  const clients = [{ client_id: "shop", redirect_uris: ["https://shop.test/back"] }];
  const found: string[] = [];
  await examine({
    client(_as, scenario) {
      found.push(`${scenario.clientId} ${scenario.redirectUri}`);
      return logInWith(fetch as Mock["fetch"], scenario);
    },
    only,
    options: { clients },
    listen: true,
  });
  assertEquals([...new Set(found)], ["shop https://shop.test/back"]);
});

test("examine: a client whose login fails without a fault is not examined", async () => {
  const failing = () => Promise.reject(new Error("no network"));
  const failed =
    "Cannot examine the client. The client fails before it logs in, although the server is right: Error: no network";
  const error = await assertRejects(() => examine({ client: failing, only }), Error, failed);
  assertEquals((error.cause as Error).message, "no network");
  await assertRejects(
    () => examine({ client: async () => {}, only }),
    Error,
    "it redeemed no authorization code",
  );
});

test("examine: the error about a login that fails has the first refusal of the server, and what allows it", async () => {
  const client: ExamineTerms["client"] = async (_as, { issuer, clientId, redirectUri, browse }) => {
    const url = authorizeUrl(issuer, {
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid",
      nonce: "n",
    });
    url.searchParams.delete("code_challenge");
    url.searchParams.delete("code_challenge_method");
    const callback = await browse(url);
    throw new Error(`the answer has no code: ${callback.searchParams.get("error")}`);
  };
  const options = {
    clients: [{ client_id: "app", client_secret: "a-secret", redirect_uris: ["https://app.test/"] }],
  };
  const { message } = await assertRejects(() => examine({ client, options, only }), Error);
  assertMatch(
    message,
    /right: Error: the answer has no code: invalid_request\nThe server refused GET \/oauth2/,
  );
  assertMatch(message, /\(challenge_missing\)[^]*"require_pkce": false/);
});

test("examine: a browser that a client sends to the foreign server reaches it, which is no refusal", async () => {
  // What the client throws would count as its refusal.
  const ends: unknown[] = [];
  const client: ExamineTerms["client"] = async (as, scenario) => {
    await logIn(as, scenario);
    if (scenario.name === undefined) return;
    const { issuer, clientId: client_id, redirectUri: redirect_uri, browse } = scenario;
    const url = `https://${new URL(issuer).hostname.replaceAll(".", "-")}.decoy.test/authorize`;
    const script = `javascript:location='${url}'`;
    for (const opened of [url, script]) ends.push(await browse(opened).catch(({ message }) => message));
    // Text of a script inside of another URL is none.
    ends.push((await browse(authorizeUrl(issuer, { client_id, redirect_uri, state: script }))).origin);
  };
  await examine({ client, only });
  const page = /^The page at \S+\.decoy\.test\/authorize does not call the client: its status is 200$/;
  for (const end of ends.slice(0, 2)) assertMatch(`${end}`, page);
  assertEquals(ends.slice(2), ["https://app.test"]);
});

test("examine: a choice without a fault of a server, or with an unknown name, is refused", async () => {
  const noClient = "Cannot examine a client: expected a function as client, which runs the client once";
  await assertRejects(() => examine({ client: "app" as never }), TypeError, noClient);
  const misnamed = { client: logIn, levels: "must" };
  await assertRejects(() => examine(misnamed), TypeError, "levels is not known: did you mean level?");
  const noFault = "Cannot examine a client: the areas proof and certificate have no fault of a server";
  await assertRejects(() => examine({ client: logIn, only: ["proof"] }), TypeError, noFault);
  const noLevel = "Cannot examine a client: no chosen misbehaviour has one of the chosen levels";
  const withLevel = { only: ["client_document"], level: "must" } as const;
  await assertRejects(() => examine({ client: logIn, ...withLevel }), TypeError, noLevel);
  const misspelt = ["authorization_response.iss_worng" as never];
  const suggestion = "Did you mean authorization_response.iss_wrong?";
  await assertRejects(() => examine({ client: logIn, only: misspelt }), TypeError, suggestion);
});

test("examine: the phases that a client does not have are not reached", async () => {
  const { rows } = await examine({ client: logIn, level: ["must", "tolerate"], only: ["refresh", ...only] });
  const because = "The client has no phase refresh: it does not refresh its tokens.";
  for (const row of rows.filter(({ phase }) => phase === "refresh")) {
    // The client does not have what this row needs in the phase, either.
    const outcome = row.name === "refresh.rotated" ? "not_applicable" : "not_reached";
    assertEquals([row.outcome, row.because], [outcome, because]);
  }
});

/** Logs in and calls the API, which is the one of the test kit. */
const callApi: ExamineTerms["client"] = async (as, { phase, clientId, api }) => {
  const resource = phase === "call_api" ? { scope: "orders", resource: api } : {};
  const { access_token: token } = await as.login("alice", { client: clientId, ...resource });
  if (phase === "call_api") await as.fetch(api, { headers: { authorization: `Bearer ${token}` } });
};

/** Examines, and lists the misbehaviours of the runs in their order. */
async function listRuns({ client, ...terms }: ExamineTerms) {
  const runs: (string | undefined)[] = [];
  const card = await examine({
    ...terms,
    client(as, scenario) {
      runs.push(scenario.name);
      return client(as, scenario);
    },
  });
  return { ...card, runs };
}

test("examine: one run shows that a client has no API of its own, and then no faulty token applies to it", async () => {
  const only = ["access_token", "introspection", "token_exchange"] as const;
  const { rows, runs } = await listRuns({ client: callApi, only, level: "must" });
  assertEquals(rows.filter(({ outcome }) => outcome !== "not_applicable"), []);
  const wrong = runs.filter((name) => name?.startsWith("access_token."));
  assertEquals(wrong, ["access_token.unreadable"]);
});

test("examine: a client whose own API reads its tokens is judged by each of them", async () => {
  const { rows } = await examine({
    client: async (as, scenario) => {
      if (scenario.name === undefined) return await callApi(as, scenario);
      const { access_token: token } = await as.login("alice", { client: scenario.clientId });
      if (token.split(".").length !== 3) throw new Error("the API cannot read the token");
    },
    only: ["access_token.expired", "access_token.unreadable"],
  });
  assertEquals(rows.map(({ name, outcome }) => [name, outcome]), [
    ["access_token.expired", "fooled"],
    ["access_token.unreadable", "noticed"],
  ]);
});

test("examine: the row that other rows wait for is the first, and the others keep their order", () => {
  const names = [
    "keys.empty",
    "access_token.expired",
    "access_token.unreadable",
    "id_token.missing",
  ] as const;
  assertEquals(putAwaitedFirst(names), [names[2], names[0], names[1], names[3]]);
});

test("examine: rows that say nothing at the same time share the next run with a right server", async () => {
  // The client never loads the keys.
  const terms = { client: logIn, only: ["keys"], level: "hardening" } as const;
  const count = async (jobs: number) =>
    (await listRuns({ ...terms, jobs })).runs.filter((name) => name === undefined).length;
  const [alone, shared] = [await count(1), await count(8)];
  assert(shared < alone, `${shared} right runs, and ${alone} without others at the same time`);
});

const refuseAll: ExamineTerms["client"] = async (as, { name, clientId }) => {
  await as.login("alice", { client: clientId, scope: "openid" });
  if (name !== undefined) throw new Error("this is no usual run");
};

test("examine: a client that refuses whatever the server does has noticed nothing", async () => {
  const { rows } = await examine({ client: refuseAll, level: "must", only: ["id_token"] });
  const verdicts = rows.filter(({ outcome }) => outcome !== "not_applicable")
    .map(({ outcome, because }) => `${outcome}: ${because}`);
  const expected = [
    "unknown: The client also failed with a right answer: Error: this is no usual run",
    ...["aud_array", "unknown_claims"].map((fault) =>
      `unknown: The client did not go on with id_token.${fault} either: The client refused: Error: this is no usual run`
    ),
  ];
  assertEquals([...new Set(verdicts)].sort(), expected);
});

const scopes = { "openid email": "unknown", openid: "noticed" } as const;

for (const [scope, expected] of Object.entries(scopes)) {
  test(`examine: a client that wants the scope ${scope} to the letter, and the right variant with another order`, async () => {
    const client: ExamineTerms["client"] = async (as, { clientId }) => {
      const tokens = await as.login("alice", { client: clientId, scope });
      if (tokens.scope !== scope) throw new Error("another scope");
    };
    const { rows: [row] } = await examine({ client, only: ["token_response.scope_more"] });
    assertEquals(row!.outcome, expected, row!.because);
  });
}

for (const name of ["access_token.expired", "access_token.type_full"] as const) {
  test(`misbehave: ${name} that only the API of the test kit judged does not apply to the client`, async () => {
    await using as = await createMock();
    const api = as.resource("https://api.test/orders", { scope: "orders" });
    using wrong = as.misbehave(name);
    const ask = async () => {
      const { access_token: token } = await as.login("bob", { scope: "orders", resource: api.url });
      await as.fetch(api.url, { headers: { authorization: `Bearer ${token}` } });
    };
    const { outcome, requests } = await wrong.settled(ask());
    assertEquals([outcome, requests.map(({ endpoint }) => endpoint)], [
      "not_applicable",
      ["token", "resource"],
    ]);
  });
}

test("misbehave: a call of the URL in an access token counts, although the API of the test refuses the token (RFC 8725 §3.10)", async () => {
  await using as = await createMock();
  const api = as.resource("https://api.test");
  using wrong = as.misbehave("access_token.key_by_url");
  const { access_token: token } = await as.login("alice", { resource: api.url });
  const { jku = "" } = JSON.parse(atob(token.split(".")[0]!));
  await (await as.fetch(jku)).body?.cancel();
  const { status } = await as.fetch(api.url, { headers: { authorization: `Bearer ${token}` } });
  assertEquals([status, (await wrong.settled()).outcome], [401, "fooled"]);
});

/** What each run of an examination was, in their order. */
interface SeenRun {
  readonly name: string | undefined;
  readonly phase: Phase;
  readonly issuer: string;
  readonly code: string;
  readonly signal: AbortSignal;
  /** How many runs were going on when it began, with itself, and which. */
  readonly beside: readonly (string | undefined)[];
}

async function recordRuns(terms: Omit<ExamineTerms, "client">, then: () => Promise<void> = async () => {}) {
  const runs: SeenRun[] = [];
  const going: (string | undefined)[] = [];
  const card = await examine({
    ...terms,
    async client({ fetch }, { name, phase, issuer, clientId, redirectUri, browse, signal }) {
      assert(!signal.aborted, "the signal of a run that goes on");
      going.push(name ?? phase);
      const beside = [...going];
      try {
        const client = { client_id: clientId, redirect_uri: redirectUri };
        const { searchParams } = await browse(authorizeUrl(issuer, client));
        const code = searchParams.get("code")!;
        runs.push({ name, phase, issuer, code, signal, beside });
        await (await requestToken({ issuer, fetch }, { ...client, code })).text();
        await then();
      } finally {
        going.splice(going.indexOf(name ?? phase), 1);
      }
    },
  });
  return { card, runs };
}

test("examine: each run has an issuer, a seed and a signal of its own, and a seed gives the same runs again", async () => {
  const first = misbehaviourNames[0]!;
  // Each variant of the second, and the silence of the last, take more runs.
  const only = [first, "refresh.slow", "id_token.aud_empty", "keys.empty"] as const;
  const { runs } = await recordRuns({ only, jobs: 1 });
  assert(runs.filter(({ name }) => name === undefined).length > 3);
  for (const member of ["issuer", "signal"] as const) {
    assertEquals(new Set(runs.map((run) => run[member])).size, runs.length, member);
  }
  // The runs of one row share its seed.
  const codesByRow = new Set(runs.map(({ code, name, phase }) => `${name ?? phase} ${code}`));
  for (const codes of [runs.map(({ name, phase }) => name ?? phase), runs.map(({ code }) => code)]) {
    assertEquals(new Set(codes).size, codesByRow.size);
  }
  assert(runs.every(({ signal }) => signal.aborted), "a run is over, and its signal says so");
  const codesOf = async (seed?: string) => {
    const terms = seed === undefined ? { only, jobs: 1 } : { only, jobs: 1, seed };
    return (await recordRuns(terms)).runs.map(({ code }) => code);
  };
  const codes = runs.map(({ code }) => code);
  assertEquals([await codesOf(), await codesOf("examine")], [codes, codes]);
  assertEquals((await codesOf("other")).filter((code) => codes.includes(code)), []);
});

test("examine: as many runs as jobs are at the same time, four if the caller says nothing, and a large one is alone", async () => {
  const large = ["metadata.huge", "id_token.huge", "transport.huge_body"];
  const only = ["id_token", "metadata.huge", "transport.huge_body", ...Object.values(rowOfPhase)] as const;
  for (const jobs of [undefined, 1, 2]) {
    const { card, runs } = await recordRuns({
      only,
      ...(jobs === undefined ? {} : { jobs }),
    });
    const rightRuns = runs.slice(0, 5);
    assertEquals(new Set(rightRuns.map(({ phase }) => phase)).size, 5);
    for (const some of [rightRuns, runs.slice(5)]) {
      assertEquals(Math.max(...some.map(({ beside }) => beside.length)), jobs ?? 4);
    }
    const names = card.rows.map(({ name }) => name);
    assertEquals(names, misbehaviourNames.filter((name) => names.includes(name)));
    assert(names.some((name) => large.includes(name)));
    for (const { beside } of runs) {
      if (beside.some((name) => large.includes(`${name}`))) assertEquals(beside.length, 1, `${beside}`);
    }
  }
});

test("examine: rows of a phase that the client lacks take no run, and none with a right server", async () => {
  const { card, runs } = await recordRuns({ only: ["refresh"], level: "must" });
  assert(card.rows.length > 3);
  // The two phases, and the end.
  assertEquals(runs.map(({ name }) => name), [undefined, undefined, undefined]);
  assertEquals(runs.map(({ phase }) => phase), ["login", "refresh", "login"]);
  assertEquals(card.neverSends, []);
});

test("examine: the problem of a phase comes before what failed at the end", async () => {
  let runs = 0;
  const { problem = "" } = await examine({
    client: async (as, scenario) => {
      if (++runs > 3) throw new Error("out of disk");
      await logIn(as, scenario);
      if (scenario.phase !== "refresh") return;
      const form = { grant_type: "refresh_token", refresh_token: "wrong", client_id: scenario.clientId };
      await requestToken(as, form);
      throw new Error("no refresh");
    },
    only: ["authorization_response.iss_wrong", "refresh.rotated"],
    jobs: 1,
  });
  assertMatch(problem, /^The client fails where it refreshes its tokens[^]*\nAt the end, the client failed/);
});

test("examine: the first run may take three times as long, because it loads the program", async () => {
  let runs = 0;
  const { runs: seen } = await recordRuns({ only, within: 1 }, async () => {
    if (++runs === 1) await new Promise((resolve) => setTimeout(resolve, 1100));
  });
  // One try, the row and the end.
  assertEquals(seen.map(({ name }) => name), [undefined, only[0], undefined]);
});
