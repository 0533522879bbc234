/** Rich authorization requests (RFC 9396): reading, consent, tokens, narrowing, metadata. */

import { assert, assertEquals, assertFalse, assertStringIncludes, assertThrows } from "@std/assert";
import { createServer, type Seams } from "../../../src/mod.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { assertion, keys } from "../tokens/assertions.ts";
import { assertRefused, claimsOf, introspect, refresh } from "../tokens/bearer.ts";
import { exchange, exchangeGrant, exchanger, secretOf, typeOf } from "../tokens/exchange_world.ts";
import {
  basic,
  type Browser,
  callbackParams,
  createBrowser,
  createWorld,
  type Page,
  type Params,
  redirectUri,
  type World,
} from "../../world.ts";
import {
  accounts,
  type Detail,
  type DetailedTokens,
  detailsOf,
  inBank,
  payment,
  secret,
  types,
} from "./authorization_details.ts";
import { begin, beginAt, deviceClients, openConsent as openDeviceConsent, poll } from "./device_login.ts";
import { register } from "./registration.ts";

const json = (details: readonly unknown[]) => JSON.stringify(details);

const asking = (...details: readonly unknown[]): Params => ({ authorization_details: json(details) });

const [one, two, three] = ["https://one.example/", "https://two.example/", "https://three.example/"] as const;
const at = (...locations: readonly string[]) => ({ ...accounts("list"), locations });
const invalid = "400 invalid_authorization_details";

async function redeem(
  world: World,
  details: readonly Detail[],
  changed: Params = {},
): Promise<DetailedTokens> {
  const code = await world.code(asking(...details));
  return (await detailsOf(await world.redeem(code, changed))).tokens;
}

/** The error, the reason and the place of a refused authorization request. */
async function refusalOf(world: World, text: string, changed: Params = {}): Promise<readonly unknown[]> {
  const response = await world.authorize({ authorization_details: text, ...changed });
  const error = response.status === 400 ? null : callbackParams(response).get("error");
  const { reason, description } = world.lastRefusal() ?? {};
  return [error, reason, description?.split(" ")[0]];
}

const it = testIn<[World]>((work) => inBank({}, work));

it("authorization_details: a wrong parameter is invalid_authorization_details, with its place (RFC 9396 §2, §5)", async (world) => {
  const error = "invalid_authorization_details";
  const right = payment("5.00");
  const rows: readonly (readonly [text: string, reason: string, place?: string])[] = [
    ["[{", "details_not_an_array"],
    [JSON.stringify(right), "details_not_an_array"],
    [json(["text"]), "details_type_missing", "[0]"],
    [json([right, {}]), "details_type_missing", "[1]"],
    [json([right, { type: "unknown" }]), "details_type_unknown", "[1].type"],
    [json([{ type: "constructor" }]), "details_type_unknown", "[0].type"],
    [json([{ ...right, other: 1 }]), "details_malformed", "[0].other"],
    [json([{ type: right.type }]), "details_malformed", "[0].instructedAmount"],
    [
      json([right, { ...right, instructedAmount: { currency: 1, value: "5" } }]),
      "details_malformed",
      "[1].instructedAmount.currency",
    ],
    [
      json([{ ...right, instructedAmount: { currency: "EUR", value: "5", cents: 0 } }]),
      "details_malformed",
      "[0].instructedAmount.cents",
    ],
    [json([accounts("delete")]), "details_malformed", "[0].actions[0]"],
    [json([{ type: "account_information", locations: "x" }]), "details_malformed", "[0].locations"],
    [json(Array(21).fill(right)), "details_too_long"],
    [json([{ ...right, note: "x".repeat(6000) }]), "details_too_long"],
    [json([{ ...right, note: JSON.parse("[".repeat(20) + "]".repeat(20)) }]), "details_too_long"],
  ];
  for (const [text, reason, place] of rows) {
    const found = await refusalOf(world, text);
    assertEquals(found.slice(0, 2), [error, reason], text.slice(0, 200));
    if (place !== undefined) assertEquals(found[2], `authorization_details${place}`);
  }
  // The limits themselves are accepted.
  const note = "x".repeat(6000 - json([{ ...right, note: "" }]).length);
  for (const details of [Array(20).fill(right), [{ ...right, note }]]) {
    assertEquals((await refusalOf(world, json(details)))[0], null);
  }
  const twice = await world.authorize({ authorization_details: [json([right]), json([right])] });
  assertEquals([callbackParams(twice).get("error"), world.lastRefusal()?.reason], [
    "invalid_request",
    "repeated_parameter",
  ]);
});

