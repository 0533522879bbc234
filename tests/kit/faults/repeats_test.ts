/** A client creates a new verifier, nonce and state for each login (RFC 7636 §4.1; OpenID Connect Core §15.5.2; RFC 9700 §2.1). */

import { assertEquals, assertThrows } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createMock, examine, type ExamineTerms, type Mock, type MockOptions } from "../../../src/kit/mod.ts";
import { isProtected, listLogins, loginParameters } from "../../../src/kit/faults/logins.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { joinJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";
import { createClient } from "./clients/client.ts";
import { confidentialClient, type Habits, naive, quick, quickAlg } from "./clients/habits.ts";
import { seenAt } from "./seen_requests.ts";

type Verdicts = readonly (readonly [name: string, outcome: string, because: string])[];

const only = ["login.nonce_repeated", "login.state_repeated", "login.verifier_repeated"] as const;

async function examineLogins(client: ExamineTerms["client"], options: MockOptions = {}): Promise<Verdicts> {
  const { rows } = await examine({ client, options: { alg: quickAlg, ...options }, only });
  return rows.map(({ name, outcome, because }) => [name.replace("login.", ""), outcome, because]);
}

const clients = [confidentialClient];

/** The client may leave out PKCE and the nonce. */
const examineHabits = (habits: Habits) => examineLogins(createClient(habits), { clients });

const outcomesOf = (verdicts: Verdicts) => Object.fromEntries(verdicts.map((each) => each.slice(0, 2)));

test("repeats: the nonce of a login whose requests are unknown is that of its ID token, and counts as new if that is encrypted", () => {
  const redeem = (claims: Readonly<Record<string, unknown>>, encrypted = false) => {
    const plain = joinJwt({ header: { alg: "none" }, claims, signature: "" });
    const body = JSON.stringify({ id_token: encrypted ? "a.b.c.d.e" : plain });
    const [login] = listLogins([
      seenAt("token", { number: 1, form: { grant_type: "authorization_code", code: "c" }, body }),
    ]);
    return isProtected(login!, []);
  };
  assertEquals([redeem({ nonce: "n" }), redeem({}), redeem({}, true)], [true, false, true]);
});

test("repeats: a client with new values in each login does nothing wrong", async () => {
  assertEquals(await examineLogins(createClient(quick)), [
    ["nonce_repeated", "unharmed", "Each of the 2 logins had a nonce of its own."],
    ["state_repeated", "unharmed", "Each of the 2 logins had a state of its own."],
    ["verifier_repeated", "unharmed", "Each of the 2 logins had a code_verifier of its own."],
  ]);
});

test("repeats: the same verifier in two logins is a fault, although a nonce protects them (RFC 7636 §4.1)", async () => {
  const [nonce, state, verifier] = await examineLogins(createClient({ ...quick, repeats: ["verifier"] }));
  assertEquals([nonce![1], state![1]], ["unharmed", "unharmed"]);
  assertEquals(verifier!.slice(1), [
    "fooled",
    "2 logins that redeemed a code had the same code_verifier.",
  ]);
});

test("repeats: a nonce protects the login of a client that asks for an ID token (OpenID Connect Core §3.1.2.1)", () => {
  const isGuarded = (scope: object) => {
    const facts = { flow: "f" };
    const query = `${new URLSearchParams({ nonce: "n", ...scope })}`;
    const [login] = listLogins([
      seenAt("authorize", { number: 1, query, facts }),
      seenAt("token", { number: 2, form: { grant_type: "authorization_code", code: "c" }, facts }),
    ]);
    return isProtected(login!, []);
  };
  const scopes = [{ scope: "orders openid" }, { scope: "orders" }, { scope: "openid2" }, {}];
  assertEquals(scopes.map(isGuarded), [true, false, false, false]);
});

test("repeats: the same nonce in two logins is a fault, although PKCE protects them (OpenID Connect Core §15.5.2)", async () => {
  const [nonce, ...others] = await examineLogins(createClient({ ...quick, repeats: ["nonce"] }));
  assertEquals(nonce!.slice(1), ["fooled", "2 logins that redeemed a code had the same nonce."]);
  assertEquals(others.map(([, outcome]) => outcome), ["unharmed", "unharmed"]);
});

