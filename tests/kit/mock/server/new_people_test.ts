/** People whom the server creates at the first use of a JWT about them (RFC 7523 §3). */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { assertTokens } from "../../../server/oauth/refusals.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import type { Params } from "../../../world.ts";
import { exchangeGrant, exchanger, orders, secretOf, typeOf } from "../../../server/tokens/exchange_world.ts";
import {
  asAgent,
  carol,
  creating,
  forIdJags,
  forPeople,
  grantClients,
  type GrantOptions,
  idJag,
  idp,
  jwtBearer,
  personJwt,
} from "../../../server/tokens/jwt_grants.ts";

type Mock = Awaited<ReturnType<typeof createMock>>;
type Person = NonNullable<MockOptions["people"]>[number];

async function withMock(options: MockOptions, work: (as: Mock) => Promise<void>): Promise<void> {
  await using as = await createMock({ clients: grantClients, trust: [creating], ...options });
  await work(as);
}

async function send(as: Mock, assertion: string, changed: Params = {}, headers: object = asAgent) {
  const form = { grant_type: jwtBearer, assertion, ...changed };
  const body = new URLSearchParams(present(form) as Record<string, string>);
  return await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body, headers: { ...headers } });
}

/** A JWT about carol. */
async function jwtOf(as: Mock, { claims, ...terms }: GrantOptions = {}, make = personJwt): Promise<string> {
  const place = { issuer: as.issuer, clock: { now: as.clock.now } };
  return await make(place as Parameters<typeof make>[0], { ...terms, claims: { ...carol, ...claims } });
}

async function assertRefused(as: Mock, response: Response, error: string, reason: string) {
  assertEquals([response.status, (await response.json()).error], [400, error]);
  assertEquals(as.requests.token.last?.refusal?.reason, reason);
}

function usernames(as: Mock): readonly string[] {
  return as.people.all.map(({ username }) => username);
}

async function subOf(response: Response): Promise<unknown> {
  return decodeJwt(`${(await assertTokens(response))["access_token"]}`).sub;
}

test("new people: an unknown person is created with the claims of the JWT, and no others (RFC 7523 §3)", () =>
  withMock({ claimsIn: { accessToken: ["email", "roles"] } }, async (as) => {
    const jwt = await jwtOf(as, { claims: { roles: ["admin"], phone_number: "+1", disabled: true } });
    const tokens = await assertTokens(await send(as, jwt, { scope: "read openid" }));
    const { sub, email, roles } = decodeJwt(`${tokens["access_token"]}`);
    // The first token has the claims of the person already.
    assertEquals([sub, email, roles], ["c-1", carol.email, undefined]);
    const { name, email_verified } = carol;
    assertEquals(as.people.get("carol"), {
      username: "carol",
      sub: "c-1",
      claims: { name, email, email_verified },
    });
    const authorization = `Bearer ${tokens["access_token"]}`;
    const userinfo = await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization } });
    assertEquals((await userinfo.json()).sub, "c-1");
    // The person is known from then on.
    assertEquals(await subOf(await send(as, await jwtOf(as))), "c-1");
    assertEquals(usernames(as).filter((username) => username === "carol"), ["carol"]);
  }));

test("new people: the journal says of the first request, and of no other, that it created the person", async () => {
  const noted: unknown[] = [];
  const journal: MockOptions["journal"] = ({ facts }) => void noted.push([facts.subject, facts.subjectIsNew]);
  await withMock({ journal }, async (as) => {
    for (const _ of [1, 2]) await assertTokens(await send(as, await jwtOf(as)));
    assertEquals(noted, [["c-1", true], ["c-1", undefined]]);
  });
});

test("new people: the server creates the person of an ID-JAG (ID-JAG §4.4.1)", async () => {
  for (const found of [{ sub: "sub" }, { email: "email" }]) {
    await withMock({ trust: [{ ...forIdJags, person: { ...found, create: true } }] }, async (as) => {
      assertEquals(await subOf(await send(as, await jwtOf(as, {}, idJag))), "c-1");
      assertEquals(await subOf(await send(as, await jwtOf(as, {}, idJag))), "c-1");
      assertEquals(usernames(as).at(-1), "carol");
    });
  }
});

