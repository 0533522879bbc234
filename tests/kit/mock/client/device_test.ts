/** The test kit plays a device, and the person who answers its login (RFC 8628). */

import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import * as client from "openid-client";
import { createMock, type Mock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

const tv = { client_id: "tv", grant_types: [deviceGrantType, "refresh_token"] } as const;

/** Begins a device login with a foreign client. */
async function begin(as: Mock, clientId = "tv") {
  const config = await client.discovery(new URL(as.issuer), clientId, undefined, client.None(), {
    [client.customFetch]: as.fetch as client.CustomFetch,
  });
  const codes = await client.initiateDeviceAuthorization(config, { scope: "openid read" });
  return {
    codes,
    poll: () => client.genericGrantRequest(config, deviceGrantType, { device_code: codes.device_code }),
  };
}

async function pollFor(poll: () => Promise<unknown>): Promise<string> {
  try {
    await poll();
    return "tokens";
  } catch (error) {
    return (error as client.ResponseBodyError).error;
  }
}

async function withMock(options: MockOptions, work: (as: Mock) => Promise<void>): Promise<void> {
  await using as = await createMock({ alg: "ES256", ...options });
  await work(as);
}

const it = testIn<[Mock]>((work) => withMock({ clients: [tv] }, work));

it("approveDevice: the poll of a foreign client gets tokens once a test has approved (RFC 8628 §3.5)", async (as) => {
  const { codes, poll } = await begin(as);
  assertEquals(await pollFor(poll), "authorization_pending");
  await as.approveDevice(codes.user_code.toLowerCase().replace("-", " "), "bob");
  const tokens = await poll();
  assertEquals(tokens.claims()?.sub, "bob");
});

it("approveDevice: a denial reaches the device (RFC 8628 §3.5)", async (as) => {
  const { codes, poll } = await begin(as);
  await as.approveDevice(codes.user_code, { deny: true });
  assertEquals(await pollFor(poll), "access_denied");
  await assertReason(() => as.approveDevice(codes.user_code, "alice"), "already_denied");
});

it("approveDevice: a wrong, a used and an expired code are errors with a reason (RFC 8628 §3.3)", async (as) => {
  await assertReason(() => as.approveDevice("BBBB-BBBB"), "user_code_wrong");
  const used = await begin(as);
  await as.approveDevice(used.codes.user_code);
  await assertReason(() => as.approveDevice(used.codes.user_code), "already_approved");
  const late = await begin(as);
  as.clock.advance("11m");
  await assertReason(() => as.approveDevice(late.codes.user_code), "user_code_expired");
  const empty = 'Cannot approve a device: expected the user_code that the device shows, but got ""';
  await assertRejects(() => as.approveDevice(""), TypeError, empty);
  const unknown = "There is no person mallory";
  await assertRejects(() => as.approveDevice("BBBB-BBBB", "mallory"), TypeError, unknown);
});

test("approveDevice: automatic sign-in and nextSignIn approve no device (RFC 8628 §5.4)", () =>
  withMock({ clients: [tv], login: "auto" }, async (as) => {
    const { codes, poll } = await begin(as);
    as.nextSignIn("bob");
    const form = new URLSearchParams({ user_code: codes.user_code });
    const url = `${as.issuer}/oauth2/device_verification`;
    const typed = await as.fetch(url, { method: "POST", body: form, redirect: "manual" });
    // To the first page.
    assertEquals(typed.status, 303);
    assertEquals(await pollFor(poll), "authorization_pending");
    await as.approveDevice(codes.user_code, "alice");
    as.clock.advance("5s");
    assertEquals((await poll()).claims()?.sub, "alice");
  }));

it("login: a device shows a code, a person approves it, and the poll gets tokens (RFC 8628 §3)", async (as) => {
  const tokens = await as.login("bob", {
    device: true,
    scope: "openid read",
    resource: "https://api.test",
  });
  assertEquals([tokens.claims?.sub, tokens.scope], ["bob", "openid read"]);
  assertEquals((await as.refresh(tokens)).scope, "openid read");
  const requests = [...as.requests];
  assertEquals(requests.map(({ endpoint }) => endpoint), [
    "device_authorization",
    "device_verification",
    ...["token", "token"],
  ]);
  assertEquals(new Set(requests.map(({ flow }) => flow)).size, 1);
  await as.endSession(tokens);
});

it("login: a device asks for each resource of the terms (RFC 8707 §2)", async (as) => {
  const resource = ["https://one.test", "https://two.test"];
  const { access_token } = await as.login("bob", { device: true, resource });
  assertEquals(decodeJwt(access_token).aud, resource);
});

test("login: a device of a mock without clients is an unknown client, which first use accepts", () =>
  withMock({}, async (as) => {
    assertEquals((await as.login("alice", { device: true, scope: "openid" })).claims?.aud, "my-device");
    const again = await as.login("alice", { device: true, client: "cli", scope: "openid" });
    assertEquals(again.claims?.aud, "cli");
  }));

it("login: the token of a device is bound to its key (RFC 9449 §10)", async (as) => {
  const tokens = await as.login("alice", { device: true, dpop: true });
  assertEquals(tokens.token_type, "DPoP");
  assertEquals((await as.refresh(tokens)).token_type, "DPoP");
});

it("login: a person denies the device, and deny needs no person", async (as) => {
  await assertRejects(() => as.login("mallory", { device: true }), TypeError, "There is no person mallory");
  await assertReason(() => as.login("alice", { device: true, deny: true }), "device_login_denied");
  for (const { username } of as.people.all) as.people.remove(username);
  await assertReason(() => as.login(undefined, { device: true, deny: true }), "device_login_denied");
});

test("login: a device has no redirect, so the terms of one are refused", () =>
  withMock({ clients: [tv, { client_id: "app", redirect_uris: ["https://app.test/cb"] }] }, async (as) => {
    const wrong = { redirectUri: "https://app.test/cb", pushed: true, signed: false, responseMode: "jwt" };
    for (const [name, value] of Object.entries(wrong)) {
      const login = () => as.login("alice", { device: true, [name]: value });
      await assertRejects(login, TypeError, `Cannot log in on a device with ${name}`);
    }
    const refused = () => as.login("alice", { device: true, client: "app" });
    await assertReason(refused, "device_login_not_for_client");
    const unknown = () => as.login("alice", { device: true, client: "none" });
    await assertRejects(unknown, TypeError, "no client none");
  }));

test("login: without a client for devices, the error says how to add one", () =>
  withMock({ clients: [] }, async (as) => {
    const login = () => as.login("alice", { device: true });
    await assertRejects(login, TypeError, "No client may log in on a device");
  }));

async function assertReason(work: () => Promise<unknown>, reason: string): Promise<void> {
  const error = await assertRejects(work, Refused);
  assertEquals(error.reason, reason);
}
