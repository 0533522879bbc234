/** Device logins as the device sees them: the endpoint, the polls and the tokens (RFC 8628 §3). */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { memoryStore } from "../../../src/mod.ts";
import { assertTokens } from "../oauth/refusals.ts";
import { createUserCode } from "../../../src/server/features/device_login/user_code.ts";
import { inTurn } from "../../in_turn.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { assertRefused } from "../tokens/bearer.ts";
import { createProofKey, signProof } from "../tokens/dpop.ts";
import { createBrowser, createWorld, inWorld, type Params, type WorldOptions } from "../../world.ts";
import {
  answer,
  begin,
  beginAt,
  deviceClients,
  deviceGrantType,
  deviceOptions,
  poll,
  pollFor,
} from "./device_login.ts";

const pending = "400 authorization_pending device_login_pending";
const tooEarly = "400 slow_down device_poll_too_early";

const it = testInWorld(deviceOptions);

test("device login: a user code that another login has is never given, nor is its login changed (RFC 8628 §6.1)", async () => {
  const store = memoryStore();
  let refused = 0;
  const taken: typeof store = {
    ...store,
    put: (table, id, value, terms) =>
      table.name === "user_code" && refused++ < 2
        ? Promise.resolve(undefined)
        : store.put(table, id, value, terms),
  };
  await inWorld({ ...deviceOptions, store: taken }, async (world) => {
    const { user_code: userCode } = await begin(world);
    assertEquals(refused, 3);
    assertEquals((await world.get(`/device?user_code=${userCode}`)).status, 200);
  });
});