const protectedStates: readonly (readonly [Partial<Habits>, outcome: string])[] = [
  [{ guards: [], repeats: ["state"] }, "fooled"],
  [{ guards: ["pkce"], repeats: ["state"] }, "unharmed"],
  [{ guards: ["nonce"], repeats: ["state"] }, "unharmed"],
  [{ guards: ["pkce"], repeats: ["state", "verifier"] }, "fooled"],
  [{ guards: ["nonce"], repeats: ["state", "nonce"] }, "fooled"],
  [{ guards: ["pkce", "nonce"], repeats: ["state", "verifier"] }, "unharmed"],
  [{ guards: ["pkce", "nonce"], repeats: ["state", "nonce"] }, "unharmed"],
  [{ guards: ["pkce", "nonce"], repeats: ["state", "nonce", "verifier"] }, "fooled"],
];

const because: Readonly<Record<string, string>> = {
  fooled:
    "2 logins that redeemed a code had the same state. At least one of them had no code_verifier or nonce of its own.",
  unharmed: "Logins had the same state, but each had a code_verifier or a nonce of its own.",
};

for (const [habits, outcome] of protectedStates) {
  const { guards = [], repeats = [] } = habits;
  const title = `guards: ${guards.join(", ") || "none"}; the same: ${repeats.join(", ")}`;
  test(`repeats: the same state is a fault if nothing new protects the login (RFC 9700 §2.1): ${title}`, async () => {
    const verdicts = await examineHabits({ ...quick, ...habits });
    assertEquals(verdicts.find(([name]) => name === "state_repeated")?.slice(1), [outcome, because[outcome]]);
  });
}

test("repeats: a client without the value is not judged by it", async () => {
  assertEquals(outcomesOf(await examineHabits({ ...quick, guards: [] })), {
    nonce_repeated: "not_applicable",
    state_repeated: "unharmed",
    verifier_repeated: "not_applicable",
  });
});

for (const [value, parameter] of Object.entries(loginParameters)) {
  test(`repeats: one login with a ${parameter} does not show that each login has its own`, async () => {
    let logins = 0;
    const client: ExamineTerms["client"] = async (as, scenario) => {
      const isFirst = ++logins === 1;
      const verifier = crypto.randomUUID() + crypto.randomUUID();
      const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" };
      const values = { code_verifier: pkce, nonce: { nonce: crypto.randomUUID() }, state: { state: "a" } };
      const url = new URL(`${scenario.issuer}/oauth2/authorize`);
      const params = { response_type: "code", client_id: "app", redirect_uri: scenario.redirectUri };
      const own = isFirst ? values[parameter as keyof typeof values] : {};
      url.search = `${new URLSearchParams({ ...params, scope: "openid", ...own })}`;
      const code = (await scenario.browse(url)).searchParams.get("code")!;
      const isProven = isFirst && value === "verifier";
      const body = new URLSearchParams({
        ...{ grant_type: "authorization_code", code, redirect_uri: scenario.redirectUri },
        ...(isProven ? { code_verifier: verifier } : {}),
      });
      const headers = { authorization: `Basic ${btoa("app:a-secret-of-this-test")}` };
      const response = await as.fetch(`${scenario.issuer}/oauth2/token`, { method: "POST", headers, body });
      assertEquals(response.status, 200);
      await response.body?.cancel();
    };
    const verdicts = await examineLogins(client, { clients });
    assertEquals(verdicts.find(([name]) => name === `${value}_repeated`)?.slice(1), [
      "not_reached",
      `The client did not redeem a code in two logins with a ${parameter}.`,
    ]);
  });
}

const stateFaults = [
  "authorization_response.state_changed",
  "authorization_response.state_missing",
  "authorization_response.state_of_another_login",
] as const;

const names = { pkce: ["verifier", "code_verifier"], nonce: ["nonce", "nonce"] } as const;

for (const guard of ["pkce", "nonce"] as const) {
  const [value, parameter] = names[guard];
  test(`repeats: a ${parameter} that is the same in each login excuses no missing check of state (RFC 9700 §2.1.1)`, async () => {
    const client = createClient({ ...naive, guards: [guard], repeats: [value] });
    const { rows } = await examine({ client, only: stateFaults, options: { alg: quickAlg, clients } });
    for (const { name, outcome, because } of rows) {
      const reason =
        `Afterwards the client sent POST token (authorization_code). Another login has the same ${parameter}.`;
      assertEquals([name, outcome, because.endsWith(reason)], [name, "fooled", true], because);
    }
    assertEquals(rows.length, stateFaults.length);
  });
}

