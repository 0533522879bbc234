/**
 * What the inspector says about answers: how strongly a standard obliges the client, what a correct client does, and in
 * which section. Only the catalogue of misbehaviours says such things.
 */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import type { MisbehaviourName } from "../../../src/kit/faults/names.ts";
import { listRemarks } from "../../../src/kit/mock/journal/describe_exchange.ts";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import type { Seams } from "../../../src/server/oauth/contracts/seams.ts";
import { englishTimeline } from "../../../src/kit/timeline/timeline_english.ts";
import { englishLevels } from "../../../src/kit/timeline/levels_english.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { textsOf } from "../../server/pages/word_texts.ts";
import { test } from "../../runner.ts";
import { load, openControlled, type OpenedDashboard, openPlain, origin } from "./open_dashboard.ts";
import { isListedGroup, listIds, readItems, readRows } from "./read_rows.ts";
import { authorizePath, redeem as redeemCode, requestTokens, spa, spaOptions } from "./spa.ts";

const options = { ...spaOptions, acrValues: ["loa-2"] };

type Opened = Pick<OpenedDashboard, "send">;
type Params = Readonly<Record<string, string>>;

const request: Params = { scope: "openid email offline_access", max_age: "3600", acr_values: "loa-2" };

function paramsOf(changed: Params): URLSearchParams {
  return new URL(authorizePath(changed), origin).searchParams;
}

async function authorize({ send }: Opened, changed: Params = {}): Promise<string> {
  const response = await send(authorizePath({ ...request, ...changed }));
  const location = response.headers.get("location") ?? "";
  await response.body?.cancel();
  return URL.canParse(location) ? new URL(location).searchParams.get("code") ?? "" : "";
}

type Tokens = Readonly<Record<string, unknown>>;

/** A misbehaviour may break the connection, or the answer. */
async function read(answer: Promise<Response>): Promise<Tokens> {
  const response = await answer.catch(() => undefined);
  return await response?.json().catch(() => ({})) ?? {};
}

function redeem(opened: Opened, code: string, changed: Params = {}): Promise<Tokens> {
  return read(redeemCode(opened, code, changed));
}

function refresh(opened: Opened, { refresh_token }: Tokens): Promise<Tokens> {
  const form = { grant_type: "refresh_token", refresh_token: `${refresh_token}` };
  return read(requestTokens(opened, form));
}

/** What a client does that checks nothing. The second login is without a nonce. */
async function useEverything(opened: Opened): Promise<void> {
  const open = async (path: string, headers: Params = {}) =>
    void await (await opened.send(path, { headers })).text();
  await open("/.well-known/oauth-authorization-server");
  await open("/.well-known/openid-configuration");
  await open("/oauth2/jwks");
  for (const changed of [{ state: "first" }, { state: "second", nonce: "" }]) {
    const tokens = await redeem(opened, await authorize(opened, changed));
    await open("/userinfo", { authorization: `Bearer ${tokens["access_token"]}` });
    await refresh(opened, tokens);
    await open("/.well-known/openid-configuration");
  }
}

/** The remarks on a page: its notices that name a level. The box of what was changed on purpose has one in each line. */
function readRemarks(html: string): readonly string[] {
  return findAll(readHtml(html), "p").filter((each) => attribute(each, "class")?.startsWith("notice"))
    .flatMap((each) => findAll(each, "strong").length === 0 ? [each] : findAll(each, "span"))
    .map((each) => textOf(each).replaceAll(/\s+/g, " ").trim())
    .filter((text) => openings.some((opening) => text.includes(`${opening}.`)));
}

const openings = [...textsOf(englishLevels)].map(([, text]) => text);

/** What a remark says besides the fault, as the catalogue has it. */
function endOf(name: MisbehaviourName): string {
  const { level, api, client, rule } = catalogue.get(name)!;
  const opening = englishLevels[api === undefined ? "client" : "api"][level];
  const reader = `A ${level === "hardening" ? "careful" : "correct"} ${api === undefined ? "client" : "API"}`;
  return `${opening}. ${reader} ${client.charAt(0).toLowerCase()}${client.slice(1)} (${rule})`;
}

/** One of each level, for a client and for an API, and some whose fault a comparison of the inspector shows, too. */
const remarked: readonly MisbehaviourName[] = [
  "metadata.issuer_mismatch",
  "metadata.alg_none_listed",
  "metadata.minimal",
  "metadata.unknown_members",
  "token_response.scope_more",
  "access_token.scope_missing",
  "access_token.audience_list",
  "access_token.long",
  "access_token.client_id_missing",
  "authorization_response.state_changed",
  "access_token.audience_wrong",
  "refresh.id_token_nonce",
];