test("authorization_details: the token response, the token and its introspection have them (RFC 9396 §7, §9)", async () => {
  const clients = [
    { client_id: "public", redirect_uris: [redirectUri] },
    { client_id: "api", client_secret: secret, introspects: ["https://as.test"] },
  ];
  for (const accessTokens of ["jwt", "opaque"] as const) {
    await inBank({ clients, accessTokens }, async (world) => {
      const details = [payment("5.00"), accounts("list")];
      const tokens = await redeem(world, details);
      assertEquals(tokens.authorization_details, details);
      const said = await (await introspect(world, tokens.access_token, basic("api", secret))).json();
      if (accessTokens === "jwt") {
        assertEquals(claimsOf(tokens.access_token)["authorization_details"], details);
      }
      assertEquals([said.active, said.authorization_details], [true, details]);
      const { tokens: next } = await detailsOf(await refresh(world, tokens.refresh_token));
      assertEquals(next.authorization_details, details);
      for (const nothing of [{}, asking()]) {
        const plain = await (await world.redeem(await world.code(nothing))).json();
        assertEquals(Object.hasOwn(plain, "authorization_details"), false);
      }
    });
  }
});

it("authorization_details: a code or refresh request narrows them, and never asks for more (RFC 9396 §6)", async (world) => {
  const details = [payment("5.00"), payment("6.00"), accounts("list", "balance")];
  // Member order is irrelevant.
  const { instructedAmount, ...rest } = payment("6.00");
  const asked = asking({ ...rest, instructedAmount });
  const plain = await world.code();
  await assertRefused(world, world.redeem(plain, asked), `${invalid} details_not_granted`);
  const code = await world.code(asking(...details));
  await assertRefused(world, world.redeem(code, asking(payment("7.00"))), `${invalid} details_not_granted`);
  // A refusal writes nothing, so the code stays valid.
  const { tokens } = await detailsOf(await world.redeem(code, asked));
  assertEquals(tokens.authorization_details, [payment("6.00")]);
  assertEquals(claimsOf(tokens.access_token)["authorization_details"], [payment("6.00")]);
  const narrow = (asked: readonly unknown[]) => refresh(world, tokens.refresh_token, asking(...asked));
  // The type compares by its own rule.
  const cases = [
    [[payment("7.00")], "details_not_granted"],
    [[payment("5.00"), payment("5.00")], "details_not_granted"],
    [[{ type: "unknown" }], "details_type_unknown"],
    [[{ ...payment("5.00"), note: "more" }], "details_not_granted"],
  ] as const;
  for (const [asked, reason] of cases) {
    await assertRefused(world, narrow(asked), `${invalid} ${reason}`);
  }
  const { tokens: next, details: narrowed } = await detailsOf(await narrow([accounts("balance")]));
  assertEquals(narrowed, [accounts("balance")]);
  const none = await refresh(world, next.refresh_token, { authorization_details: "[]" });
  const { tokens: last, details: noDetails } = await detailsOf(none);
  assertEquals([noDetails, claimsOf(last.access_token)["authorization_details"]], [[], undefined]);
  // RFC 6749 §6: the grant keeps all.
  assertEquals((await detailsOf(await refresh(world, last.refresh_token))).details, details);
});

test("authorization_details: two objects need two granted ones, also by the type's own rule (RFC 9396 §6)", async () => {
  const budget = {
    schema: { required: ["most"], properties: { most: { type: "integer" } } },
    title: "Budget",
    summary: "Spend {most}",
    compare: (requested: Detail, granted: Detail) => Number(requested["most"]) <= Number(granted["most"]),
  };
  await inBank({ authorizationDetails: { ...types, budget } }, async (world) => {
    const most = (...values: readonly number[]) => values.map((most) => ({ type: "budget", most }));
    let tokens = await redeem(world, most(100, 50));
    for (const asked of [most(100, 100), most(60, 60), most(10, 10, 10)]) {
      const refused = refresh(world, tokens.refresh_token, asking(...asked));
      await assertRefused(world, refused, `${invalid} details_not_granted`);
    }
    for (const asked of [most(40, 60), most(50, 100), most(50)]) {
      const answer = await refresh(world, tokens.refresh_token, asking(...asked));
      const { tokens: next, details } = await detailsOf(answer);
      assertEquals(details, asked);
      tokens = next;
    }
  });
});