// Each row: the claims that differ, and the username.
const names: readonly (readonly [claims: Record<string, unknown>, username: string])[] = [
  [{ preferred_username: undefined, email: "cc@shop.example" }, "cc"],
  [{ preferred_username: 7, email: undefined }, "c-1"],
  [{ preferred_username: "", email: "dd@shop.example" }, "dd"],
  [{ preferred_username: "", email: "@shop.example" }, "c-1"],
];

const it = testIn<[Mock]>((work) => withMock({}, work));

for (const [claims, username] of names) {
  it(`new people: the username comes from another claim: ${username} (OpenID Connect Core §5.1)`, async (as) => {
    await assertTokens(await send(as, await jwtOf(as, { claims })));
    assertEquals(usernames(as).at(-1), username);
  });
}

// Each row: how trust finds the person, the claims that differ, and the username, the sub and the email.
const finding:
  readonly (readonly [person: object, claims: Record<string, unknown>, created: readonly unknown[]])[] = [
    [{ username: "upn" }, { upn: "cc" }, ["cc", "c-1", carol.email]],
    [{ email: "upn" }, { upn: "cc@shop.example" }, ["carol", "c-1", "cc@shop.example"]],
    [{ sub: "oid" }, { oid: "o-1" }, ["carol", "o-1", carol.email]],
  ];

for (const [person, claims, created] of finding) {
  test(`new people: what finds the person by ${JSON.stringify(person)} is theirs, and not another claim`, () =>
    withMock({ trust: [{ ...forPeople, person: { ...person, create: true } }] }, async (as) => {
      for (const _ of [1, 2]) await assertTokens(await send(as, await jwtOf(as, { claims })));
      const { username, sub, claims: own } = as.people.all.at(-1)!;
      assertEquals([username, sub, own?.["email"]], created);
    }));
}

const spellings = [["true", true], ["false", false], [false, false], [undefined, undefined]];
for (const [written, verified] of spellings) {
  it(`new people: email_verified ${JSON.stringify(written)} of the JWT is ${verified} (OpenID Connect Core §5.1)`, async (as) => {
    await assertTokens(await send(as, await jwtOf(as, { claims: { email_verified: written } })));
    assertEquals(as.people.get("carol")?.claims?.["email_verified"], verified);
  });
}

// Each row: a claim of the JWT, and the claims of the person.
const { name: ownName, email, email_verified } = carol;
const [ofName, ofEmail] = [{ name: ownName }, { email, email_verified }];
const [longest, tooLong] = [255, 256].map((length) => "n".repeat(length));
const taken: readonly (readonly [what: string, claim: Record<string, unknown>, claims: object])[] = [
  ["255 characters", { name: longest }, { name: longest, ...ofEmail }],
  ["256 characters", { name: tooLong }, ofEmail],
  ["a number", { name: 7 }, ofEmail],
  ["no text", { name: "" }, ofEmail],
  ["a number", { email: 7 }, ofName],
  ["no text", { email: "" }, ofName],
];

for (const [what, claim, claims] of taken) {
  const [member] = Object.keys(claim);
  it(`new people: their ${member}, if it is ${what} (OpenID Connect Core §5.1)`, async (as) => {
    await assertTokens(await send(as, await jwtOf(as, { claims: claim })));
    assertEquals(as.people.get("carol")?.claims, claims);
  });
}

// Each row: what differs, the claims of the JWT, the reason, and what another person has.
const alice: Person = { username: "alice", sub: "a-1", claims: { email: "alice@shop.example" } };
const bob: Person = { username: "Bob", sub: "b-1", claims: {} };
const refused: Readonly<
  Record<string, readonly [claims: Record<string, unknown>, reason: string, received?: string]>