for (const name of remarked) {
  const { server, rule } = catalogue.get(name)!;
  test(`inspector: ${name} has the level, the action and the section of the catalogue (${rule})`, async () => {
    const opened = await openControlled(options);
    await using as = opened.as;
    as.misbehave(name);
    await useEverything(opened);
    const changed = listIds(await load(opened, `/inspector?q=misbehaviour%3A${name}`));
    assert(changed.length > 0, "the misbehaviour changed an answer");
    const remarks = [];
    for (const id of changed) remarks.push(...readRemarks(await load(opened, `/inspector/${id}`)));
    assertEquals([...new Set(remarks)], [`${server} ${endOf(name)}`]);
  });
}

test("inspector: an answer that is wrong on purpose says so first, what was expected and sent, and where", async () => {
  const opened = await openControlled(options);
  await using as = opened.as;
  as.misbehave("id_token.aud_empty");
  await redeem(opened, await authorize(opened));
  const list = await load(opened, "/inspector?open=all");
  const [login] = readItems(list).filter(isListedGroup);
  const row = login!.rows.at(-1)!;
  assertEquals([login!.outcome, row.outcome, login!.rows[0]!.outcome], ["wrong", "wrong", "ok"]);
  assertMatch(list, /<span class="unseen">wrong on purpose<\/span>/);
  const page = readHtml(await load(opened, `/inspector/${row.id}`));
  const [box, next] = findAll(findAll(page, "header").at(-1)!, "p");
  const { server } = catalogue.get("id_token.aud_empty")!;
  assertEquals(attribute(box!, "class"), "notice problem");
  assertEquals(
    textOf(box!).replaceAll(/\s+/g, " "),
    `Wrong on purpose: id_token.aud_empty ${server} ${endOf("id_token.aud_empty")}` +
      " aud · id_token: expected spa, sent []",
  );
  assertMatch(textOf(next!), /^It gave /);
  // The token whose check failed stands first, and the link leads to the line of the claim.
  const [token] = findAll(page, "div").filter((each) => attribute(each, "class") === "token");
  assertEquals([attribute(token!, "id"), attribute(findAll(box!, "a").at(-1)!, "href")], [
    "token-1",
    "#token-1-aud",
  ]);
  assertMatch(textOf(findById(page, "token-1-aud")!), /"aud": \[\],.*failed: expected spa, received \[\]/s);
  assertEquals(attribute(findAll(token!, "table")[0]!, "aria-label"), "id_token");
  assertEquals(textOf(page).includes(englishTimeline.line.alteredBy), false);
});

const saysSent = {
  // without the key, the page shows no nonce
  "id_token.nonce_wrong": "nonce · id_token",
  "id_token.nonce_missing": "nonce · id_token: sent nothing",
  "id_token.iss_missing": `iss · id_token: expected ${origin}, sent nothing`,
};

for (const [name, said] of Object.entries(saysSent)) {
  test(`inspector: ${name} is said with what was sent, as far as the page shows it`, async () => {
    const opened = await openControlled(options);
    await using as = opened.as;
    as.misbehave(name as MisbehaviourName);
    await redeem(opened, await authorize(opened));
    const page = readHtml(await load(opened, `/inspector/${as.requests.at(-1)!.id}`));
    const box = findAll(page, "p").find((each) => attribute(each, "class") === "notice problem");
    assertEquals(findAll(box!, "span").map((each) => textOf(each).trim()).at(-1), said);
  });
}

test("inspector: a change that is only unusual is not called wrong", async () => {
  const opened = await openControlled(options);
  await using as = opened.as;
  as.misbehave("access_token.audience_list");
  await redeem(opened, await authorize(opened));
  const list = await load(opened, "/inspector?open=all");
  const [login] = readItems(list).filter(isListedGroup);
  assertEquals([login!.outcome, login!.rows.at(-1)!.outcome], ["ok", "ok"]);
  const html = await load(opened, `/inspector/${login!.rows.at(-1)!.id}`);
  assertMatch(
    textOf(readHtml(html)).replaceAll(/\s+/g, " "),
    /Changed on purpose by .*access_token\.audience_list/,
  );
});

test("inspector: each misbehaviour has the level, the action and the section of its row, also where no login reaches it", () => {
  for (const [name, { level, server, rule, api, prepares = [] }] of catalogue) {
    const seam = prepares.includes("response") ? "authorization_response" : "response";
    const [remark, ...others] = listRemarks({
      ...{ comparisons: [], isClockTurned: false },
      altered: [{ seam, by: name }],
    });
    assertEquals([remark?.name, remark?.level, remark?.server, remark?.rule], [name, level, server, rule]);
    assertEquals([remark?.reader, others], [api === undefined ? "client" : "api", []]);
    assertStringIncludes(endOf(name), `${remark?.action} (`);
  }
});