test("authorization_details: the rule of a type compares no object of another type (RFC 9396 §6)", async () => {
  const generous = { schema: {}, title: "T", summary: "S", compare: () => true };
  await inBank({ authorizationDetails: { ...types, read: generous, write: generous } }, async (world) => {
    const tokens = await redeem(world, [{ type: "read" }]);
    const refused = await refresh(world, tokens.refresh_token, asking({ type: "write" }));
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, "details_not_granted"]);
  });
});

test("authorization_details: locations become the audience, within the resources (RFC 9396 §2.2, RFC 8707 §2)", async () => {
  await inBank({ resources: [one, two] }, async (world) => {
    const tokens = await redeem(world, [at(one), at(two), payment("5.00")]);
    assertEquals(claimsOf(tokens.access_token)["aud"], [one, two]);
    // RFC 9396 §9.1: a token has only the objects for its audience.
    const narrowed = await detailsOf(await refresh(world, tokens.refresh_token, { resource: two }));
    assertEquals(narrowed.details, [at(two), payment("5.00")]);
    const claims = claimsOf(narrowed.tokens.access_token);
    assertEquals([claims["aud"], claims["authorization_details"]], [two, [at(two), payment("5.00")]]);
    assertEquals(
      (await refusalOf(world, json([at("https://other.example/")]))).slice(0, 2),
      ["invalid_target", "resource_unknown"],
    );
    const code = await world.code({ authorization_details: json([at(one)]), resource: two });
    const both = (await detailsOf(await world.redeem(code))).tokens;
    assertEquals(claimsOf(both.access_token)["aud"], [two, one]);
  });
});

it("authorization_details: a token for fewer objects is for their locations only (RFC 9396 §6.1)", async (world) => {
  const all = [at(one), at(two), payment("5.00")];
  const code = await world.code({ ...asking(...all), resource: three });
  let { tokens } = await detailsOf(await world.redeem(code, asking(at(two))));
  assertEquals(claimsOf(tokens.access_token)["aud"], [three, two]);
  const rows = [
    [[at(one)], {}, [three, one]],
    [[payment("5.00")], {}, three],
    [all, {}, [three, one, two]],
    // The client says itself what the token is for.
    [[at(one)], { resource: [one, two] }, [one, two]],
  ] as const;
  for (const [asked, changed, aud] of rows) {
    const next = await detailsOf(
      await refresh(world, tokens.refresh_token, { ...asking(...asked), ...changed }),
    );
    tokens = next.tokens;
    assertEquals([next.details, claimsOf(tokens.access_token)["aud"]], [asked, aud]);
  }
});

it("authorization_details: no other API gets a token, nor an object that the token cannot have (RFC 9396 §6)", async (world) => {
  const { refresh_token } = await redeem(world, [at(one), at(two), payment("5.00")]);
  const rows = [
    [at(one), { resource: two }],
    // The type's own rule accepts any location, but this one was not granted.
    [at("https://other.example/"), {}],
  ] as const;
  for (const [detail, changed] of rows) {
    const refused = refresh(world, refresh_token, { ...asking(detail), ...changed });
    await assertRefused(world, refused, `${invalid} details_for_another_resource`);
  }
  const { tokens } = await detailsOf(await refresh(world, refresh_token, asking(payment("5.00"))));
  assertEquals(claimsOf(tokens.access_token)["aud"], [one, two]);
});

it("authorization_details: client_credentials gets what it asks for, within its types (RFC 9396 §6, §10)", async (world) => {
  const ask = (details: readonly unknown[] | undefined, id = "bank", changed: Params = {}) =>
    world.post("/oauth2/token", {
      grant_type: "client_credentials",
      authorization_details: details && json(details),
      ...changed,
    }, basic(id, secret));
  const location = "https://api.example/";
  const details = [{ ...accounts("list"), locations: [location] }, payment("5.00")];
  const { tokens, details: granted } = await detailsOf(await ask(details));
  const claims = claimsOf(tokens.access_token);
  assertEquals([granted, claims["authorization_details"], claims["aud"]], [details, details, location]);
  assertEquals((await detailsOf(await ask(undefined))).details, undefined);
  const both = await detailsOf(await ask([details[0]], "bank", { resource: one }));
  assertEquals(claimsOf(both.tokens.access_token)["aud"], [one, location]);
  await assertRefused(world, ask([{ type: "unknown" }]), `${invalid} details_type_unknown`);
});

