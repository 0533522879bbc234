/** Each hook changes the value at its seam: in order, once, or for one client or person. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type HookName, hookNames, hookTable } from "../../../../src/kit/mock/conditions/hook_table.ts";
import {
  createHooks,
  type HookContext,
  type Hooks,
  type HookTerms,
} from "../../../../src/kit/mock/conditions/hooks.ts";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { seamNames } from "../../../../src/server/oauth/contracts/seams.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import { inWorld, type World } from "../../../world.ts";

const metadataPath = "/.well-known/oauth-authorization-server";

/** The hooks that changed something in the last exchange, as `id_token at claims`. */
const altered = (world: World) =>
  world.journal.at(-1)?.facts.altered?.map(({ seam, by }) => `${by} at ${seam}`);

/** Creates hooks that no tenant has, so that they know no usernames and no endpoints. */
const createHooksAlone = () => createHooks({ nameOf: (subject) => subject, endpointOf: () => "page" });

async function inHooked(
  work: (given: { readonly world: World; readonly hooks: Hooks }) => Promise<void>,
): Promise<void> {
  const hooks = createHooksAlone();
  await inWorld({ seams: hooks.seams }, (world) => work({ world, hooks }));
}

async function redeem(world: World): Promise<Readonly<Record<string, unknown>>> {
  return await (await world.redeem(await world.code({ scope: "openid" }))).json();
}

const add = <T extends object>(value: T, added: object): T => ({ ...value, ...added });

test("hooks: a seam exists only while there is a hook at it", () => {
  const hooks = createHooksAlone();
  const there = () => seamNames.filter((name) => hooks.seams[name] !== undefined);
  assertEquals(there(), []);
  const metadata = hooks.on("metadata", () => {});
  const userinfo = hooks.on("userinfo", () => {});
  const idToken = hooks.on("id_token", () => {});
  hooks.on("jwks", () => {});
  assertEquals(there(), ["metadata", "key_set", "claims"]);
  metadata[Symbol.dispose]();
  userinfo[Symbol.dispose]();
  assertEquals(there(), ["key_set", "claims"]);
  idToken[Symbol.dispose]();
  assertEquals(there(), ["key_set"]);
  hooks.clear();
  assertEquals(there(), []);
});

const it = testIn(inHooked);

it("hook signed: changes the text of a token, after the hook jwt", async ({ world, hooks }) => {
  const seen: unknown[] = [];
  hooks.on("jwt", (value) => add(value, { claims: add(value.claims, { role: "admin" }) }));
  hooks.on("signed", ({ token, text }, { client, person }) => {
    seen.push([token, decodeJwt(text)["role"], client, person]);
    return { token, text: `${text.slice(0, text.lastIndexOf("."))}.` };
  });
  const tokens = await redeem(world);
  assertEquals(seen, [["access_token", "admin", "public", "alice"], [
    "id_token",
    "admin",
    "public",
    "alice",
  ]]);
  assertMatch(String(tokens["id_token"]), /^[\w-]+\.[\w-]+\.$/);
  assertEquals(altered(world), ["jwt at jwt", "signed at signed", "jwt at jwt", "signed at signed"]);
});

test("hook signed: signs a minted token again with the signer", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.on("signed", async ({ token, text }, { signer }) => ({
    token,
    text: await signer.sign({ alg: "ES256", kid: signer.publicJwk.kid, typ: "odd" }, decodeJwt(text)),
  }));
  assertEquals(decodeProtectedHeader(await as.mint()).typ, "odd");
});

test("hook response: leaves the stream of an answer intact", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.on("response", (answer) => add(answer, { body: new Blob(["one, two"]).stream() }));
  as.on("response", (answer) => add(answer, { headers: { "x-seen": "yes" } }));
  const response = await as.fetch(`${as.issuer}/oauth2/jwks`);
  assertEquals([response.headers.get("x-seen"), await response.text()], ["yes", "one, two"]);
});

test("hooks: each seam but arrival has one", () => {
  const seams = new Set(hookNames.map((name) => hookTable[name].seam));
  assertEquals([...seams].sort(), seamNames.filter((name) => name !== "arrival").sort());
});

interface Visits {
  readonly logoutTokens: readonly string[];
  visit(): Promise<void>;
}