type Claims = Readonly<Record<string, unknown>>;

/** Changes the claims of one kind of token, as the hook of a test does. */
function changeClaims(wanted: "id_token" | "access_token", change: (claims: Claims) => Claims): Seams {
  return {
    claims: ({ token, claims }) => ({ token, claims: token === wanted ? change(claims) : claims }),
  };
}

const setClaim = (name: string, value: unknown): Seams =>
  changeClaims("id_token", (claims) => ({ ...claims, [name]: value }));

function changeParam(name: string, value: string | undefined): Seams {
  return {
    authorization_response: ({ params, ...others }) => ({
      ...others,
      params: params.flatMap(([each, before]) =>
        each !== name ? [[each, before] as const] : value === undefined ? [] : [[each, value] as const]
      ),
    }),
  };
}

const farFuture = 4_102_444_800;

interface Compared {
  readonly name: MisbehaviourName;
  readonly says: string;
  readonly seams: Seams;
  readonly request?: Params;
  /** The exchange with the answer: that of the login if absent. */
  readonly at?: "authorize" | "refresh_token";
}

const { failedChecks } = englishTimeline;

/** The comparisons that the inspector makes itself, after a hook has changed the answer. */
const compared: readonly Compared[] = [
  {
    ...{ name: "authorization_response.state_changed", says: failedChecks.state, at: "authorize" },
    seams: changeParam("state", "another"),
  },
  {
    ...{ name: "authorization_response.state_missing", says: failedChecks.state, at: "authorize" },
    seams: changeParam("state", undefined),
  },
  {
    ...{ name: "authorization_response.iss_wrong", says: failedChecks.response_iss, at: "authorize" },
    seams: changeParam("iss", "https://another.test"),
  },
  {
    ...{ name: "authorization_response.iss_slash", says: failedChecks.response_iss, at: "authorize" },
    seams: changeParam("iss", `${origin}/`),
  },
  { name: "id_token.iss_wrong", says: failedChecks.iss, seams: setClaim("iss", "https://another.test") },
  { name: "id_token.iss_slash", says: failedChecks.iss, seams: setClaim("iss", `${origin}/`) },
  { name: "id_token.iss_missing", says: failedChecks.iss, seams: setClaim("iss", undefined) },
  { name: "id_token.aud_wrong", says: failedChecks.aud, seams: setClaim("aud", "another") },
  { name: "id_token.aud_missing", says: failedChecks.aud, seams: setClaim("aud", undefined) },
  { name: "id_token.nonce_wrong", says: failedChecks.nonce, seams: setClaim("nonce", "another") },
  { name: "id_token.nonce_missing", says: failedChecks.nonce, seams: setClaim("nonce", undefined) },
  {
    ...{ name: "id_token.nonce_unasked", says: failedChecks.nonce, request: { nonce: "" } },
    seams: setClaim("nonce", "another"),
  },
  { name: "id_token.exp_past", says: failedChecks.exp, seams: setClaim("exp", 1) },
  {
    ...{ name: "id_token.iat_future", says: failedChecks.iat },
    seams: changeClaims("id_token", (claims) => ({ ...claims, iat: farFuture, exp: farFuture + 60 })),
  },
  { name: "id_token.acr_weak", says: failedChecks.acr, seams: setClaim("acr", "0") },
  {
    ...{ name: "id_token.acr_missing", says: failedChecks.acr },
    request: { claims: JSON.stringify({ id_token: { acr: { essential: true, value: "loa-2" } } }) },
    seams: setClaim("acr", undefined),
  },
  { name: "id_token.auth_time_old", says: failedChecks.auth_time, seams: setClaim("auth_time", 1) },
  {
    name: "id_token.auth_time_missing",
    says: failedChecks.auth_time,
    seams: setClaim("auth_time", undefined),
  },
  { name: "id_token.at_hash_wrong", says: failedChecks.at_hash, seams: setClaim("at_hash", "A".repeat(22)) },
  {
    ...{ name: "id_token.alg_none", says: failedChecks.alg },
    seams: {
      signed: ({ token, text, signer }) => ({
        ...{ token, signer },
        text: token === "id_token" ? text.replace(/^[^.]+/, btoa('{"alg":"none"}')) : text,
      }),
    },
  },
  {
    ...{ name: "access_token.audience_wrong", says: failedChecks.access_token_aud },
    request: { resource: "https://api.test/" },
    seams: changeClaims("access_token", (claims) => ({ ...claims, aud: "https://another-api.test" })),
  },
  {
    ...{ name: "access_token.audience_missing", says: failedChecks.access_token_aud },
    request: { resource: "https://api.test/" },
    seams: changeClaims("access_token", ({ aud: _aud, ...claims }) => claims),
  },
  {
    ...{ name: "access_token.expired", says: failedChecks.exp, request: { scope: "email", nonce: "" } },
    seams: changeClaims("access_token", (claims) => ({ ...claims, exp: 1 })),
  },
  {
    ...{ name: "access_token.issued_in_future", says: failedChecks.iat },
    request: { scope: "email", nonce: "" },
    seams: changeClaims("access_token", (claims) => ({ ...claims, iat: farFuture, exp: farFuture + 60 })),
  },
  {
    ...{ name: "refresh.id_token_nonce", says: failedChecks.nonce, at: "refresh_token" },
    seams: setClaim("nonce", "another"),
  },
  {
    ...{ name: "refresh.id_token_other_issuer", says: failedChecks.iss, at: "refresh_token" },
    seams: setClaim("iss", "https://another.test"),
  },
];