test("authorization_details: without a person, a client gets only types that it lists (RFC 9396 §6, §10)", async () => {
  const client = {
    client_id: "robot",
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "client_credentials"],
  };
  const ask = (world: World) =>
    world.post("/oauth2/token", {
      grant_type: "client_credentials",
      authorization_details: json([payment("5.00")]),
    }, basic("robot", secret));
  let remedy: string | undefined;
  await inBank({ clients: [client] }, async (world) => {
    await assertRefused(world, ask(world), "400 invalid_authorization_details details_type_not_for_client");
    remedy = world.lastRefusal()?.remedy;
    assertEquals(JSON.parse(remedy ?? "null"), {
      clients: [{ client_id: "robot", authorization_details_types: ["payment_initiation"] }],
    });
    // A person decides about what the same client asks them for.
    const authorization = await refusalOf(world, json([payment("5.00")]), { client_id: "robot" });
    assertEquals(authorization[0], null);
  });
  const [members] = JSON.parse(remedy!).clients;
  await inBank({ clients: [{ ...client, ...members }] }, async (world) => {
    assertEquals((await detailsOf(await ask(world))).details, [payment("5.00")]);
  });
});

async function openConsent(
  world: World,
  browser: Browser,
  details: readonly unknown[],
  changed: Params = {},
): Promise<Page> {
  const page = await browser.open(world.authorizeUrl({ authorization_details: json(details), ...changed }));
  return page.html.includes('name="person"') ? await browser.submit(page, { person: "alice" }) : page;
}

/** The rows of the page, and the values of their checkboxes. */
function rowsOf({ html }: Page): { readonly texts: readonly string[]; readonly lines: readonly string[] } {
  const row = findById(readHtml(html), "authorization_details");
  if (row === undefined) return { texts: [], lines: [] };
  return {
    texts: findAll(row, "li").map((each) => textOf(each).replaceAll(/\s+/g, " ").trim()),
    lines: findAll(row, "input").map((each) => attribute(each, "value")!),
  };
}

test("authorization_details: consent shows each beside the scopes, as plain text (RFC 9396 §3.1)", () =>
  inBank({ login: "picker" }, async (world) => {
    const details = [payment("5.00", "<b>Shop\u202e</b>"), { ...accounts("list", "balance") }];
    const locations = ["accounts", "payments"].map((each) => `https://${each}.bank.example/version/1`);
    // A long value is shown as a whole.
    const creditor = `Shop${"!".repeat(500)} and another`;
    const long = [{ ...accounts("list"), locations }, payment("5.00", creditor)];
    const page = await openConsent(world, createBrowser(world), [...details, ...long], {
      scope: "read write",
    });
    assertEquals(rowsOf(page).texts, [
      "Payment Pay 5.00 EUR to <b>Shop\\u{202E}</b>",
      "Accounts See your accounts: list, balance at –",
      `Accounts See your accounts: list at ${locations.join(", ")}`,
      `Payment Pay 5.00 EUR to ${creditor}`,
    ]);
    assert(findById(readHtml(page.html), "scopes"));
    const german = await openConsent(world, createBrowser(world), details, { ui_locales: "de" });
    assertEquals(rowsOf(german).texts[0], "Zahlung 5.00 EUR an <b>Shop\\u{202E}</b> zahlen");
  }));

test("authorization_details: what a person refuses is absent from grant and response (RFC 9396 §3.1, §7)", () =>
  inBank({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const location = "https://api.example/";
    const details = [payment("5.00"), payment("5.00"), { ...accounts("list"), locations: [location] }];
    const page = await openConsent(world, browser, details);
    const { lines } = rowsOf(page);
    assertEquals(new Set(lines).size, 3);
    const end = await browser.submit(page, { line_choice: "1", line: lines[0]!, decision: "approve" });
    const code = new URL(end.leftFor!).searchParams.get("code")!;
    const { tokens, details: granted } = await detailsOf(await world.redeem(code));
    assertEquals(granted, [payment("5.00")]);
    // The location of a refused object is no resource of the grant.
    assertEquals(claimsOf(tokens.access_token)["aud"], world.issuer);
    assertEquals((await detailsOf(await refresh(world, tokens.refresh_token))).details, [payment("5.00")]);
    const none = await browser.submit(await openConsent(world, browser, details), {
      line_choice: "1",
      decision: "approve",
    });
    const rest = await detailsOf(await world.redeem(new URL(none.leftFor!).searchParams.get("code")!));
    assertEquals([rest.details, rest.tokens.scope], [[], "read"]);
    const forged = await openConsent(world, browser, details);
    const answer = await browser.submit(forged, { line_choice: "1", line: "other", decision: "approve" });
    assertEquals([
      answer.leftFor && new URL(answer.leftFor).searchParams.get("error"),
      world.lastRefusal()?.reason,
    ], ["invalid_request", "line_not_requested"]);
  }));

