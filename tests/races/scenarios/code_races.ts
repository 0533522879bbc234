/** Races: every interleaving of requests for one record has the answers and the records of some sequential order. */
import { assert, assertEquals } from "@std/assert";
import { assembleServer } from "../../../src/server/server.ts";
import { basic, createBrowser, type Params, verifier } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";
import { type Form, openConsentForm } from "../forms.ts";
import { leftOf, type Outcome, statuses, without } from "../outcome.ts";

const { races, add: addRace } = createRaceList();
export const codeRaces: readonly NamedRace[] = races;

function redeem(code: string, changed?: Params, headers?: HeadersInit): Contestant {
  return ({ world }) => world.redeem(code, changed, headers);
}

/** One redemption gets 200 in every order; if there are others, they revoke the one grant. */
function exactlyOneRedeems(outcome: Outcome): void {
  const [first, ...others] = statuses(outcome);
  assertEquals([first, ...others.map(() => 400)], [200, ...others]);
  const [grant, ...more] = leftOf("grant", outcome);
  assertEquals(more, []);
  assertEquals(grant?.["status"], others.length === 0 ? "active" : "revoked");
}

/** The same outcome without the reasons of refusals. */
function withoutReasons({ answers, left }: Outcome): Outcome {
  const others = Object.entries(answers).map(([name, { reason: _reason, ...answer }]) => [name, answer]);
  return { left, answers: Object.fromEntries(others) };
}

addRace("redeem ∥ redeem: every interleaving equals a sequential order, one 200", {
  async start(world) {
    const code = await world.code();
    return { A: redeem(code), B: redeem(code) };
  },
  always: exactlyOneRedeems,
});

addRace("wrong verifier ∥ redeem: the code is revoked or redeemed, never both (RFC 7636 §4.6)", {
  async start(world) {
    const code = await world.code();
    return { wrong: redeem(code, { code_verifier: verifier.toUpperCase() }), right: redeem(code) };
  },
  always({ answers, left }) {
    assertEquals(answers["wrong"]?.reason, "verifier_wrong");
    const redeemed = answers["right"]?.status === 200;
    assertEquals(left[0]?.["status"], redeemed ? "active" : "revoked");
  },
});

const asked = { login: "picker" } as const;

function approve(form: Form): Contestant {
  return ({ world }) => form.send(world, { decision: "approve" });
}

function exactlyOneApproves(outcome: Outcome): void {
  assertEquals(statuses(outcome), [303, 409]);
  const refused = Object.values(outcome.answers).find(({ status }) => status === 409);
  assertEquals(refused?.reason, "already_approved");
  const [winner] = Object.entries(outcome.answers).find(([, { status }]) => status === 303)!;
  const [grant, ...others] = leftOf("grant", outcome);
  assertEquals(others, []);
  assertEquals((grant?.["code"] as { readonly hash: string }).hash, `given to ${winner}`);
}

addRace("approval ∥ approval: one form in two tabs gives one code (OAuth 2.1 §4.1.2)", {
  atLeast: 6,
  options: asked,
  async start(world) {
    const form = await openConsentForm(world);
    return { A: approve(form), B: approve(form) };
  },
  always: exactlyOneApproves,
});

function deny(form: Form): Contestant {
  return ({ world }) => form.send(world, { decision: "deny" });
}

/** One answer goes to the client, and the page in the other tab shows the decision. */
function exactlyOneDecides({ answers, left }: Outcome): void {
  const said = Object.values(answers).map(({ status, error, reason }) => [status, error, reason].join(" "));
  const [grant, ...others] = left.filter(({ kind }) => kind === "grant");
  assertEquals(others, []);
  assertEquals(
    said.toSorted(),
    grant?.["status"] === "denied"
      ? ["303 access_denied user_denied", "409 invalid_request already_denied"]
      : ["303  ", "409 invalid_request already_approved"],
  );
}

addRace("approval ∥ denial: one form in two tabs gives one decision (OAuth 2.1 §4.1.2)", {
  options: asked,
  async start(world) {
    const form = await openConsentForm(world);
    return { yes: approve(form), no: deny(form) };
  },
  always: exactlyOneDecides,
  // Approval notes the client in the session before it writes the grant, and the grant's put may then fail.
  compared: without("session"),
});

const callback = "http://127.0.0.1:4000/cb";
const newcomer = { client_id: "newcomer", redirect_uri: callback };

addRace("first use ∥ first use: one client id with two redirect URIs becomes one client", {
  atLeast: 10,
  options: { firstUse: true },
  start: () =>
    Promise.resolve({
      A: ({ world }) => world.authorize(newcomer),
      B: ({ world }) => world.authorize({ ...newcomer, redirect_uri: "http://127.0.0.1:4000/other" }),
    }),
  // The later request is refused when it looks the client up or when it stores it: the same answer for two reasons.
  compared: withoutReasons,
  always(outcome) {
    assertEquals(statuses(outcome), [303, 400]);
    assertEquals(leftOf("grant", outcome).length, 1);
    const answered = Object.values(outcome.answers).find(({ status }) => status === 303);
    assertEquals(leftOf("client", outcome).map(({ redirectUris }) => redirectUris), [[answered?.leftFor]]);
  },
});