for (const { name, says, seams, request: changed = {}, at = "authorization_code" } of compared) {
  const { level, rule } = catalogue.get(name)!;
  test(`inspector: a comparison that shows ${name} is judged as the catalogue does: ${level} (${rule})`, async () => {
    const opened = openPlain({ ...options, seams });
    const { resource = "" } = changed;
    const code = await authorize(opened, changed);
    const tokens = await redeem(opened, code, resource === "" ? {} : { resource });
    if (at === "refresh_token") await refresh(opened, tokens);
    const filter = at === "authorize" ? "endpoint:authorize" : `grant:${at}`;
    const list = await load(opened, `/inspector?${new URLSearchParams({ q: filter })}`);
    const [row] = readRows(list);
    assertEquals(readRemarks(await load(opened, `/inspector/${row?.id}`)), [`${says}. ${endOf(name)}`]);
    // The row names the fault, and its page judges it.
    assertEquals([row?.reason, readRemarks(list)], [`${says}.`, []]);
  });
}

test("inspector: each comparison that can fail is judged by a row of the catalogue", () => {
  assertEquals(new Set(compared.map(({ says }) => says)), new Set(Object.values(failedChecks)));
});

test("inspector: a right answer gets no remark, and each comparison holds", async () => {
  const opened = openPlain(options);
  await useEverything(opened);
  const list = await load(opened, "/inspector");
  assert(listIds(list).length > 5);
  for (const id of listIds(list)) {
    const page = await load(opened, `/inspector/${id}`);
    assertEquals(readRemarks(page), []);
    assertNotMatch(page, /class="fails"/);
  }
});

test("inspector: an answer that only prepares a misbehaviour gets no remark (RFC 8414 §2)", async () => {
  const opened = await openControlled(options);
  await using as = opened.as;
  as.misbehave("authorization_response.iss_unadvertised");
  await (await opened.send("/.well-known/openid-configuration")).text();
  const [id] = listIds(await load(opened, "/inspector"));
  const page = await load(opened, `/inspector/${id}`);
  assertStringIncludes(page, "misbehaviour:authorization_response.iss_unadvertised");
  assertEquals(readRemarks(page), []);
});

test("inspector: a server whose clock is ahead gets the level of iat, beside the turn of the clock", async () => {
  const opened = await openControlled(options);
  await using as = opened.as;
  as.clock.advance("2h");
  await redeem(opened, await authorize(opened));
  const [row] = readRows(await load(opened, "/inspector?q=endpoint%3Atoken"));
  assertEquals(row?.reason, `${failedChecks.iat}.`);
  const page = await load(opened, `/inspector/${row?.id}`);
  assertEquals(readRemarks(page), [`${failedChecks.iat}. ${endOf("id_token.iat_future")}`]);
  assertStringIncludes(page, "The clock is 2 h ahead.");
});

/** What stands beside each `state` of the response on the page of the latest request. */
async function explainStates(opened: Opened, endpoint = "authorize"): Promise<readonly string[]> {
  const [id] = listIds(await load(opened, `/inspector?q=endpoint%3A${endpoint}`));
  const page = await load(opened, `/inspector/${id}`);
  const response = page.slice(page.indexOf('<th scope="col">Response</th>'));
  return [...response.matchAll(/<b>(?:\?|&amp;)state=<\/b>[^<]*<\/code><\/td><td>([^<]+)/g)]
    .map(([, text]) => text!);
}