/** Sends requests as a browser and an application do, and repeats some of them inside of a login. */
const repeatInside: ExamineTerms["client"] = async (as, { issuer, redirectUri, browse }) => {
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const own = { state: crypto.randomUUID(), nonce: crypto.randomUUID(), scope: "openid" };
  const url = authorizeUrl(issuer, { ...own, code_challenge: challengeOf(verifier) });
  // The application pushes its request twice, because the first answer was lost.
  const push = async () => {
    const answer = await as.fetch(`${issuer}/oauth2/par`, { method: "POST", body: url.searchParams });
    return (await answer.json()).request_uri;
  };
  await push();
  const pushed = new URL(`${issuer}/oauth2/authorize`);
  pushed.search = `${new URLSearchParams({ client_id: "app", request_uri: await push() })}`;
  const code = (await browse(pushed)).searchParams.get("code")!;
  // The person reloads, and the application does not redeem the second code.
  await browse(url);
  const form = { code, redirect_uri: redirectUri, code_verifier: verifier };
  const redeem = () => requestToken({ issuer, fetch: as.fetch }, form);
  assertEquals((await redeem()).status, 200);
  await (await redeem()).body?.cancel();
};

test("repeats: a pushed request, a retry and a reload are parts of one login (RFC 9126 §4)", async () => {
  assertEquals(outcomesOf(await examineLogins(repeatInside)), {
    nonce_repeated: "unharmed",
    state_repeated: "unharmed",
    verifier_repeated: "unharmed",
  });
});

test("repeats: a login whose code the server refuses is none, and the client may try again with its values", async () => {
  const client: ExamineTerms["client"] = async (as, { issuer, redirectUri, browse }) => {
    const verifier = crypto.randomUUID() + crypto.randomUUID();
    const own = { state: crypto.randomUUID(), nonce: crypto.randomUUID(), scope: "openid" };
    const url = authorizeUrl(issuer, { ...own, code_challenge: challengeOf(verifier) });
    const redeem = async (code_verifier: string) => {
      const code = (await browse(url)).searchParams.get("code")!;
      const form = { code, redirect_uri: redirectUri, code_verifier };
      const response = await requestToken({ issuer, fetch: as.fetch }, form);
      await response.body?.cancel();
      return response.status;
    };
    assertEquals([await redeem(`${verifier}-wrong`), await redeem(verifier)], [400, 200]);
  };
  assertEquals(outcomesOf(await examineLogins(client)), {
    nonce_repeated: "unharmed",
    state_repeated: "unharmed",
    verifier_repeated: "unharmed",
  });
});

test("repeats: two logins of one run count, too", async () => {
  const verifiers: string[] = [];
  const client: ExamineTerms["client"] = async (as, scenario) => {
    const verifier = crypto.randomUUID() + crypto.randomUUID();
    verifiers.push(verifier);
    for (const state of ["one", "two"]) {
      const url = authorizeUrl(scenario.issuer, { state, code_challenge: challengeOf(verifier) });
      await redeem(as.fetch, await scenario.browse(url), verifier, scenario);
    }
  };
  const [, state, verifier] = await examineLogins(client);
  assertEquals(verifier!.slice(1), ["fooled", "2 logins that redeemed a code had the same code_verifier."]);
  // Both runs send "one" and "two".
  assertEquals(state![1], "fooled");
  assertEquals(new Set(verifiers).size, verifiers.length);
  for (const [name, times] of [["state_missing", " 2 times"], ["state_of_another_login", ""]] as const) {
    const { rows: [row] } = await examine({ client, only: [`authorization_response.${name}`] });
    const sent = `Afterwards the client sent POST token (authorization_code)${times}.`;
    assertEquals([row!.outcome, row!.because], [
      "fooled",
      `${sent} Another login has the same code_verifier.`,
    ]);
  }
});

async function redeem(
  fetch: Mock["fetch"],
  callback: URL,
  verifier: string,
  { issuer, redirectUri }: { readonly issuer: string; readonly redirectUri: string },
): Promise<void> {
  const code = callback.searchParams.get("code")!;
  const form = { code, redirect_uri: redirectUri, code_verifier: verifier };
  assertEquals((await requestToken({ issuer, fetch }, form)).status, 200);
}

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const signing = { client_id: "app", redirect_uris: ["https://app.test/callback"] };