test("authorization_details: a person who refuses all details and scopes denies access (RFC 6749 §4.1.2.1)", () =>
  inBank({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const page = await openConsent(world, browser, [payment("5.00")], { scope: "read write" });
    const end = await browser.submit(page, { scope_choice: "1", line_choice: "1", decision: "approve" });
    assertEquals(new URL(end.leftFor!).searchParams.get("error"), "access_denied");
    const both = [payment("5.00"), payment("6.00")];
    const again = await openConsent(world, browser, [...both, payment("7.00")], { scope: "read write" });
    const { lines } = rowsOf(again);
    const granted = await browser.submit(again, {
      ...{ scope_choice: "1", line_choice: "1", line: lines.slice(0, 2), decision: "approve" },
    });
    const { tokens, details } = await detailsOf(
      await world.redeem(new URL(granted.leftFor!).searchParams.get("code")!),
    );
    assertEquals([details, tokens.scope, claimsOf(tokens.access_token)["scope"]], [
      both,
      undefined,
      undefined,
    ]);
  }));

test("authorization_details: a detail is one act, so it is always asked, also when its scopes are remembered (OAuth 2.1 §7.3.1)", () =>
  inBank({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const ask = (...details: readonly Detail[]) => openConsent(world, browser, details);
    const first = await ask(payment("5.00"), payment("6.00"));
    const { lines } = rowsOf(first);
    await browser.submit(first, { line_choice: "1", line: lines[0]!, decision: "approve" });
    for (const detail of [payment("5.00"), payment("6.00")]) {
      const again = await ask(detail);
      assertEquals([again.leftFor, rowsOf(again).lines.length], [undefined, 1]);
      assertFalse(again.html.includes('id="left-out"'));
      const [box] = findAll(findById(readHtml(again.html), "authorization_details")!, "input");
      assertEquals(attribute(box!, "checked"), "");
    }
    assert((await browser.open(world.authorizeUrl({}))).leftFor, "the scopes are remembered");
    const silent = await browser.open(
      world.authorizeUrl({ authorization_details: json([payment("5.00")]), prompt: "none" }),
    );
    assertEquals(new URL(silent.leftFor!).searchParams.get("error"), "consent_required");
    assertEquals(world.lastRefusal()?.reason, "would_have_to_ask");
  }));

test("authorization_details: a request object has them as JSON, and what is beside it has no effect (RFC 9396 §3, RFC 9101 §6.3)", async () => {
  const jwks = { keys: [{ ...keys.es256.jwk, kid: "es" }] };
  const clients = [{ client_id: "public", redirect_uris: [redirectUri], jwks }];
  await inBank({ clients }, async (world) => {
    const open = async (details: unknown, beside?: readonly Detail[]) => {
      const claims = { ...Object.fromEntries(new URL(world.authorizeUrl()).searchParams), sub: undefined };
      const request = await assertion(world, {
        clientId: "public",
        claims: { ...claims, authorization_details: details },
      });
      const params = { client_id: "public", request, ...(beside && asking(...beside)) };
      return callbackParams(await world.get(`/oauth2/authorize?${new URLSearchParams(params)}`));
    };
    const [inside, beside] = [[payment("5.00")], [payment("6.00")]];
    const rows = [[inside, undefined, inside], [inside, beside, inside], [
      undefined,
      beside,
      undefined,
    ]] as const;
    for (const [details, other, granted] of rows) {
      const code = (await open(details, other)).get("code")!;
      assertEquals((await detailsOf(await world.redeem(code))).details, granted);
    }
    assertEquals((await open([{}], beside)).get("error"), "invalid_authorization_details");
    assertEquals(world.lastRefusal()?.reason, "details_type_missing");
    assertEquals((await open(payment("5.00"))).get("error"), "invalid_authorization_details");
    assertEquals(world.lastRefusal()?.reason, "details_not_an_array");
  });
});

