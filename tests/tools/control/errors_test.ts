/** Errors of the control plane: the place of the mistake and the expected value, without secrets. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readQuery } from "../../../src/tools/control/read_request.ts";
import { controlRoutes } from "../../../src/tools/control/routes.ts";
import { suggestMember, suggestSegment } from "../../../src/tools/control/suggest.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: JSON may be nested 100 deep, and brackets in strings do not count", async ({ ask }) => {
  for (const [open, close] of [['{"a":', "}"], ["[", "]"]] as const) {
    const hook = (depth: number) => {
      const patch = `{"a":${open.repeat(depth - 2)}1${close.repeat(depth - 2)}}`;
      return ask("POST", "/hooks", { body: `{"name":"userinfo","patch":${patch}}` });
    };
    assertEquals((await hook(100)).status, 201, open);
    for (const depth of [101, 90_000]) {
      const answer = await hook(depth);
      assertEquals([answer.status, answer.body.error, answer.body.expected], [
        400,
        "invalid_request",
        "must be nested 100 deep or less",
      ]);
    }
  }
  const claims = { nickname: `\\"${"[".repeat(500)}` };
  assertEquals((await ask("POST", "/people", { body: { username: "carol", claims } })).status, 201);
});

it("control: an error about a body that is not JSON does not quote it", async ({ ask }) => {
  for (const body of ["canary", '{"password": canary}', '{"password": "canary', '{"a": 1} canary']) {
    const answer = await ask("POST", "/login", { body });
    assertEquals([answer.status, answer.body.error], [400, "invalid_request"]);
    assert(!JSON.stringify(answer.body).includes("canary"), JSON.stringify(answer.body));
  }
});

it("control: an error about a body or a query has the place, and the call changes nothing", async ({ ask, as }) => {
  const attempts: readonly (readonly [path: string, body: unknown, place: string, expected: RegExp])[] = [
    ["/login", { user: "bob" }, "user", /^must be one of username, client, /],
    ["/people", { claims: {} }, "username", /^must be a string$/],
    ["/hooks", { name: "jwt", patch: { alg: "none" } }, "patch.alg", /^must be one of header, claims$/],
    ["/gates", { endpoint: "token", kind: "delay" }, "by", /^a duration: /],
    ["/gates", { endpoint: "token", kind: "hold", by: 1 }, "by", /^no by, or the kind "delay"$/],
    ["/gates", { endpoint: "token", kind: "drop", status: 500 }, "status", /^no status, or the kind "fail"$/],
    ["/gates", { endpoint: "token", kind: "hold", retryAfter: 1 }, "retryAfter", /or the kind "fail"$/],
  ];
  for (const [path, body, place, expected] of attempts) {
    const answer = await ask("POST", path, { body });
    assertEquals(
      [answer.status, answer.body.error, answer.body.place],
      [400, "invalid_request", place],
      path,
    );
    assertMatch(answer.body.expected, expected);
  }
  const one = await ask("POST", "/clock", { body: { advance: 1, skew: 1 } });
  assertEquals(one.body.expected, "exactly one of advance, set, freeze, resume, skew");
  const unread = await ask("POST", "/clock", { body: { advance: "soon" } });
  assertMatch(unread.body.error_description, /^Cannot read a duration: .*but got "soon"$/);
  assert(unread.body.error_description.includes(`: expected ${unread.body.expected}, but got`));
  assertEquals(
    (await ask("POST", "/login", { body: [] })).body.error_description,
    'the body must be an object, not an array: for example { "username": "bob", "scope": "openid offline_access" }',
  );
  for (
    const type of [
      "text/plain",
      "application/jsonp",
      "application/json;a",
      "application/a.b+json; c=d",
      "Application/JSON",
    ]
  ) {
    const form = await ask("POST", "/reset", { body: "{}", headers: { "content-type": type } });
    assertEquals(form.body.place, /json;|json$/i.test(type) ? undefined : "Content-Type", type);
  }
  const twice = await ask("POST", "/login", { body: { username: "bob", person: "alice" } });
  assertEquals([twice.status, twice.body.place], [400, "person"]);
  // where no member means a person, the name stays as it came
  const nowhere = await ask("POST", "/gates", { body: { endpoint: "token", kind: "hold", person: "bob" } });
  assertEquals([nowhere.status, nowhere.body.place], [400, "person"]);
  for (const [length, status] of [[1_000_000, 400], [1_000_001, 413]] as const) {
    assertEquals((await ask("POST", "/login", { body: `"${"x".repeat(length - 2)}"` })).status, status);
  }
  const coded = await ask("POST", "/login", { body: "{}", headers: { "content-encoding": "gzip" } });
  assertEquals([coded.status, coded.body.error_description], [
    400,
    "The body must be JSON in UTF-8, complete and without a content coding",
  ]);
  const members = await ask("POST", "/reset", { body: { people: true } });
  assertEquals([members.status, members.body.place, members.body.expected], [
    400,
    "people",
    "must be left out",
  ]);
  for (const body of [{}, null]) assertEquals((await ask("POST", "/reset", { body })).status, 204);
  assertEquals((await ask("POST", "/login", { body: null })).status, 400);
  const queries = ["wait=31", "raw=yes", "endpoint=x", "after=", "wait=1&wait=2", "now=1"];
  for (const query of queries) {
    const answer = await ask("GET", `/requests?${query}`);
    assertEquals([answer.status, answer.body.place], [400, `?${query.split("=")[0]}`], query);
  }
  const { body: missing } = await ask("POST", "/people", { body: { claims: {} } });
  assertEquals(missing.error_description, "username is required");
  assertEquals([as.requests.length, as.people.all.length, as.clients.all.length], [0, 2, 2]);
});

test("control: a query takes true and false for what is on or off", () => {
  const flags = controlRoutes.flatMap((route) =>
    Object.entries(route.query?.properties ?? {}).filter(([, { type }]) => type === "boolean")
      .map(([name]) => ({ route, name }))
  );
  assert(flags.length > 0);
  for (const { route, name } of flags) {
    for (const value of [true, false]) {
      assertEquals([route.name, readQuery(`${name}=${value}`, route)], [route.name, { [name]: value }]);
    }
  }
});

it("control: an error about a wrong name of a member suggests the right one, also beside a token", async ({ ask }) => {
  const { body: tokens } = await ask("POST", "/login", { body: { username: "bob" } });
  const attempts: readonly (readonly [path: string, body: object, right: string])[] = [
    ["/next_sign_in", { user: "bob" }, "username"],
    ["/next_sign_in", { sub: "bob" }, "username"],
    ["/gates", { endpoint: "token", kind: "delay", duration: "1s" }, "by"],
    ["/clock", { unfreeze: true }, "resume"],
    ["/hooks", { hook: "id_token", patch: {} }, "name"],
    ["/login", { name: "bob" }, "username"],
    ["/clients", { client_id: "shop", secret: "s" }, "client_secret"],
    ["/mint", { audience: "https://api.test" }, "resource"],
    ["/forge", { forgery: "expired" }, "name"],
    ["/gates", { name: "token", kind: "hold" }, "endpoint"],
    ["/refresh", { refresh_tokn: tokens.refresh_token }, "refresh_token"],
    ["/end_session", { token: tokens.id_token }, "id_token"],
  ];
  for (const [path, body, right] of attempts) {
    const { status, body: problem } = await ask("POST", path, { body });
    assertEquals([status, problem.error], [400, "invalid_request"], path);
    assertEquals(problem.error_description, `${problem.place} is not known: did you mean ${right}?`);
    assert(Object.hasOwn(body, problem.place), problem.place);
    assertMatch(problem.expected, new RegExp(`\\b${right}\\b`));
  }
  assertEquals((await ask("GET", "/requests?raw=1")).body.expected, "must be true or false");
  const { body: query } = await ask("GET", "/timeline?format=har");
  assertEquals(query.error_description, "?format is not known: did you mean form?");
  // A refused call has no effect.
  assertEquals((await ask("POST", "/refresh", { body: tokens })).status, 200);
});

it("control: an error about an unknown person or client says how to add one, in HTTP", async ({ ask, as }) => {
  await ask("POST", "/tenants/acme");
  const url = authorizeUrl(origin);
  const person = { username: "zed" };
  const missing: readonly (readonly [path: string, body: unknown])[] = [
    ["/login", person],
    ["/authorize", { url, ...person }],
    ["/next_sign_in", person],
    ["/mint", person],
  ];
  for (const [path, body] of missing) {
    const answer = await ask("POST", path, { body });
    assertEquals([answer.status, answer.body], [400, {
      error: "invalid_request",
      error_description: 'There is no person "zed": known are alice, bob. ' +
        'Add one with POST /_postern/people {"username":"zed"}',
      place: "username",
      expected: "must be one of alice, bob",
    }], path);
  }
  const misspelt = await ask("POST", "/login", { body: { username: "alic" } });
  assertMatch(misspelt.body.error_description, /: known are alice, bob\. Did you mean alice\? Add one /);
  const added = 'POST /_postern/tenants/acme/clients {"client_id":"my-app","redirect_uris":';
  for (const path of ["/login", "/mint"]) {
    const answer = await ask("POST", `/tenants/acme${path}`, { body: { client: "my-app" } });
    assert(answer.body.error_description.includes(added), answer.body.error_description);
    assertEquals([answer.body.place, answer.body.expected], [
      "client",
      "must be one of app, app-confidential",
    ]);
  }

  // Following the advice works.
  const advice = (await ask("POST", "/login", { body: { client: "my-app" } })).body.error_description;
  const [, path, body] = /Add one with POST \/_postern(\S+) (.*)$/.exec(advice) ?? [];
  assertEquals((await ask("POST", path!, { body: body! })).status, 201);
  assertEquals((await ask("POST", "/login", { body: { client: "my-app" } })).status, 200);

  // A device has no redirect URI, so it cannot be chosen for a login.
  const device = { client_id: "tv", grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] };
  for (const { client_id } of as.clients.all) as.clients.remove(client_id);
  as.clients.add(device);
  const unchosen = await ask("POST", "/login", { body: {} });
  assertEquals([unchosen.body.place, unchosen.body.expected], ["client", "must be one of tv"]);
  for (const { username } of as.people.all) as.people.remove(username);
  const nobody = await ask("POST", "/authorize", { body: { url } });
  assertEquals(nobody.body.expected, "a person that was added before");
  assertMatch(
    nobody.body.error_description,
    /^No people are configured\. Add one with POST \/_postern\/people \{"username":"alice"\}$/,
  );
});

it("control: the URL of another tenant of the provider is refused with the option that names it", async ({ ask, as }) => {
  using _like = as.lookLike("entra");
  const base = "https://login.microsoftonline.com";
  const send = async (path: string) =>
    (await ask("POST", "/authorize", {
      body: { url: `${base}/${path}/oauth2/v2.0/authorize?client_id=app` },
    }))
      .body.expected;
  assertMatch(
    await send("8eaef023-2b34-4da1-9baa-8bc8c9d6a490"),
    /^must be an authorization endpoint that the look-alike has, not https:\/\/login\S+\/authorize\. .* name its host and path: .* --like-host$/,
  );
  const elsewhere = await ask("POST", "/authorize", { body: { url: "https://evil.test/authorize" } });
  assertEquals(elsewhere.body.expected.includes("--like-host"), false);
});

it("control: errors of the kit are worded for HTTP, and have the place", async ({ ask }) => {
  const foreign = "https://evil.test/oauth2/authorize?client_id=app&state=secret";
  const minting = [["/mint", {}], ["/forge", { name: "access_token.issuer_wrong" }]] as const;
  const attempts: readonly (readonly [path: string, body: unknown, place: string, expected: RegExp])[] = [
    [
      "/authorize",
      { url: foreign },
      "url",
      /^must be below https:\/\/as\.test\/, or at a host of a look-alike that is on \(--like NAME, /,
    ],
    [
      "/clock",
      { freeze: false },
      "freeze",
      /^must be true for the current time, or seconds since 1970 as a number, or text /,
    ],
    ["/clock", { set: 1_893_456_000_000 }, "set", /^a time from 1970 to 5138$/],
    ["/gates", { endpoint: "token", kind: "delay", by: "soon" }, "by", /^seconds as a number, or text /],
    ["/login", { scope: 7 }, "scope", /^must be a string or an array of strings$/],
    ...minting.map(([path, named]) =>
      [
        path,
        { ...named, expiresIn: 0.999 },
        "expiresIn",
        /^must be at least one second: use \/expire or /,
      ] as const
    ),
  ];
  for (const [path, body, place, expected] of attempts) {
    const answer = await ask("POST", path, { body });
    const shown = JSON.stringify([path, body, answer.body]);
    assertEquals(
      [answer.status, answer.body.error, answer.body.place],
      [400, "invalid_request", place],
      shown,
    );
    assertMatch(answer.body.expected, expected);
    assert(!/\bas\.(?!test)|\bDate\b|\{ \w+: |secret/.test(answer.body.error_description), shown);
  }
  await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
  assertMatch(
    (await ask("POST", "/login", { body: {} })).body.error_description,
    /^The response is lost: a drop cut /,
  );
  for (const path of ["/refresh", "/revoke"]) {
    const unknown = await ask("POST", path, { body: { token: "canary" } });
    assertEquals([unknown.status, unknown.body], [400, {
      error: "invalid_request",
      error_description: "This server does not know the token, so it cannot tell which client received it",
      place: "client",
      expected: "a token that this server issued, or in client one of app, app-confidential",
    }], path);
  }
  for (const [path, named] of minting) {
    const both = await ask("POST", path, { body: { ...named, username: "bob", withoutPerson: true } });
    assertEquals([both.status, both.body.place, both.body.expected], [
      400,
      "withoutPerson",
      "either username, or withoutPerson set to true",
    ]);
  }
  const decision = "The next sign-in needs one decision";
  const unclear = [
    ["/revoke", {}, "There is no token to revoke"],
    ["/expire", {}, "There is no token to expire"],
    ["/expire", { refresh_token: "a", id_token: "b" }, "There is no token to expire"],
    ["/next_sign_in", {}, decision],
    ["/next_sign_in", { username: "bob", deny: true }, decision],
  ] as const;
  for (const [path, body, told] of unclear) {
    const answer = await ask("POST", path, { body });
    assertEquals([answer.status, answer.body.error_description], [400, told], path);
  }
});

it("control: an error about an entry has the place in the body", async ({ ask }) => {
  const bad = { client_id: "bad", redirect_uris: ["https://bad.test/cb", "http://bad.test/cb"] };
  const added = await ask("POST", "/clients", { body: bad });
  assertEquals([added.status, added.body.place], [400, "redirect_uris[1]"]);
  assertMatch(added.body.error_description, /^Cannot add to clients: redirect_uris\[1\] must be https/);
  const subject = await ask("PATCH", "/people/bob", { body: { sub: "alice" } });
  assertEquals(subject.body.place, "sub");
  // The error is about another entry than the one in the body.
  await ask("POST", "/clients", { body: { ...bad, redirect_uris: [] } });
  for (const id of ["bad", "app-confidential"]) {
    const named = await ask("PATCH", `/clients/${id}`, { body: { client_id: "bob" } });
    assertEquals([named.status, named.body.place], [400, undefined]);
    assertMatch(
      named.body.error_description,
      /^Cannot change clients: \w+ of "bob" .*must not be the id of a client/,
    );
  }
});

const guessedMembers =
  "username: user user_name person as sub subject login_hint name; endpoint: name; client: client_id; " +
  "resource: audience aud; url: audience aud path; expiresIn: lifetime ttl; by: duration delay; advance: forward; " +
  "resume: unfreeze; client_secret: secret; name: forgery hook misbehaviour; result: outcome; id_token: token; form: format";
const guessedSegments =
  "gates: hold delay fail drop; hooks: on; clock: advance freeze skew; misbehaviours: misbehave verdict; " +
  "look_alikes: like look_like lookLike provider; people: user users person; tenants: tenant; " +
  "resources: api apis protect guard; end_session: logout sign_out signOut endSession; openapi.json: swagger openapi";

it("control: the names that callers guess lead to the right member or call, and others to none", async ({ ask }) => {
  for (
    const [suggest, all] of [[suggestMember, guessedMembers], [suggestSegment, guessedSegments]] as const
  ) {
    const rows = all.split("; ").map((each) => each.split(": ")).map(([right = "", guesses = ""]) => ({
      right,
      guesses: guesses.split(" "),
    }));
    const names = rows.map(({ right }) => right).reverse();
    for (const { right, guesses } of rows) {
      for (const guess of guesses) {
        assertEquals([guess, suggest(guess, ["x", right])], [guess, right]);
        // Of several names that fit, the first one in the list is meant.
        const first = rows.find((each) => each.guesses.includes(guess))!.right;
        if (!names.includes(guess)) assertEquals([guess, suggest(guess, names)], [guess, first]);
      }
    }
  }
  assertEquals((await ask("GET", "/a")).body.expected, undefined);
});