/** Makes one request for each hook: a login, userinfo, introspection, and a sign-out with a back channel. */
function createVisits(as: Mock, calls: readonly RequestInit[]): Visits {
  return {
    get logoutTokens() {
      return calls.map(({ body }) => new URLSearchParams(String(body)).get("logout_token") ?? "");
    },
    async visit() {
      const tokens = await as.login("bob", { client: "shop", scope: "openid" });
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      await as.fetch("https://as.test/userinfo", { headers });
      await as.fetch("https://as.test/oauth2/introspect", {
        method: "POST",
        headers: { authorization: `Basic ${btoa("api:api-secret")}` },
        body: new URLSearchParams({ token: tokens.access_token }),
      });
      await as.endSession(tokens);
    },
  };
}

async function inMock(
  work: (as: Mock, visits: Visits) => Promise<void>,
  subjects: "public" | "pairwise" = "public",
): Promise<void> {
  const calls: RequestInit[] = [];
  const options: MockOptions = {
    alg: "ES256",
    fetch: (_url, init = {}) => {
      calls.push(init);
      return Promise.resolve(new Response());
    },
    clients: [
      {
        client_id: "shop",
        redirect_uris: ["https://shop.test/cb"],
        subject_type: subjects,
        backchannel_logout_uri: "https://shop.test/told",
        userinfo_signed_response_alg: "ES256",
      },
      {
        client_id: "api",
        client_secret: "api-secret",
        redirect_uris: ["https://api.test/cb"],
        introspects: ["https://as.test"],
      },
      { client_id: "other", redirect_uris: ["https://other.test/cb"] },
    ],
  };
  await using as = await createMock(options);
  await work(as, createVisits(as, calls));
}

const aboutPeople = [
  ...["authorization_response", "token_response", "access_token", "id_token", "userinfo"] as const,
  ...["introspection", "logout_token", "jwt", "response"] as const,
];

test("hooks: each knows the client, the person and the request", () =>
  inMock(async (as, { visit }) => {
    const seen: Partial<Record<HookName, string[]>> = {};
    for (const name of aboutPeople) {
      as.on(name, (_value: unknown, { client, person, request }: HookContext) => {
        (seen[name] ??= []).push(`${client} ${person} ${request.address.path}`);
      });
    }
    await visit();
    const token = "shop bob /oauth2/token";
    const userinfo = "shop bob /userinfo";
    const logout = "shop bob /connect/logout";
    assertEquals({ ...seen, response: [] }, {
      authorization_response: ["shop bob /oauth2/authorize"],
      access_token: [token],
      id_token: [token],
      jwt: [token, token, userinfo, logout],
      token_response: [token],
      userinfo: [userinfo],
      introspection: ["api bob /oauth2/introspect"],
      logout_token: [logout],
      response: [],
    });
    assertEquals(seen.response?.includes(userinfo), true);
  }));

test("hooks userinfo, introspection and logout_token: each changes its own claims", () =>
  inMock(async (as, visits) => {
    const answers: string[] = [];
    as.on("response", ({ body }, { request }) => {
      if (/introspect|userinfo/.test(request.address.path)) answers.push(`${body}`);
    });
    as.on("userinfo", (claims) => add(claims, { said: "userinfo" }));
    as.on("introspection", (claims) => add(claims, { said: "introspection" }));
    as.on("logout_token", (claims) => add(claims, { said: "logout_token" }));
    await visits.visit();
    assertEquals(decodeJwt(answers[0]!)["said"], "userinfo");
    assertEquals(JSON.parse(answers[1]!).said, "introspection");
    assertEquals(visits.logoutTokens.map((token) => decodeJwt(token)["said"]), ["logout_token"]);
  }));

test("hooks: each runs for its client and person only, also if the subject of the token is pairwise", () =>
  inMock(async (as, { visit }) => {
    const ran: string[] = [];
    for (const name of aboutPeople) {
      const client = name === "introspection" ? "api" : "shop";
      const on = (what: string, terms: HookTerms) => as.on(name, () => void ran.push(what), terms);
      on(`${name} for the client and another person`, { client, person: "alice" });
      on(`${name} for another client and the person`, { client: "other", person: "bob" });
      on(name, { client, person: "bob", once: true });
    }
    await visit();
    assertEquals(ran.toSorted(), aboutPeople.toSorted());
  }, "pairwise"));