test("authorization_details: metadata and registration know the types, and a server without any does not (RFC 9396 §10)", async () => {
  const at = "/.well-known/oauth-authorization-server";
  await inBank({ registration: true, issuer: "http://localhost:9000" }, async (world) => {
    const metadata = await (await world.get(at)).json();
    assertEquals(metadata.authorization_details_types_supported, [
      "payment_initiation",
      "account_information",
    ]);
    const registerFor = (authorization_details_types: unknown) =>
      register(world, {
        redirect_uris: ["http://127.0.0.1:4000/cb"],
        token_endpoint_auth_method: "none",
        authorization_details_types,
      });
    const { body } = await registerFor(["payment_initiation"]);
    assertEquals(body["authorization_details_types"], ["payment_initiation"]);
    const unknown = await registerFor(["payment_initiation", "other"]);
    assertEquals([unknown.status, unknown.body["error"]], [400, "invalid_client_metadata"]);
    const redirect = { redirect_uri: "http://127.0.0.1:4000/cb" };
    const own = { client_id: `${body["client_id"]}`, ...redirect };
    assertEquals((await refusalOf(world, json([accounts("list")]), own))[1], "details_type_not_for_client");
    const { body: without } = await registerFor(undefined);
    const other = { client_id: `${without["client_id"]}`, ...redirect };
    assertEquals((await refusalOf(world, json([payment("5.00")]), other))[1], "details_type_not_for_client");
  });
  await inBank({
    authorizationDetails: {},
    clients: [{ client_id: "public", redirect_uris: ["https://app.example/cb"] }],
  }, async (world) => {
    const metadata = await (await world.get(at)).json();
    assertEquals("authorization_details_types_supported" in metadata, false);
    assertEquals((await redeem(world, [payment("5.00")])).authorization_details, undefined);
  });
});

test("authorization_details: an object has the members of its schema, and of the alternatives (RFC 9396 §2, §5)", async () => {
  const iban = { required: ["type", "iban"], properties: { iban: { type: "string" } } };
  const place = { properties: { locations: {}, actions: { type: "integer" } } };
  const texts = { title: "T", summary: "S" };
  const authorizationDetails = {
    none: { schema: {}, ...texts },
    account: { schema: { anyOf: [iban, place] }, ...texts },
    typed: { schema: { type: "object", anyOf: [iban, place] }, ...texts },
    // A text may name a member that the schema leaves open.
    open: { schema: { additionalProperties: true }, title: "{any.x}", summary: "S" },
    list: { schema: { properties: { a: { items: {} } } }, title: "{a.0} {a.10}", summary: "S" },
    map: { schema: { additionalProperties: { properties: { a: {} } } }, title: "{x.a}", summary: "S" },
    nullable: { schema: { properties: { limit: { type: ["object", "null"] } } }, ...texts },
  };
  await using world = createWorld({ authorizationDetails });
  for (const type of ["account", "typed"]) {
    const details = [{ type, iban: "DE1" }, { type, locations: ["https://api.example"] }, { type }];
    assertEquals((await redeem(world, details)).authorization_details, details);
  }
  const refused = [
    { type: "none", other: 1 },
    { type: "account", iban: "DE1", other: 1 },
    { type: "account", iban: 1 },
    // RFC 9396 §2.2 has the types of these members.
    { type: "account", actions: 5 },
    { type: "account", locations: ["https://api.example", ["https://other.example"]] },
    { type: "open", locations: "https://api.example" },
    { type: "open", identifier: {} },
    { type: "nullable", limit: { other: 1 } },
  ];
  for (const detail of refused) {
    const [error, reason] = await refusalOf(world, json([detail]));
    assertEquals([error, reason], ["invalid_authorization_details", "details_malformed"], json([detail]));
  }
});