for (
  const [name, explained] of [
    ["authorization_response.state_changed", ["Not the state of the request."]],
    ["authorization_response.state_missing", []],
    [
      "authorization_response.state_twice",
      ["The state of the request, unchanged.", "Not the state of the request."],
    ],
    ["authorization_response.error_denied", ["The state of the request, unchanged."]],
  ] as const
) {
  test(`inspector: under ${name}, the response explains state as it is (RFC 6749 §4.1.2, §10.12)`, async () => {
    const opened = await openControlled(options);
    await using as = opened.as;
    as.misbehave(name);
    await authorize(opened);
    assertEquals(await explainStates(opened), explained);
  });
}

test("inspector: a state that no request had is explained so, and no client has to compare it (RFC 6749 §4.1.2)", async () => {
  const opened = openPlain({
    ...options,
    seams: {
      authorization_response: ({ params, ...others }) => ({ ...others, params: [...params, ["state", "x"]] }),
    },
  });
  await authorize(opened, { state: "" });
  assertEquals(await explainStates(opened), ["The request had no state."]);
  assertEquals(readRemarks(await load(opened, "/inspector")), []);
});

test("inspector: without the request in the journal, neither state nor nonce is called right or wrong (RFC 9126 §4)", async () => {
  const opened = openPlain(options, {}, createRecorder({ limit: 1 }));
  const pushed = await opened.send("/oauth2/par", {
    method: "POST",
    body: paramsOf(request),
    headers: { "sec-fetch-mode": "cors" },
  });
  const { request_uri } = await pushed.json();
  const location = (await opened.send(
    `/oauth2/authorize?${new URLSearchParams({ client_id: "spa", request_uri })}`,
  )).headers.get("location")!;
  assertEquals(await explainStates(opened), [
    "The state of the response. The journal has no request to compare it with.",
  ]);
  const requireOpen = async (check: string) => {
    const list = await load(opened, "/inspector");
    const page = await load(opened, `/inspector/${listIds(list)[0]}`);
    assertEquals([...readRemarks(list), ...readRemarks(page)], []);
    assertStringIncludes(page, `nothing to compare: </span>${check}`);
    assertStringIncludes(page, "the journal does not have the authorization request");
  };
  await requireOpen(englishTimeline.checks.state);
  await redeem(opened, new URL(location).searchParams.get("code")!);
  await requireOpen(englishTimeline.checks.nonce);
});

test("inspector: a verifier without a recorded login may belong to one that the journal lacks (RFC 7636 §4.6)", async () => {
  const opened = openPlain(options);
  await redeem(opened, await authorize(opened), { code_verifier: "x".repeat(43) });
  const [id] = listIds(await load(opened, "/inspector?q=endpoint%3Atoken"));
  assertStringIncludes(
    await load(opened, `/inspector/${id}`),
    "or it belongs to a login that the journal does not have",
  );
});

test("inspector: a state beside a signed request object does not count (RFC 9101 §6.3)", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...await exportJWK(publicKey), kid: "a" }] } as never;
  const opened = openPlain({ ...options, clients: [{ ...spa, jwks }] });
  const now = Math.floor(Date.now() / 1000);
  const { state: _state, ...signed } = Object.fromEntries(paramsOf(request));
  const object = await new SignJWT({ ...signed, iss: "spa", aud: origin, iat: now, exp: now + 60 })
    .setProtectedHeader({ alg: "ES256", kid: "a" }).sign(privateKey);
  const code = await authorize(opened, { request: object, state: "beside the object" });
  assert(code !== "");
  const list = await load(opened, "/inspector");
  const page = await load(opened, `/inspector/${listIds(list)[0]}`);
  assertEquals([...readRemarks(list), ...readRemarks(page)], []);
  assertNotMatch(page, /class="fails"/);
});

for (
  const [name, explained] of [
    ["logout.state_changed", ["Not the state of the request."]],
    ["logout.not_returned", []],
  ] as const
) {
  test(`inspector: under ${name}, a sign-out explains state as it is (OpenID Connect RP-Initiated Logout §3)`, async () => {
    const uri = "https://app.example/bye";
    const opened = await openControlled({
      ...options,
      clients: [{ ...spa, post_logout_redirect_uris: [uri] }],
    });
    await using as = opened.as;
    as.misbehave(name);
    const query = new URLSearchParams({
      client_id: "spa",
      post_logout_redirect_uri: uri,
      state: "of-the-client",
    });
    await (await opened.send(`/connect/logout?${query}`)).text();
    assertEquals(await explainStates(opened, "logout"), explained);
  });
}