test("hooks: one for an unknown person or client is refused, unless first use may create the client", async () => {
  await using strict = await createMock({
    clients: [{ client_id: "shop", redirect_uris: ["https://shop.test/cb"] }],
  });
  const on = (terms: HookTerms) => () => strict.on("id_token", () => {}, terms);
  assertThrows(on({ person: "zed" }), TypeError, "There is no person zed");
  assertThrows(on({ client: "nope" }), TypeError, "There is no client nope");
  await using open = await createMock();
  open.on("id_token", () => {}, { client: "my-app" });
});

test("hooks logout_token and jwt: their client and person are those of the token, also if a hook changes its claims", () =>
  inMock(async (as, visits) => {
    const seen: string[] = [];
    const about = { client: "shop", person: "bob" };
    as.on("logout_token", (claims) => add(claims, { sub: "nobody", aud: "nowhere" }), about);
    for (const name of ["logout_token", "jwt"] as const) {
      as.on(name, (_value: unknown, { client, person, request }: HookContext) => {
        if (request.address.path === "/connect/logout") seen.push(`${name} ${client} ${person}`);
      }, about);
    }
    await visits.visit();
    assertEquals(seen, ["logout_token shop bob", "jwt shop bob"]);
    assertEquals(visits.logoutTokens.map((token) => decodeJwt(token).sub), ["nobody"]);
  }, "pairwise"));

test("hooks: a hook for an endpoint runs for requests to this endpoint only", () =>
  inMock(async (as, { visit }) => {
    const ran: string[] = [];
    const on = (name: "response" | "jwt" | "signed", terms: HookTerms<"response">) =>
      as.on(name, (_value: unknown, { endpoint, request }: HookContext) => {
        ran.push(`${name} ${endpoint} ${request.address.path}`);
      }, terms);
    on("response", { endpoint: "userinfo", once: true });
    on("response", { endpoint: "introspect", client: "other" });
    on("response", { endpoint: "introspect", client: "api", person: "bob" });
    on("jwt", { endpoint: "userinfo" });
    on("signed", { endpoint: "logout" });
    await visit();
    await visit();
    const signed = ["jwt userinfo /userinfo", "signed logout /connect/logout"];
    const introspect = "response introspect /oauth2/introspect";
    assertEquals(ran.toSorted(), [
      ...[signed[0]!, signed[0]!, introspect, introspect],
      ...["response userinfo /userinfo", signed[1]!, signed[1]!],
    ]);
  }));

test("hooks: a minted token comes from the token endpoint, and a preflight reaches no endpoint", async () => {
  await using as = await createMock({ alg: "ES256" });
  const seen: string[] = [];
  as.on("jwt", (_value, { endpoint }) => void seen.push(endpoint), { endpoint: "token" });
  await as.mint();
  as.on("response", (_value, { endpoint }) => void seen.push(endpoint));
  await as.fetch(`${as.issuer}/userinfo`, { method: "OPTIONS" });
  assertEquals(seen, ["token", "page"]);
});

test("hooks: a hook for an endpoint knows the endpoint below other paths and of a tenant", async () => {
  await using as = await createMock({ alg: "ES256", paths: "axa" });
  as.on("response", (answer) => ({ ...answer, status: 418 }), { endpoint: "jwks" });
  for (const { issuer, fetch } of [as, as.tenant("acme")]) {
    const { jwks_uri } = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const { status } = await fetch(jwks_uri);
    assertEquals(status, issuer === as.issuer ? 418 : 200);
  }
  const tenant = as.tenant("acme");
  tenant.on("response", (answer) => ({ ...answer, status: 419 }), { endpoint: "jwks" });
  const metadata = await tenant.fetch(`${tenant.issuer}/.well-known/openid-configuration`);
  assertEquals([metadata.status, (await tenant.fetch((await metadata.json()).jwks_uri)).status], [200, 419]);
});

test("hooks: an unknown endpoint is refused, and so is an endpoint for a value with its own endpoints", () => {
  const hooks = createHooksAlone();
  const on = (name: HookName, terms: unknown) => () => hooks.on(name, () => {}, terms as HookTerms);
  const unknown = 'Cannot add the hook "response" for requests to "tokn": expected one of ';
  assertThrows(on("response", { endpoint: "tokn" }), TypeError, unknown);
  assertThrows(on("response", { endpoint: "tokn" }), TypeError, ". Did you mean token?");
  assertThrows(on("response", { endpoint: 7 }), TypeError, "for requests to 7: expected one of ");
  const others = hookNames.filter((each) => !["jwt", "signed", "response"].includes(each));
  for (const name of others) {
    const message =
      `The hook "${name}" cannot be for one endpoint, only these hooks can: jwt, signed, response. Leave endpoint out`;
    assertThrows(on(name, { endpoint: "token" }), TypeError, message);
  }
  assertEquals(seamNames.filter((name) => hooks.seams[name] !== undefined), []);
});