test("authorization_details: a number that programs read differently is refused, with its place (RFC 9396 §5, RFC 8259 §6)", async () => {
  const account = {
    schema: { properties: { number: { type: "integer" }, any: {} } },
    title: "T",
    summary: "{number} {any}",
  };
  await using world = createWorld({ authorizationDetails: { account } });
  const rows = [
    [`"number":9007199254740993`, "number"],
    [`"number":-9007199254740993`, "number"],
    [`"any":1e400`, "any"],
    [`"any":[{"inside":12345678901234567890}]`, "any[0].inside"],
  ] as const;
  for (const [member, place] of rows) {
    assertEquals(await refusalOf(world, `[{"type":"account",${member}}]`), [
      "invalid_authorization_details",
      "details_malformed",
      `authorization_details[0].${place}`,
    ]);
  }
  assertEquals(world.lastRefusal()?.expected, "a number from -9007199254740991 to 9007199254740991");
  const detail = { type: "account", number: 9007199254740991, any: [-0.5] };
  assertEquals((await redeem(world, [detail])).authorization_details, [detail]);
});

const everyType = "object, array, string, number, integer, boolean, null";

/** Each line: a member of a schema that it must not have, and the end of the sentence. */
const faultySchemas: readonly (readonly [schema: Readonly<Record<string, unknown>>, message: string])[] = [
  [{ type: "text" }, `.type must be one of ${everyType}`],
  [{ type: ["string", "text"] }, `.type[1] must be one of ${everyType}`],
  [{ type: 5 }, `.type must be one of ${everyType} or an array`],
  [{ anyOf: {} }, ".anyOf must be an array of objects"],
  [{ anyOf: [{ typ: "string" }] }, ".anyOf[0].typ is not known"],
  [{ properties: 5 }, ".properties must be an object"],
  [{ properties: { a: 5 } }, ".properties.a must be an object"],
  [{ additionalProperties: 5 }, ".additionalProperties must be a boolean or an object"],
  [{ additionalProperties: { typ: "string" } }, ".additionalProperties.typ is not known"],
  [{ items: 5 }, ".items must be an object"],
  [{ const: null }, ".const must be a string, a number or a boolean"],
  [{ enum: ["a", 5] }, ".enum[1] must be a string"],
  [{ required: [5] }, ".required[0] must be a string"],
  [{ examples: 5 }, ".examples must be an array"],
  ...["$schema", "title", "description", "pattern"].map((name) =>
    [{ [name]: 5 }, `.${name} must be a string`] as const
  ),
  ...["minLength", "minItems", "maxItems"].flatMap((name) =>
    [-1, 1.5].map((value) => [{ [name]: value }, `.${name} must be an integer of 0 or more`] as const)
  ),
  ...["minimum", "maximum", "exclusiveMinimum"].map((name) =>
    [{ [name]: "5" }, `.${name} must be a number`] as const
  ),
];

test("authorization_details: a keyword of a schema with a wrong value is refused at start, with its place", () => {
  const start = (member: Readonly<Record<string, unknown>>) => {
    const pay = { schema: { properties: { member } }, title: "T", summary: "S" };
    return createServer({ authorizationDetails: { pay } });
  };
  for (const [member, message] of faultySchemas) {
    const error = assertThrows(() => start(member), TypeError);
    assertStringIncludes(error.message, `authorizationDetails.pay.schema.properties.member${message}`);
  }
});

test("authorization_details: a bad type is refused at start, with its place", () => {
  const type = {
    schema: { properties: { amount: { properties: { value: {} } } } },
    title: "T",
    summary: "S",
  };
  const rows: readonly (readonly [changed: Readonly<Record<string, unknown>>, message: string])[] = [
    [{ schema: 5 }, ".schema must be an object"],
    [{ schema: { typ: "object" } }, ".schema.typ is not known: did you mean type?"],
    [{ schema: { type: "array" } }, ".schema.type must be object"],
    [
      { schema: { properties: { a: { items: { maxLength: 5 } } } } },
      ".schema.properties.a.items.maxLength is not known",
    ],
    [
      { schema: { properties: { a: { pattern: "(" } } } },
      ".schema.properties.a.pattern must be a regular expression",
    ],
    [
      { schema: { required: ["amount", "type", "currency"], properties: { amount: {} } } },
      ".schema.required must name members that properties has: currency is not one",
    ],
    [{ title: "{amount.currency}" }, ".title must name members that the schema has"],
    [
      { schema: { additionalProperties: { properties: { a: {} } } }, title: "{x.b}" },
      ".title must name members that the schema has",
    ],
    ...["name", "1st", "x1", "-1"].map((item) =>
      [
        { schema: { properties: { a: { items: {} } } }, title: `{a.${item}}` },
        ".title must name members that the schema has",
      ] as const
    ),
    [{ summary: { en: "S", de: "{other}" } }, ".summary.de must name members"],
    [{ summary: { de: "S" } }, ".summary.en is required"],
    [{ compare: "equal" }, ".compare must be a function"],
    [{ summary: undefined }, ".summary is required"],
  ];
  for (const [changed, message] of rows) {
    const authorizationDetails = { pay: { ...type, ...changed } } as never;
    const error = assertThrows(() => createServer({ authorizationDetails }), TypeError);
    assertStringIncludes(error.message, `authorizationDetails.pay${message}`);
  }
  const clients = [{ client_id: "app", authorization_details_types: ["pay", "lend"] }];
  const error = assertThrows(() => createServer({ authorizationDetails: { pay: type }, clients }), TypeError);
  assertStringIncludes(error.message, "clients[0].authorization_details_types[1] must be one of pay");
});