> = {
  "the username of another person": [
    { preferred_username: "alice" },
    "jwt_grant_person_taken",
    'username "alice"',
  ],
  "the username of another person, who has capitals": [
    { preferred_username: "bob" },
    "jwt_grant_person_taken",
    'username "bob"',
  ],
  "the email of another person": [
    { email: "Alice@shop.example" },
    "jwt_grant_person_taken",
    'email "Alice@shop.example"',
  ],
  "the email of another person as username": [
    { preferred_username: "alice@shop.example" },
    "jwt_grant_person_taken",
    'username "alice@shop.example"',
  ],
  "a sub that is not ASCII": [{ sub: "cärol" }, "jwt_grant_person_unfit"],
  "a sub of 256 characters": [{ sub: tooLong }, "jwt_grant_claim_unfit"],
  "the sub of a client": [{ sub: "agent" }, "jwt_grant_person_unfit"],
  "a dot segment as username": [{ preferred_username: ".." }, "jwt_grant_person_unfit"],
  "an invisible character in the name": [{ name: "Carol\u200b" }, "jwt_grant_person_unfit"],
  "an invisible character in the email": [{ email: "carol\u200b@shop.example" }, "jwt_grant_person_unfit"],
};

for (const [name, [claims, reason, received]] of Object.entries(refused)) {
  test(`new people: nobody is created with ${name} (RFC 7523 §3)`, () =>
    withMock({ people: [alice, bob] }, async (as) => {
      await assertRefused(as, await send(as, await jwtOf(as, { claims })), "invalid_grant", reason);
      if (received !== undefined) assertEquals(as.requests.token.last?.refusal?.received, received);
      assertEquals(as.people.all, [alice, bob]);
    }));
}

test("new people: the JWT of a refused person is not used up (RFC 7523 §3)", () =>
  withMock({ people: [alice] }, async (as) => {
    const jwt = await jwtOf(as, { claims: { preferred_username: "alice" } });
    await assertRefused(as, await send(as, jwt), "invalid_grant", "jwt_grant_person_taken");
    as.people.remove("alice");
    await assertTokens(await send(as, jwt));
  }));

it("new people: without an email, none is verified (OpenID Connect Core §5.1)", async (as) => {
  await assertTokens(await send(as, await jwtOf(as, { claims: { email: undefined, email_verified: true } })));
  assertEquals(as.people.get("carol")?.claims, { name: carol.name });
});

it("new people: a name may have the joiners of its language (Unicode Technical Report 36 §2.10)", async (as) => {
  const name = "علی\u200cرضا";
  await assertTokens(await send(as, await jwtOf(as, { claims: { name } })));
  assertEquals(as.people.get("carol")?.claims?.["name"], name);
});

test("new people: a sub of another person is not taken over when the email finds people (RFC 7523 §3)", async () => {
  const trust = [{ ...forPeople, person: { email: "email", create: true } }];
  await withMock({ people: [alice], trust }, async (as) => {
    const jwt = await jwtOf(as, { claims: { sub: "a-1" } });
    await assertRefused(as, await send(as, jwt), "invalid_grant", "jwt_grant_person_taken");
    assertEquals(as.requests.token.last?.refusal?.received, 'sub "a-1"');
  });
});

test("new people: a refused request creates nobody: all checks come first (RFC 7523 §3.1)", async () => {
  const trust = [{ ...creating, scope: "read" }];
  await withMock({ trust }, async (as) => {
    const before = as.people.all;
    const used = await jwtOf(as);
    await assertTokens(await send(as, used));
    as.people.remove("carol");
    await assertRefused(as, await send(as, used), "invalid_grant", "jwt_grant_replayed");
    const scope = await send(as, await jwtOf(as), { scope: "write" });
    await assertRefused(as, scope, "invalid_scope", "jwt_grant_scope_exceeded");
    const proof = await send(as, await jwtOf(as, { claims: { cnf: { jkt: "a" } } }));
    await assertRefused(as, proof, "invalid_grant", "jwt_grant_key_unproven");
    const open = await send(as, await jwtOf(as), { client_id: "public" }, {});
    await assertRefused(as, open, "unauthorized_client", "jwt_grant_public_client");
    assertEquals(as.people.all, before);
  });
});