addRace("first use ∥ first use: with one redirect URI, both codes belong to one client", {
  atLeast: 10,
  options: { firstUse: true },
  start: () =>
    Promise.resolve({
      A: ({ world }) => world.authorize(newcomer),
      B: ({ world }) => world.authorize(newcomer),
    }),
  always(outcome) {
    assertEquals(statuses(outcome), [303, 303]);
    assertEquals(leftOf("client", outcome).length, 1);
    assertEquals(leftOf("grant", outcome).map(({ clientEpoch }) => clientEpoch), [
      "the client's",
      "the client's",
    ]);
  },
});

addRace("approval ∥ sign-out: the grant of another client ends with the session", {
  async start(world) {
    const browser = createBrowser(world);
    const { leftFor } = await browser.open(world.authorizeUrl({ scope: "openid" }));
    const code = new URL(leftFor!).searchParams.get("code")!;
    const { id_token } = await (await world.redeem(code)).json();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return {
      approve: ({ world }) => world.get(world.authorizeUrl({ client_id: "basic" }), { cookie }),
      signOut: ({ world }) => world.get(`/connect/logout?id_token_hint=${id_token}`, { cookie }),
    };
  },
});

const newcomersPost = { ...newcomer, client_secret: "a-secret" };
const newcomersBasic: readonly [Params, HeadersInit] = [
  { ...newcomer, client_id: undefined },
  basic("newcomer", "a-secret"),
];

function exactlyOneAuthenticates(outcome: Outcome): void {
  assertEquals(statuses(outcome), [200, 401]);
  assertEquals(leftOf("grant", outcome).map(({ status }) => status).sort(), ["active", "approved"]);
  assertEquals(leftOf("client", outcome).length, 1);
}

addRace(
  "first redemption ∥ first redemption: without and with a secret, one authentication method is stored",
  {
    options: { firstUse: true },
    async start(world) {
      // Grants without a session: reading a session would make too many orders to play.
      const offline = { ...newcomer, scope: "offline_access" };
      const [first, second] = [await world.code(offline), await world.code(offline)];
      return { none: redeem(first, newcomer), basic: redeem(second, ...newcomersBasic) };
    },
    always(outcome) {
      exactlyOneAuthenticates(outcome);
      const { method } = leftOf("client", outcome)[0]!["authentication"] as { readonly method: string };
      assertEquals(outcome.answers[method === "none" ? "none" : "basic"]?.status, 200);
      // RFC 9110 §15.5.2
      assert(Object.values(outcome.answers).every(({ status, challenged }) => status !== 401 || challenged));
    },
  },
);

addRace("first redemption ∥ first redemption: with the same secret, both succeed", {
  options: { firstUse: true },
  async start(world) {
    const [first, second] = [await world.code(newcomer), await world.code(newcomer)];
    return { A: redeem(first, newcomersPost), B: redeem(second, newcomersPost) };
  },
  always: (outcome) => assertEquals(statuses(outcome), [200, 200]),
});

const guess: Params = { client_id: "post", client_secret: "guess" };

addRace("wrong secret ∥ wrong secret: with one attempt left, one of two guesses is checked", {
  async start(world) {
    const code = await world.code({ client_id: "post" });
    for (let count = 0; count < 19; count++) await world.redeem(code, guess);
    return { A: redeem(code, guess), B: redeem(code, guess) };
  },
  always: (outcome) => assertEquals(statuses(outcome), [401, 429]),
});

let found: string[] = [];

const readKeys: Contestant = async ({ store, world }) => {
  // Uses the key list directly: the endpoint would also make an RSA key, which is slow, in each schedule.
  const { server, services } = assembleServer(
    { issuer: world.issuer, alg: "EdDSA", now: () => world.clock.now, store },
    { features: [] },
  );
  const keys = await services.keys.publicKeys();
  await server.close();
  found.push(JSON.stringify(keys));
  return Response.json(keys);
};

addRace("first key ∥ first key ∥ first key: processes that start at the same time sign with one key", {
  atLeast: 10,
  start: () => Promise.resolve({ A: readKeys, B: readKeys, C: readKeys }),
  beforeEach: () => void (found = []),
  // Keys are random, so they differ from world to world.
  compared: ({ answers }) => ({ answers, left: [] }),
  always(outcome) {
    assertEquals(statuses(outcome), [200, 200, 200]);
    assertEquals(outcome.left.map(({ kind }) => kind), ["key_set"]);
    const [first, ...others] = found;
    assertEquals(others, [first, first]);
  },
});