test("authorization_details: a token in exchange has no more of them, and is for each audience that the request names (RFC 8693 §1.1, §2.1)", () => {
  const chat = "https://chat.example/";
  const id_jag = [{ audience: chat, client_id: "web-there" }];
  const web = exchanger("web", { from: ["web"], to: [one, two], id_jag }, {
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", exchangeGrant],
  });
  return inBank({ clients: [web] }, async (world) => {
    const granted = [at(one), at(two), payment("5.00"), payment("6.00")];
    const code = await world.code({ client_id: "web", scope: "openid read", ...asking(...granted) });
    const fewer = asking(at(one), at(two), payment("5.00"));
    const answer = await world.redeem(code, { client_id: undefined, ...fewer }, secretOf("web"));
    const { access_token: subject } = (await detailsOf(answer)).tokens;
    const ask = (changed: Params) => exchange(world, subject, changed, { as: "web" });
    for (const target of [{ audience: [one, two] }, { resource: [one, two] }]) {
      const { tokens, details } = await detailsOf(await ask({ ...target, ...asking(at(one)) }));
      assertEquals([details, claimsOf(tokens.access_token)["aud"]], [[at(one)], [one, two]]);
    }
    const { tokens, details } = await detailsOf(await ask({ resource: one }));
    assertEquals(details, [at(one), payment("5.00")]);
    assertEquals(claimsOf(tokens.access_token)["authorization_details"], details);
    const more = ask({ resource: one, ...asking(payment("6.00")) });
    await assertRefused(world, more, `${invalid} details_not_granted`);
    // An ID-JAG is for another server, which does not know these types.
    const issued = await detailsOf(await ask({ requested_token_type: typeOf("id-jag"), audience: chat }));
    assertEquals(issued.details, undefined);
    assertEquals(claimsOf(issued.tokens.access_token)["authorization_details"], undefined);
  });
});

test("authorization_details: what is no object with a type in a token is not in the token in exchange for it (RFC 9396 §2)", () => {
  const web = exchanger("web", { from: ["web"], to: [one] }, {
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", exchangeGrant],
  });
  let claim: unknown = [null, "text", 7, [], {}, { type: 7 }, at(one)];
  const seams: Seams = {
    jwt: (jwt) =>
      jwt.token === "access_token"
        ? { ...jwt, claims: { ...jwt.claims, authorization_details: claim } }
        : jwt,
  };
  return inBank({ clients: [web], seams }, async (world) => {
    const subjectOf = async () => {
      const code = await world.code({ client_id: "web", scope: "read" });
      return (await detailsOf(await world.redeem(code, { client_id: undefined }, secretOf("web")))).tokens;
    };
    for (const [asked, details] of [[claim, [at(one)]], [at(one), undefined], ["text", undefined]]) {
      claim = asked;
      const answer = await exchange(world, (await subjectOf()).access_token, { resource: one }, {
        as: "web",
      });
      assertEquals((await detailsOf(answer)).details, details);
    }
  });
});

test("authorization_details: a device login carries them to its tokens (RFC 9396 §6, RFC 8628 §3.1)", () =>
  inBank({ clients: deviceClients, login: "picker" }, async (world) => {
    await assertRefused(world, beginAt(world, asking({})), `${invalid} details_type_missing`);
    const codes = await begin(world, asking(payment("5.00")));
    const browser = createBrowser(world);
    const page = await openDeviceConsent(browser, codes);
    assertEquals(rowsOf(page).texts, ["Payment Pay 5.00 EUR to Shop"]);
    await browser.submit(page, { decision: "approve" });
    assertEquals((await detailsOf(await poll(world, codes))).details, [payment("5.00")]);
  }));