test("repeats: the values inside of a signed request count (RFC 9101 §6.3)", async () => {
  const jwks = { keys: [{ ...await exportJWK(publicKey), kid: "a" }] } as never;
  const client: ExamineTerms["client"] = async (as, scenario) => {
    const verifier = crypto.randomUUID() + crypto.randomUUID();
    // Those outside of the object are other ones, and do not count.
    const outside = { state: crypto.randomUUID(), nonce: crypto.randomUUID() };
    const url = authorizeUrl(scenario.issuer, outside);
    const request = await new SignJWT({
      ...Object.fromEntries(authorizeUrl(scenario.issuer).searchParams),
      ...{ iss: "app", aud: scenario.issuer, scope: "openid", state: "one", nonce: "one" },
      code_challenge: challengeOf(verifier),
    }).setProtectedHeader({ alg: "ES256", kid: "a", typ: "oauth-authz-req+jwt" }).setIssuedAt()
      .setExpirationTime("1m").sign(privateKey);
    url.search = `${new URLSearchParams({ client_id: "app", request, ...outside })}`;
    await redeem(as.fetch, await scenario.browse(url), verifier, scenario);
  };
  assertEquals(outcomesOf(await examineLogins(client, { clients: [{ ...signing, jwks }] })), {
    nonce_repeated: "fooled",
    state_repeated: "unharmed",
    verifier_repeated: "unharmed",
  });
});

test("repeats: with one seed for all runs, the codes are equal, and the logins are still two", async () => {
  const options = { seed: 1 };
  assertEquals((await examineLogins(createClient(naive), options)).map(([, outcome]) => outcome), [
    "fooled",
    "unharmed",
    "fooled",
  ]);
});

test("repeats: a client that fails in its second run is not judged", async () => {
  let runs = 0;
  const client = createClient(quick);
  const { rows, problem } = await examine({
    client: (as, scenario) =>
      ++runs === 1 ? client(as, scenario) : Promise.reject(new Error("database is locked")),
    only: ["login.verifier_repeated"],
    options: { alg: quickAlg },
  });
  assertEquals(rows.map(({ outcome, because }) => [outcome, because]), [[
    "unknown",
    "The client did not succeed although the server was right: Error: database is locked",
  ]]);
  assertEquals(problem?.split(",")[0], "After login.verifier_repeated");
});

test("repeats: the requests of a row are those of the logins, without secrets", async () => {
  const { rows } = await examine({
    client: createClient(naive),
    only: ["login.verifier_repeated"],
    options: { alg: quickAlg },
  });
  assertEquals(
    rows[0]!.requests.map(({ endpoint, altered, params }) => [endpoint, altered, params.code_verifier]),
    [
      ["authorize", undefined, undefined],
      ["token", undefined, "[redacted]"],
      ["authorize", undefined, undefined],
      ["token", undefined, "[redacted]"],
    ],
  );
});

test("repeats: no server can be wrong in this way", async () => {
  await using as = await createMock();
  assertThrows(
    () => as.misbehave("login.state_repeated"),
    TypeError,
    "The server cannot misbehave with login.state_repeated, which is a fault of the logins of a client: use examine",
  );
  assertEquals(as.misbehaviours.filter((name) => name.startsWith("login.")), []);
});

test("repeats: a test can give the requests of another run to a verdict", async () => {
  const client = createClient({ ...naive, repeats: ["verifier", "nonce"] });
  await using first = await createMock();
  await using second = await createMock();
  const log = (as: typeof first) =>
    client(as, {
      ...{ name: undefined, phase: "login", issuer: as.issuer, clientId: "app", api: "https://api.test" },
      ...{ redirectUri: "https://app.test/callback", postLogoutRedirectUri: "https://app.test/" },
      signal: new AbortController().signal,
      browse: (url) => as.authorize(url),
      visit: () => Promise.reject(new Error("unused")),
      serve: () => {},
    });
  await log(first);
  for (const [usual, outcome] of [[[], "unharmed"], [first.requests, "fooled"]] as const) {
    second.reset();
    using wrong = second.misbehave("authorization_response.state_changed");
    const verdict = await wrong.settled(log(second), { usual });
    assertEquals(verdict.outcome, outcome, verdict.because);
  }
});