it("hooks: those of one name run in the order they were added, each with the result of the one before", async ({ world, hooks }) => {
  const seen: unknown[] = [];
  for (const extra of ["a", "b", "c"]) {
    hooks.on("metadata", async (members) => {
      seen.push(members["extra"]);
      await Promise.resolve();
      return extra === "b" ? undefined : add(members, { extra });
    });
  }
  assertEquals((await (await world.get(metadataPath)).json()).extra, "c");
  assertEquals(seen, [undefined, "a", "a"]);
});

it("hooks: one that returns nothing changes nothing, and is not noted", async ({ world, hooks }) => {
  const before = await (await world.get(metadataPath)).text();
  hooks.on("metadata", () => {});
  hooks.on("metadata", () => Promise.resolve());
  hooks.on("metadata", (members) => members);
  assertEquals(await (await world.get(metadataPath)).text(), before);
  assertEquals(altered(world), undefined);
});

it("once: runs for one of two concurrent requests", async ({ world, hooks }) => {
  hooks.on("metadata", async () => await Promise.resolve());
  hooks.on("metadata", (members) => add(members, { extra: "x" }), { once: true });
  const both = await Promise.all([world.get(metadataPath), world.get(metadataPath)]);
  const extras = await Promise.all(both.map(async (each) => (await each.json()).extra));
  assertEquals(extras.filter((extra) => extra === "x").length, 1);
});

it("hooks: one that is removed during a request no longer runs for it, and one that is added runs for the next", async ({ world, hooks }) => {
  let ran = 0;
  hooks.on("metadata", () => void hooks.on("metadata", () => void ran++), { once: true });
  hooks.on("metadata", () => second[Symbol.dispose]());
  const second = hooks.on("metadata", (members) => add(members, { extra: "x" }));
  assertEquals([(await (await world.get(metadataPath)).json()).extra, ran], [undefined, 0]);
  await world.get(metadataPath);
  assertEquals(ran, 1);
});

test("hooks: a client's own token has no person", async () => {
  await using as = await createMock({ alg: "ES256" });
  const seen: unknown[] = [];
  as.on("access_token", (_claims, { client, person }) => void seen.push(client, person));
  await as.mint({ withoutPerson: true });
  assertEquals(seen, ["app-confidential", undefined]);
});

it("hooks: an error is a fault that the journal names and the answer does not", async ({ world, hooks }) => {
  const cause = new RangeError("canary");
  hooks.on("token_response", () => Promise.reject(cause));
  const response = await world.redeem(await world.code());
  const body = await response.text();
  assertEquals([response.status, body.includes("canary")], [500, false]);
  const fault = world.journal.at(-1)?.facts.fault as Error;
  assertEquals(fault.message, 'The hook "token_response" threw: canary');
  assertStrictEquals(fault.cause, cause);
});

it("hooks: a change in place that is not returned is refused, and changes no other answer", async ({ world, hooks }) => {
  const read = async () => await (await world.get("/oauth2/jwks")).json();
  const before = await read();
  const mutable = (value: unknown) => value as { keys: { kid: string }[] };
  const silent = hooks.on("jwks", (value) => void (mutable(value).keys[0]!.kid = "another"));
  assertEquals((await read()).error, "server_error");
  assertEquals(
    (world.journal.at(-1)?.facts.fault as Error).message,
    'The hook "jwks" changed its value and returned nothing: return the changed value, ' +
      "such as { ...value, added: true }",
  );
  silent[Symbol.dispose]();
  const returning = hooks.on("jwks", (value) => {
    mutable(value).keys[0]!.kid = "another";
    return value;
  });
  assertEquals([(await read()).keys[0].kid, altered(world)], ["another", ["jwks at key_set"]]);
  returning[Symbol.dispose]();
  assertEquals(await read(), before);
});