test("new people: requests at the same time create one person (RFC 7523 §3)", async () => {
  const created: unknown[] = [];
  const journal: MockOptions["journal"] = ({ facts }) => void created.push(facts.subjectIsNew);
  await withMock({ journal, claimsIn: { accessToken: ["email"] } }, async (as) => {
    const claims = { sub: "d-1", preferred_username: "dave", email: "dave@shop.example" };
    const jwts = await Promise.all([jwtOf(as), jwtOf(as, { claims }), jwtOf(as), jwtOf(as)]);
    const answers = await Promise.all(jwts.map((jwt) => send(as, jwt)));
    const tokens = await Promise.all(answers.map(assertTokens));
    const emails = tokens.map((each) => decodeJwt(`${each["access_token"]}`)["email"]);
    assertEquals(emails, [carol.email, claims.email, carol.email, carol.email]);
    assertEquals(created.filter((each) => each === true).length, 2);
    assertEquals(usernames(as).slice(-2).toSorted(), ["carol", "dave"]);
  });
});

test("new people: a request finds a person who is new since it began (RFC 7523 §3)", async () => {
  const { jwks, ...keyless } = forPeople;
  const trust = [{ ...keyless, jwks_uri: `${idp}/jwks.json` }];
  let meanwhile = () => {};
  const fetch: MockOptions["fetch"] = () => {
    meanwhile();
    return Promise.resolve(Response.json(jwks));
  };
  await withMock({ trust, fetch, claimsIn: { accessToken: ["email"] } }, async (as) => {
    const { name, email } = carol;
    meanwhile = () => void as.people.add({ username: "carol", sub: "c-1", claims: { name, email } });
    const tokens = await assertTokens(await send(as, await jwtOf(as)));
    assertEquals(decodeJwt(`${tokens["access_token"]}`)["email"], email);
  });
});

test("new people: a server with 1,000 people creates no more, and keeps the ones that it has", async () => {
  const people = Array.from({ length: 999 }, (_, at) => ({ username: `p${at}` }));
  await withMock({ people }, async (as) => {
    await assertTokens(await send(as, await jwtOf(as)));
    const claims = { sub: "d-1", preferred_username: "dave", email: undefined };
    const answer = await send(as, await jwtOf(as, { claims }));
    await assertRefused(as, answer, "invalid_grant", "jwt_grant_people_full");
    assertEquals([as.people.all.length, usernames(as)[0], usernames(as).at(-1)], [1000, "p0", "carol"]);
    await assertTokens(await send(as, await jwtOf(as)));
  });
});

// Each row: the configured people, and whether a new one signs in with one click.
const clicks: readonly (readonly [name: string, people: readonly Person[], oneClick: boolean])[] = [
  ["all people do", [alice], true],
  ["one person has a password", [alice, { username: "bob", password: "secret" }], false],
  ["there are no people", [], false],
  ["all people are disabled", [{ ...alice, disabled: true }], false],
];

for (const [name, people, oneClick] of clicks) {
  test(`new people: one click ${oneClick ? "signs" : "never signs"} a new person in if ${name}`, () =>
    withMock({ people }, async (as) => {
      await assertTokens(await send(as, await jwtOf(as)));
      assertEquals(as.people.get("carol")?.password === undefined, oneClick);
      // The tokens of a person with a password work, too.
      assertEquals(await subOf(await send(as, await jwtOf(as))), "c-1");
    }));
}

it("new people: a disabled one is refused, and a removed one is created again", async (as) => {
  await assertTokens(await send(as, await jwtOf(as)));
  as.people.change("carol", { disabled: true });
  await assertRefused(as, await send(as, await jwtOf(as)), "invalid_grant", "jwt_grant_person_disabled");
  assertEquals(as.requests.token.last?.refusal?.received, "carol");
  as.people.remove("carol");
  assertEquals(await subOf(await send(as, await jwtOf(as))), "c-1");
  as.reset();
  assertEquals(as.people.get("carol"), undefined);
});

test("new people: a token exchange creates nobody (RFC 8693 §2.2.2)", async () => {
  const clients = [exchanger("gateway", { from: [idp], to: [orders] })];
  await withMock({ clients }, async (as) => {
    const form = {
      grant_type: exchangeGrant,
      subject_token: await jwtOf(as),
      subject_token_type: typeOf("jwt"),
      audience: orders,
    };
    const answer = await send(as, "", { ...form, assertion: undefined }, secretOf("gateway"));
    await assertRefused(as, answer, "invalid_request", "jwt_grant_person_unknown");
    assertEquals(as.people.get("carol"), undefined);
  });
});
