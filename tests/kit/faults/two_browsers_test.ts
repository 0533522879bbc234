/** A login that another browser began is refused, whatever the application keeps of it (RFC 9700 §2.1.1). */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { examine, type ExamineTerms, type Need, type Scenario } from "../../../src/kit/mod.ts";
import { runWrong } from "../../../src/kit/examine/control_run.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";

const only = ["authorization_response.state_of_another_browser"] as const;

/** Where a client keeps the verifier of a login that has begun, by its state. */
interface Kept {
  readonly get: (state: string) => string | undefined;
  readonly set: (state: string, verifier: string) => unknown;
}

async function logIn(
  as: Parameters<ExamineTerms["client"]>[0],
  scenario: Scenario,
  kept: Kept,
  own: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { issuer, redirectUri, browse } = scenario;
  const [state, verifier] = [crypto.randomUUID(), crypto.randomUUID() + crypto.randomUUID()];
  kept.set(state, verifier);
  const url = authorizeUrl(issuer, { state, code_challenge: challengeOf(verifier), ...own });
  const { response, ...params } = Object.fromEntries((await browse(url)).searchParams);
  const { code, state: answered } = response === undefined ? params : decodeJwt(response);
  const found = kept.get(`${answered}`);
  if (found === undefined) throw new Error("the state is unknown");
  const form = { code: `${code}`, redirect_uri: redirectUri, code_verifier: found };
  const { status } = await requestToken({ issuer, fetch: as.fetch }, form);
  if (status !== 200) throw new Error(`the token endpoint answers ${status}`);
}

/** Takes any state for that of the last login. */
function keepLast(): Kept {
  let last: string | undefined;
  return { get: () => last, set: (_state, verifier) => last = verifier };
}

const onlyServerRefused =
  "The client sent POST token (authorization_code), and only the server refused. It ended with Error: the token " +
  "endpoint answers 400";

async function findOutcome(client: ExamineTerms["client"], does: readonly Need[] = []) {
  const { rows: [row] } = await examine({ client, only, does });
  return row!;
}

/** All runs share it, as the browsers of a web application share its cache. */
const cache = new Map<string, string>();
const sharing: ExamineTerms["client"] = (as, scenario) => logIn(as, scenario, cache);

test("two browsers: a state that every browser may use is the fault, although PKCE is used (RFC 9700 §2.1.1)", async () => {
  const { outcome, because, requests } = await findOutcome(sharing, ["two_browsers"]);
  assertEquals([outcome, because], ["fooled", "Afterwards the client sent POST token (authorization_code)."]);
  assertEquals(requests.map(({ endpoint }) => endpoint), ["authorize", "token"]);
});

test("two browsers: the answer of the other login may be a JWT (JARM §2.1)", async () => {
  const asJwt = { response_mode: "jwt" };
  const shared = await findOutcome((as, scenario) => logIn(as, scenario, cache, asJwt), ["two_browsers"]);
  assertEquals([shared.outcome, shared.because], [
    "fooled",
    "Afterwards the client sent POST token (authorization_code).",
  ]);
  const own = await findOutcome((as, scenario) => logIn(as, scenario, new Map(), asJwt), ["two_browsers"]);
  assertEquals([own.outcome, own.because], ["noticed", "The client refused: Error: the state is unknown"]);
});

test("two browsers: two runs may share one browser, so that nothing is proven unless the caller says otherwise", async () => {
  const { outcome, because } = await findOutcome(sharing);
  assertEquals(outcome, "unknown");
  assertMatch(because, /^Afterwards the client sent POST token .* then say so \(does: two_browsers\)\.$/);
});

for (const does of [[], ["two_browsers"]] as const) {
  test(`two browsers: a client that keeps its state for itself refuses a foreign one: ${does.length}`, async () => {
    const { outcome, because } = await findOutcome((as, scenario) => logIn(as, scenario, new Map()), does);
    assertEquals([outcome, because], ["noticed", "The client refused: Error: the state is unknown"]);
  });
}

test("two browsers: a client that compares no state is protected by a verifier of its own (RFC 9700 §2.1)", async () => {
  const { outcome, because } = await findOutcome(
    (as, scenario) => logIn(as, scenario, keepLast()),
    ["two_browsers"],
  );
  assertEquals([outcome, because], ["unharmed", onlyServerRefused]);
});

test("two logins: a client that compares no state has not refused an answer again, but its verifier protects it", async () => {
  const { rows: [row] } = await examine({
    client: async (as, scenario) => {
      for (let login = 0; login < 2; login++) await logIn(as, scenario, keepLast());
    },
    only: ["authorization_response.repeated"],
    does: ["two_logins"],
  });
  assertEquals([row!.outcome, row!.because], ["unharmed", onlyServerRefused]);
});

test("two browsers: a client that refuses after its token request has noticed, as by a nonce", async () => {
  const { outcome } = await findOutcome(async (as, scenario) => {
    const own: string[] = [];
    const asked: string[] = [];
    await logIn(as, scenario, {
      get: (state) => (asked.push(state), cache.get(state)),
      set: (state, verifier) => (own.push(state), cache.set(state, verifier)),
    });
    if (asked[0] !== own[0]) throw new Error("the nonce differs");
  }, ["two_browsers"]);
  assertEquals(outcome, "noticed");
});

test("two browsers: logins that the first run repeats are logins of the other browser", async () => {
  // It shares its state inside of a run only, as a browser with several tabs does.
  const { outcome } = await findOutcome(async (as, scenario) => {
    const own = new Map<string, string>();
    await logIn(as, scenario, own).catch(() => logIn(as, scenario, own));
  }, ["two_browsers"]);
  assertEquals(outcome, "noticed");
});

test("two browsers: the run of each has the whole limit", async () => {
  const limits: unknown[] = [];
  const wrong = {
    settled(_run: unknown, { within }: { readonly within: number }) {
      limits.push(within);
      return Promise.resolve({ outcome: "noticed", because: "It refused.", requests: [] });
    },
    [Symbol.dispose]() {},
  };
  const as = { issuer: "https://as.test", misbehave: () => wrong };
  for (const isBeginning of [true, false]) {
    const world = { as, otherBrowser: { isBeginning, isApart: true, end() {} } };
    const terms = { variant: undefined, usual: [], within: 3 };
    await runWrong(only[0], world as never, () => Promise.resolve(), terms);
  }
  assertEquals(limits, [6, 3]);
});
