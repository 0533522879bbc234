/** Which clients may begin a device login: by their metadata, by first use, by registration (RFC 8628 §3.1, RFC 10027). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore, type Store } from "../../../src/mod.ts";
import type { Settings } from "../../../src/server/oauth/contracts/settings.ts";
import { assertCode, assertTokens } from "../oauth/refusals.ts";
import { findById, readHtml } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { basic, createBrowser, inWorld, type Params, withoutClients, type World } from "../../world.ts";
import {
  answer,
  begin,
  beginAt,
  deviceGrantType,
  deviceOptions,
  openConsent,
  poll,
  pollFor,
} from "./device_login.ts";
import { clientId as documentId, createHost, documentOf, fetchFrom } from "./client_documents.ts";
import { register } from "./registration.ts";

const picker = { login: "picker" } as const;
const mine = { client_id: "my-cli" };
const pending = "400 authorization_pending device_login_pending";

async function refused(world: World, changed: Params): Promise<string> {
  const response = await beginAt(world, changed);
  return `${response.status} ${(await response.json()).error} ${world.lastRefusal()?.reason}`;
}

const it = testInWorld(picker, withoutClients);

it("device first use: an unknown id polls, and is a client once a person has approved it", async (world) => {
  const codes = await begin(world, mine);
  assertEquals(world.journal.at(-1)!.facts.clientId, mine.client_id);
  assertEquals(await pollFor(world, codes, mine), pending);
  const browser = createBrowser(world);
  const consent = await openConsent(browser, codes);
  assert(findById(readHtml(consent.html), "unverified") !== undefined);
  await browser.submit(consent, { decision: "approve" });
  const tokens = await assertTokens(await poll(world, codes, mine));
  assert(tokens["refresh_token"] !== undefined);
  // The second login of the same id.
  const again = await begin(world, mine);
  await answer(world, again);
  assertEquals(await pollFor(world, again, mine), "tokens");
  const rest = { ...mine, grant_type: "refresh_token", refresh_token: `${tokens["refresh_token"]}` };
  await assertTokens(await world.post("/oauth2/token", rest));
});

it("device first use: a denial stores no client", async (world) => {
  const codes = await begin(world, mine);
  await answer(world, codes, "deny");
  assertEquals(await pollFor(world, codes, mine), "400 access_denied device_login_denied");
  const home = await (await world.get("/")).text();
  assert(!home.includes("my-cli"));
});

test("device first use: when the client ends, its tokens end, also while another login of its id waits", async () => {
  const store = memoryStore();
  await withoutClients({ ...picker, store }, async (world) => {
    const codes = await begin(world, { ...mine, scope: "openid" });
    await answer(world, codes);
    const { access_token } = await assertTokens(await poll(world, codes, mine));
    const headers = { authorization: `Bearer ${access_token}` };
    assertEquals((await world.get("/userinfo", headers)).status, 200);
    await store.delete({ name: "client" }, "my-cli");
    assertEquals((await world.get("/userinfo", headers)).status, 401);
  });
});

test("device first use: a client that ends while its next login is approved becomes one again", async () => {
  const store = memoryStore();
  let isEnding = false;
  const get: Store["get"] = async (kind, id, now) => {
    const entry = await store.get(kind, id, now);
    if (isEnding && kind.name === "client") {
      isEnding = false;
      await store.delete(kind, id);
    }
    return entry;
  };
  const lifetimes = { refreshIdle: 600, accessToken: 60 };
  await withoutClients({ ...picker, lifetimes, store: { ...store, get } }, async (world) => {
    for (const ends of [false, true]) {
      // Afterwards, nothing that the first login got is valid.
      world.clock.advance(1200);
      const codes = await begin(world, mine);
      const browser = createBrowser(world);
      const consent = await openConsent(browser, codes);
      isEnding = ends;
      await browser.submit(consent, { decision: "approve" });
      assertEquals([isEnding, await pollFor(world, codes, mine)], [false, "tokens"]);
    }
  });
});

for (const learnsGrants of [[], [deviceGrantType]]) {
  const also = learnsGrants.length === 0 ? "" : ", also where one may get a redirect URI later";
  test(`device first use: two logins of a new id that are approved at once are of one client${also}`, () => {
    const interrupted = interruptedStore("put", "client");
    const changeSettings = (settings: Settings) => also === "" ? settings : { ...settings, learnsGrants };
    return withoutClients({ ...picker, changeSettings, store: interrupted.store }, async (world) => {
      const logins = [await begin(world, mine), await begin(world, mine)] as const;
      const secret = { ...mine, client_secret: "a secret" };
      interrupted.meanwhile = async () => {
        await answer(world, logins[1]);
        assertEquals(await pollFor(world, logins[1], secret), "tokens");
      };
      await answer(world, logins[0]);
      assertEquals(interrupted.meanwhile, undefined);
      const guess = { ...mine, client_secret: "a guess" };
      assertEquals(await pollFor(world, logins[0], guess), "401 invalid_client secret_wrong");
      assertEquals(await pollFor(world, logins[0], secret), "tokens");
    });
  });
}

it("device first use: the first redemption fixes the secret", async (world) => {
  const secret = { ...mine, client_secret: "a secret" };
  const codes = await begin(world, secret);
  assertEquals(await pollFor(world, codes, secret), pending);
  await answer(world, codes);
  assertEquals(await pollFor(world, codes, secret), "tokens");
  assertEquals(
    await refused(world, { ...mine, client_secret: "a guess" }),
    "401 invalid_client secret_wrong",
  );
  assertEquals(await refused(world, mine), "401 invalid_client secret_missing");
  assertEquals((await beginAt(world, secret)).status, 200);
});

test("device first use: a waiting id can still be used by a code flow first, which the login then respects", () =>
  withoutClients({ login: "picker" }, async (world) => {
    const codes = await begin(world, mine);
    const flow = { ...mine, redirect_uri: "http://127.0.0.1:4000/cb" };
    const browser = createBrowser(world);
    const consent = await browser.submit(await browser.open(world.authorizeUrl(flow)), { person: "alice" });
    const { leftFor } = await browser.submit(consent, { decision: "approve" });
    assertStringIncludes(leftFor!, "code=");
    const end = await openConsent(browser, codes);
    assertEquals([end.status, world.lastRefusal()?.reason], [400, "device_client_gone"]);
  }));

test("device first use: an id that a code flow made known is refused with the JSON to paste", () =>
  withoutClients({ login: "auto" }, async (world) => {
    const redirect_uri = "http://127.0.0.1:4000/cb";
    const code = assertCode(await world.authorize({ ...mine, redirect_uri }));
    await assertTokens(await world.redeem(code, { ...mine, redirect_uri }));
    assertEquals(await refused(world, mine), "400 unauthorized_client device_login_not_for_client");
    const { clients: [client], firstUse } = JSON.parse(world.lastRefusal()!.remedy!);
    assertEquals([firstUse, client.client_id, client.redirect_uris], [true, "my-cli", [redirect_uri]]);
    assert(client.grant_types.includes(deviceGrantType));
  }));

it("device first use: an id that a device login made known has no redirect URI", async (world) => {
  const codes = await begin(world, mine);
  await answer(world, codes);
  await assertTokens(await poll(world, codes, mine));
  const response = await world.authorize({ ...mine, redirect_uri: "http://127.0.0.1:4000/cb" });
  assertEquals([response.status, world.lastRefusal()?.reason], [400, "redirect_uri_none_registered"]);
});

it("device first use: only programs of this machine begin one for an unknown id", async (world) => {
  const from = async (peer: string) => {
    const body = new URLSearchParams({ client_id: `cli-of-${peer}` });
    const request = new Request(`${world.issuer}/oauth2/device_authorization`, { method: "POST", body });
    return (await world.fetch(request, { peer })).status;
  };
  assertEquals([await from("127.0.0.1"), await from("::1"), await from("::ffff:127.0.0.1")], [
    200,
    200,
    200,
  ]);
  assertEquals([await from("192.0.2.1"), await from("10.0.0.1")], [401, 401]);
});

it("device first use: a proxy on this machine forwards the requests of other machines", async (world) => {
  const body = new URLSearchParams(mine);
  const forwarded = (peer?: string) => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const request = new Request(`${world.issuer}/oauth2/device_authorization`, {
      method: "POST",
      body,
      headers,
    });
    return world.fetch(request, peer === undefined ? {} : { peer });
  };
  assertEquals([(await forwarded("127.0.0.1")).status, (await forwarded()).status], [401, 401]);
});

test("device first use: where it is off, an unknown id is refused", () =>
  withoutClients({ ...picker, firstUse: false }, async (world) => {
    assertEquals(await refused(world, mine), "401 invalid_client client_unknown");
  }));

it("device first use: a URL, and the sub of a person, are no ids of clients", async (world) => {
  assertEquals(await refused(world, { client_id: "alice" }), "401 invalid_client client_unknown");
  const response = await beginAt(world, { client_id: "https://cli.example/client.json" });
  assertEquals([400, 401].includes(response.status), true);
});

test("device first use: at most 100 logins of unknown ids wait, for ten minutes each", () =>
  withoutClients({ ...picker, lifetimes: { deviceCode: "30m" } }, async (world) => {
    const first = await begin(world, { client_id: "cli-0" });
    assertEquals(first.expires_in, 600);
    // A client that waits is still unknown.
    const again = await begin(world, { client_id: "cli-0", client_secret: "a secret" });
    assertEquals(again.expires_in, 600);
    world.clock.advance(60);
    for (let number = 2; number < 100; number++) await begin(world, { client_id: `cli-${number % 7}` });
    const full = await beginAt(world, { client_id: "cli-100" });
    assertEquals([full.status, full.headers.get("retry-after")], [429, "540"]);
    assertEquals(world.lastRefusal()?.reason, "too_many_waiting");
    world.clock.advance(540);
    await begin(world, { client_id: "cli-100" });
  }));

it("device first use: logins that wait do not block others after the clock is set back", async (world) => {
  for (let number = 0; number < 100; number++) await begin(world, { client_id: `cli-${number % 7}` });
  assertEquals((await beginAt(world, { client_id: "cli-100" })).status, 429);
  world.clock.advance(-3600);
  await begin(world, { client_id: "cli-100" });
});

test("device login: a registered client needs an initial access token and the grant type (RFC 7591 §3)", () =>
  inWorld({
    ...picker,
    issuer: "http://localhost:9000",
    registration: { open: true, initialAccessTokens: ["an-initial-access-token"] },
  }, async (world) => {
    const metadata = { grant_types: [deviceGrantType], token_endpoint_auth_method: "none" };
    const open = await register(world, metadata);
    assertEquals([open.status, open.body["error"]], [400, "invalid_client_metadata"]);
    const token = "an-initial-access-token";
    const { client_id } = (await register(world, metadata, { token })).body as { client_id: string };
    const codes = await begin(world, { client_id });
    await answer(world, codes);
    assertEquals(await pollFor(world, codes, { client_id }), "tokens");
  }));

test("device login: a client with a metadata document may not begin one, whatever the document says", () => {
  const host = createHost(documentOf({ grant_types: [deviceGrantType, "authorization_code"] }));
  return inWorld({ ...picker, clients: [], clientDocuments: true, fetch: fetchFrom(host) }, async (world) => {
    const response = await beginAt(world, { client_id: documentId });
    assertEquals([response.status, world.lastRefusal()?.reason], [400, "device_login_not_for_client"]);
  });
});

test("device login: unproven clients begin at most 300 logins a minute from one address", () =>
  inWorld(deviceOptions, async (world) => {
    const send = async (form: Readonly<Record<string, string>>, headers: HeadersInit = {}) => {
      const request = new Request(`${world.issuer}/oauth2/device_authorization`, {
        method: "POST",
        body: new URLSearchParams(form),
        headers,
      });
      return (await world.fetch(request, { peer: "192.0.2.1" })).status;
    };
    const sendUnproven = () => send({ client_id: "tv" });
    const sendProven = () => send({}, basic("gateway", "gateway secret"));
    // A proven client leaves the limit of the others as it is.
    assertEquals(await sendProven(), 200);
    for (let sent = 0; sent < 300; sent++) assertEquals(await sendUnproven(), 200);
    assertEquals([await sendUnproven(), world.lastRefusal()?.reason], [429, "too_many_device_logins"]);
    assertEquals(Object.fromEntries(world.journal.at(-1)!.response.headers)["retry-after"], "60");
    assertEquals(await sendProven(), 200);
    world.clock.advance(60);
    assertEquals(await sendUnproven(), 200);
  }));