test("on: wrong arguments are refused, because without them the hook would run for every value", () => {
  const hooks = createHooksAlone();
  const on = (name: string, hook: unknown = () => {}, terms?: unknown) => () =>
    hooks.on(name as "jwt", hook as () => undefined, terms as HookTerms);
  const jwtOptions = (terms: unknown) => on("jwt", () => {}, terms);
  const any = "an object with any of once, client, username, endpoint, not a string";
  const notForOne = "cannot be for one client or person";
  const attempts: readonly (readonly [attempt: () => unknown, message: string])[] = [
    [on("tokens"), 'no hook "tokens": expected one of metadata, jwks'],
    [on("beforeTokenSigning"), "Did you mean access_token or id_token?"],
    [on("beforeUserinfo"), "Did you mean userinfo or response?"],
    [on("accessToken"), "Did you mean access_token?"],
    [on("jwt", 5), "must be a function, but got 5"],
    [on("metadata", () => {}, { client: "app" }), notForOne],
    [on("jwks", () => {}, { person: "bob" }), notForOne],
    [jwtOptions({ who: "bob" }), "who is not known: known are once, client, username, endpoint"],
    [jwtOptions("once"), `Cannot add the hook "jwt": the terms must be ${any}`],
  ];
  for (const [attempt, message] of attempts) assertThrows(attempt, TypeError, message);
  assertEquals(seamNames.filter((name) => hooks.seams[name] !== undefined), []);
});

interface Misshapen {
  /** The end of the error: what the hook must return. */
  readonly expected: string;
  readonly returned: readonly unknown[];
}

const parameters = { redirectUri: "https://app.test", mode: "query", params: [] };
const members = { status: 200, members: {} };
const answer = { status: 200, headers: {}, body: "" };

const misshapen: Readonly<Partial<Record<HookName, Misshapen>>> = {
  metadata: { expected: "a plain object, or nothing", returned: [null, new Map()] },
  access_token: { expected: "a plain object, or nothing", returned: [["role"]] },
  jwks: { expected: "{ keys }", returned: [[], { keys: {} }, { keys: ["key"] }] },
  authorization_response: {
    expected: "{ redirectUri, mode, params }",
    returned: [
      { ...parameters, params: { state: "x" } },
      { ...parameters, params: [["state", 1]] },
      { ...parameters, url: "https://app.test" },
    ],
  },
  token_response: {
    expected: "{ status, members }",
    returned: [{ status: 200 }, { ...members, status: "200" }, { ...members, members: [] }],
  },
  jwt: {
    expected: "{ token, header, claims }",
    returned: [{ role: "admin" }, { token: "id_token", header: {}, claims: [] }],
  },
  response: {
    expected: "{ status, headers, body }",
    returned: [
      new Response("{}"),
      { ...answer, body: undefined },
      { ...answer, status: 99 },
      { ...answer, headers: new Headers() },
      { ...answer, headers: { age: 1 } },
    ],
  },
};

async function faultOf(hook: HookName, returned: unknown): Promise<string> {
  let message = "";
  await inHooked(async ({ world, hooks }) => {
    hooks.on(hook, (() => returned) as () => undefined);
    if (hook === "metadata") await world.get(metadataPath);
    else if (hook === "jwks" || hook === "response") await world.get("/oauth2/jwks");
    else if (hook === "authorization_response") await world.authorize();
    else await world.redeem(await world.code({ scope: "openid" }));
    ({ message } = world.journal.at(-1)?.facts.fault as Error);
  });
  return message;
}

test("hooks: a wrong result is a fault that names the hook and says what is expected", async () => {
  for (const [hook, { expected, returned }] of Object.entries(misshapen)) {
    for (const each of returned) {
      const message = await faultOf(hook as HookName, each);
      assert(message.startsWith(`The hook "${hook}" returned `), message);
      assertStringIncludes(message, `return ${expected}`);
    }
  }
});

test("hooks: the fault of a wrong result says what came, or which member is meant", async () => {
  assertStringIncludes(await faultOf("metadata", null), "returned null: return");
  assertStringIncludes(await faultOf("jwks", { keys: ["key"] }), "keys[0] must be an object; return");
  assertStringIncludes(await faultOf("response", new Response("{}")), "returned a Response: return");
  assertStringIncludes(await faultOf("response", { ...answer, statusCode: 400 }), "did you mean status?");
  assertStringIncludes(await faultOf("token_response", { ...members, body: {} }), "did you mean members?");
});

it("hooks: a value that was changed in place into another shape is refused as well", async ({ world, hooks }) => {
  hooks.on("token_response", (value) => Object.assign(value, { members: "text" }));
  await world.redeem(await world.code());
  assertMatch((world.journal.at(-1)?.facts.fault as Error).message, /^The hook "token_response" returned/);
});