it("device login: the response has the codes, the addresses, the lifetime and the interval (RFC 8628 §3.2)", async (world) => {
  const response = await beginAt(world);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  const { device_code, user_code, ...rest } = await response.json();
  assertMatch(device_code, /^[\w-]{22}\.[\w-]{43}$/);
  assertMatch(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assertEquals(rest, {
    verification_uri: "https://as.test/device",
    verification_uri_complete: `https://as.test/device?user_code=${user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const other = await begin(world);
  assertNotEquals(other.device_code, device_code);
  assertNotEquals(other.user_code, user_code);
});

test("device login: all 20 letters of a user code are equally likely (RFC 8628 §6.1)", () => {
  const codeFrom = (...octets: readonly number[]) => {
    let at = 0;
    return createUserCode((count) => new Uint8Array(octets.slice(at, at += count)));
  };
  assertEquals(codeFrom(0, 1, 2, 3, 4, 5, 6, 7), "BCDFGHJK");
  assertEquals(codeFrom(19, 20, 39, 40, 219, 220, 238, 239), "ZBZBZBXZ");
  // The octets from 240 would make the first letters likelier.
  assertEquals(codeFrom(240, 0, 255, 1, 250, 2, 245, 3, 4, 5, 6, 7, 8, 9, 10, 11), "BCDFGHJK");
});

it("device login: the device gets tokens once the person has approved (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world, { scope: "openid read" });
  assertEquals(await pollFor(world, codes), pending);
  const end = await answer(world, codes);
  assertEquals([end.status, end.leftFor], [200, undefined]);
  const tokens = await assertTokens(await poll(world, codes));
  assertEquals(
    Object.keys(tokens).sort().join(" "),
    "access_token expires_in id_token refresh_token scope token_type",
  );
  assertEquals(tokens["scope"], "openid read");
  const person = await world.get("/userinfo", { authorization: `Bearer ${tokens["access_token"]}` });
  assertEquals((await person.json()).sub, "alice");
  const refreshed = {
    grant_type: "refresh_token",
    refresh_token: `${tokens["refresh_token"]}`,
    client_id: "tv",
  };
  await assertTokens(await world.post("/oauth2/token", refreshed));
});

it("device login: a denial reaches the device (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world);
  await answer(world, codes, "deny");
  assertEquals(await pollFor(world, codes), "400 access_denied device_login_denied");
  assertEquals(await pollFor(world, codes), "400 access_denied device_login_denied");
});

it("device login: a poll that comes too early makes the interval 5 seconds longer for good (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world);
  const afterSeconds = async (seconds: number) => {
    world.clock.advance(seconds);
    return await pollFor(world, codes);
  };
  assertEquals(await afterSeconds(0), pending);
  assertEquals(await afterSeconds(5), pending);
  assertEquals(await afterSeconds(4), tooEarly);
  assertEquals(await afterSeconds(5), tooEarly);
  assertEquals(world.lastRefusal()?.expected, "the next poll in 15 s");
  assertEquals(await afterSeconds(15), pending);
  assertEquals(await afterSeconds(10), tooEarly);
  assertEquals(await afterSeconds(20), pending);
  // Timers are not exact.
  assertEquals(await afterSeconds(19.5), pending);
  assertEquals(await afterSeconds(19.25), tooEarly);
});

it("device login: of two simultaneous polls, one comes too early (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world);
  const responses = await Promise.all([poll(world, codes), poll(world, codes)]);
  const errors = await Promise.all(responses.map(async (each) => (await each.json()).error));
  assertEquals(errors.sort(), ["authorization_pending", "slow_down"]);
});

it("device login: a clock that is set back refuses no poll", async (world) => {
  const codes = await begin(world);
  assertEquals(await pollFor(world, codes), pending);
  world.clock.advance(-3600);
  assertEquals(await pollFor(world, codes), pending);
  world.clock.advance(5);
  assertEquals(await pollFor(world, codes), pending);
});

it("device login: an approval waits for no interval", async (world) => {
  const codes = await begin(world);
  assertEquals(await pollFor(world, codes), pending);
  await answer(world, codes);
  assertEquals(await pollFor(world, codes), "tokens");
});

it("device login: an expired code gets expired_token, also after an approval (RFC 8628 §3.5)", async (world) => {
  const [codes, approved] = [await begin(world), await begin(world)];
  await answer(world, approved);
  world.clock.advance(599);
  assertEquals(await pollFor(world, codes), pending);
  world.clock.advance(1);
  for (const each of [codes, approved]) {
    assertEquals(await pollFor(world, each), "400 expired_token device_code_expired");
  }
  assertEquals(world.lastRefusal()?.received, "after 10 min");
  // The server forgets the code ten minutes later.
  world.clock.advance(599);
  assertEquals(await pollFor(world, codes), "400 expired_token device_code_expired");
  world.clock.advance(1);
  assertEquals(await pollFor(world, codes), "400 invalid_grant device_code_unknown");
});

test("device login: lifetimes.deviceCode is the lifetime of the codes", async () => {
  for (const seconds of [120, 1800]) {
    await inWorld({ ...deviceOptions, lifetimes: { deviceCode: seconds } }, async (world) => {
      const codes = await begin(world);
      assertEquals(codes.expires_in, seconds);
      world.clock.advance(seconds - 0.1);
      assertEquals(await pollFor(world, codes), pending);
      world.clock.advance(0.1);
      assertEquals(await pollFor(world, codes), "400 expired_token device_code_expired");
    });
  }
});

it("device login: a used code gets invalid_grant, and its tokens stay valid (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world, { scope: "openid" });
  await answer(world, codes);
  const { access_token } = await assertTokens(await poll(world, codes));
  assertEquals(await pollFor(world, codes), "400 invalid_grant device_code_used");
  const person = await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
  assertEquals(person.status, 200);
});

test("device login: a code of another client, a changed and an invented one get invalid_grant (RFC 8628 §3.4)", () =>
  inWorld({
    ...deviceOptions,
    clients: [...deviceOptions.clients!, { client_id: "other", grant_types: [deviceGrantType] }],
  }, async (world) => {
    const codes = await begin(world);
    await answer(world, codes);
    const foreign = await pollFor(world, codes, { client_id: "other" });
    assertEquals(foreign, "400 invalid_grant device_code_of_another_client");
    const [id] = codes.device_code.split(".");
    for (const device_code of [`${id}.${"A".repeat(43)}`, "invented", codes.user_code]) {
      assertEquals(await pollFor(world, codes, { device_code }), "400 invalid_grant device_code_unknown");
      assert(!JSON.stringify(world.journal.at(-1)?.facts).includes(device_code));
    }
    assertEquals(await pollFor(world, codes), "tokens");
  }));

test("device login: scope and resource are checked as in an authorization request (RFC 8628 §3.1)", () =>
  inWorld(
    { ...deviceOptions, scopes: { read: "Read" }, resources: ["https://api.example"] },
    async (world) => {
      const rows: readonly (readonly [changed: Params, expected: string])[] = [
        [{ scope: "write" }, "400 invalid_scope scope_unknown"],
        [{ resource: "https://other.example" }, "400 invalid_target resource_unknown"],
        [{ prompt: "none" }, "400 invalid_request device_prompt_none"],
        [{ request: "a.b.c" }, "400 request_not_supported parameter_unsupported"],
        [{ scope: ["read", "read"] }, "400 invalid_request repeated_parameter"],
      ];
      for (const [changed, expected] of rows) await assertRefused(world, beginAt(world, changed), expected);
    },
  ));

it("device login: a poll narrows scope and resource, and gets no more than the person approved (RFC 6749 §3.3, RFC 8707 §2.2)", async (world) => {
  const [one, two] = ["https://one.example/", "https://two.example/"] as const;
  const codes = await begin(world, { scope: "read write", resource: [one, two] });
  await answer(world, codes);
  const rows: readonly (readonly [changed: Params, refused: string])[] = [
    [{ scope: "read admin" }, "400 invalid_scope scope_not_granted"],
    [{ resource: "https://other.example/" }, "400 invalid_target resource_not_granted"],
  ];
  for (const [changed, refused] of rows) {
    assertEquals(await pollFor(world, codes, changed), refused);
    // The developer sees what the person approved, beside what the poll asks for.
    const { subject, scope, resource } = world.journal.at(-1)!.facts;
    assertEquals([subject, scope, resource], ["alice", ["read", "write"], [one, two]], refused);
  }
  const tokens = await assertTokens(await poll(world, codes, { scope: "read", resource: two }));
  const { scope, aud } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([tokens["scope"], scope, aud], ["read", "read", two]);
});

/** Each row: what changes between the approval and the poll, and what the poll then gets. */
const changes: readonly (readonly [what: string, options: WorldOptions, outcome: string])[] = [
  ["the client loses a scope", { clients: [{ ...deviceClients[0]!, scope: "read" }] }, "read"],
  ["the server loses a scope", { scopes: { read: "Read" } }, "read"],
  [
    "the person is disabled",
    { people: [{ username: "alice", disabled: true }] },
    "400 invalid_grant device_grant_ended",
  ],
];

for (const [what, options, outcome] of changes) {
  test(`device login: a poll gets what is left if ${what} after the approval (RFC 8628 §3.5)`, () =>
    inTurn(deviceOptions, async (open) => {
      const before = await open();
      const codes = await begin(before, { scope: "read write" });
      await answer(before, codes);
      const world = await open(options);
      const response = await poll(world, codes);
      const { error, scope } = await response.json();
      const refused = `${response.status} ${error} ${world.lastRefusal()?.reason}`;
      assertEquals(response.status === 200 ? scope : refused, outcome);
    }));
}

it("device login: a request that is longer than a URL may be is refused (RFC 8628 §3.1)", async (world) => {
  const asked = beginAt(world, { more: "x".repeat(17_000) });
  await assertRefused(world, asked, "413 invalid_request request_too_long");
});

it("device login: only a client whose grant_types name the device code may begin one (RFC 10027)", async (world) => {
  const response = await beginAt(world, { client_id: "public" });
  assertEquals([response.status, (await response.json()).error], [400, "unauthorized_client"]);
  const refusal = world.lastRefusal();
  assertEquals(refusal?.reason, "device_login_not_for_client");
  assertEquals(JSON.parse(refusal!.remedy!), {
    clients: [{
      client_id: "public",
      grant_types: ["authorization_code", "refresh_token", deviceGrantType],
    }],
  });
});

it("device login: a DPoP proof binds the device code to its key (RFC 9449 §5)", async (world) => {
  const [key, other] = [await createProofKey(), await createProofKey()];
  const url = `${world.issuer}/oauth2/device_authorization`;
  const codes = await begin(world, {}, { dpop: await signProof(key, world, { url }) });
  await answer(world, codes);
  assertEquals(await pollFor(world, codes), "400 invalid_grant key_unproven");
  const differs = await poll(world, codes, {}, { dpop: await signProof(other, world) });
  assertEquals([differs.status, world.lastRefusal()?.reason], [400, "key_differs"]);
  const tokens = await assertTokens(await poll(world, codes, {}, { dpop: await signProof(key, world) }));
  assertEquals(tokens["token_type"], "DPoP");
});

it("device login: a request that names one key and proves another is refused (RFC 9449 §10)", async (world) => {
  const [key, other] = [await createProofKey(), await createProofKey()];
  const url = `${world.issuer}/oauth2/device_authorization`;
  const dpop = await signProof(key, world, { url });
  const response = await beginAt(world, { dpop_jkt: other.thumbprint }, { dpop });
  assertEquals([response.status, world.lastRefusal()?.reason], [400, "device_key_differs"]);
  const codes = await begin(world, { dpop_jkt: key.thumbprint });
  assertEquals(await pollFor(world, codes), "400 invalid_grant key_unproven");
});

test("device login: the sector of a client with pairwise subjects is checked (OpenID Connect Core §8.1)", () =>
  inWorld({
    clients: [{
      client_id: "tv",
      grant_types: [deviceGrantType],
      redirect_uris: ["https://app.example/cb"],
      subject_type: "pairwise",
      sector_identifier_uri: "https://sector.example/uris.json",
    }],
    fetch: () => Promise.resolve(Response.json(["https://other.example/cb"])),
  }, async (world) => {
    const response = await beginAt(world);
    assertEquals([response.status, world.lastRefusal()?.reason], [400, "sector_unverified"]);
  }));

it("device login: all entries of one login have the same flow in the journal, and no code", async (world) => {
  const codes = await begin(world);
  const browser = createBrowser(world);
  await pollFor(world, codes);
  await answer(world, codes, "approve", browser);
  await pollFor(world, codes);
  const flows = world.journal.flatMap(({ facts, request }) =>
    request.path === "/device" || request.method === "GET" && request.query === "" ? [] : [facts.flow]
  );
  assertEquals(new Set(flows).size, 1, flows.join());
  assertEquals(flows[0], codes.device_code.split(".")[0]);
  const facts = JSON.stringify(world.journal.map((entry) => entry.facts));
  for (const code of [codes.user_code, codes.device_code]) assert(!facts.includes(code));
});

test("device login: the store has no code, only hashes (RFC 8628 §5.2)", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...deviceOptions, store });
  const codes = await begin(world);
  await answer(world, codes);
  const secrets = [codes.device_code.split(".")[1]!, codes.user_code, codes.user_code.replace("-", "")];
  for (const name of ["device_request", "user_code", "grant", "device_polls"]) {
    for await (const entry of store.list!({ name })) {
      for (const secret of secrets) assert(!JSON.stringify(entry).includes(secret), name);
    }
  }
});
