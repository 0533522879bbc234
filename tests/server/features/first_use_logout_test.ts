/** First use: where a sign-out leads the browser (RP-Initiated Logout §3), and what an id that changes its client gives. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import {
  createBrowser,
  createWorld,
  type Params,
  sampleKey,
  verifier,
  withoutClients,
  type World,
} from "../../world.ts";
import {
  assertRefused,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  type Tokens,
} from "../tokens/bearer.ts";

const logOutTo = (uri: string, more = "") =>
  `/connect/logout?client_id=my-app&post_logout_redirect_uri=${encodeURIComponent(uri)}${more}`;

const local = "http://localhost:3000/callback";
const below = "http://app.localhost:3000/cb";

/** The addresses after sign-out of a client with this redirect URI. */
const cases: Readonly<
  Record<string, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>
> = {
  [local]: {
    accepted: [
      "http://localhost:3000",
      "http://localhost:3000/signed-out?from=as",
      // The port of a loopback redirect URI may differ from one sign-in to the next.
      "http://localhost:51234/",
    ],
    refused: [
      "http://app.localhost:3000/",
      "http://127.0.0.1:3000/",
      "https://localhost:3000/",
      "http://localhost.evil.example/",
      "http://localhost:3000@evil.example/",
      "http://localhost:3000/#token",
      "http://localhost:99999/",
      "//localhost:3000/",
      "javascript:alert(1)",
      "com.example.app:/bye",
    ],
  },
  "http://127.0.0.1:49152/cb": { accepted: ["http://127.0.0.1:50777/bye"], refused: [] },
  [below]: {
    accepted: ["http://app.localhost:3000/bye"],
    refused: [
      "http://app.localhost:3001/bye",
      "http://localhost:3000/bye",
      "https://app.localhost:3000/bye",
    ],
  },
  "https://app.test/cb": {
    accepted: ["https://app.test/bye"],
    refused: ["https://app.test:8443/bye", "https://other.test/", "http://app.test/"],
  },
};

for (const [redirect_uri, { accepted, refused }] of Object.entries(cases)) {
  test(`first use: with ${redirect_uri} the sign-out leads to its origin, and nowhere else`, () =>
    withoutClients({ issuer: "https://as.test" }, async (world) => {
      for (const uri of accepted) {
        await world.code({ client_id: "my-app", redirect_uri });
        const response = await world.get(logOutTo(uri, "&state=s"));
        const state = uri.includes("?") ? "&state=s" : "?state=s";
        assertEquals([response.status, response.headers.get("location")], [303, uri + state]);
      }
      for (const uri of refused) {
        const expected = { error: "invalid_request", reason: "post_logout_uri_unregistered" };
        await assertRefusedOnPage(world, await world.get(logOutTo(uri, "&state=s")), expected);
        assertEquals(world.lastRefusal()?.expected, `an address at the origin of ${redirect_uri}`, uri);
      }
    }));
}

test("first use: an address after sign-out that contains a state is refused, because the answer adds one (OAuth 2.1 §2.3)", () =>
  withoutClients({}, async (world) => {
    await world.code({ client_id: "my-app", redirect_uri: local });
    for (const uri of ["http://localhost:3000/?state=1", "http://localhost:3000/?a=b&st%61te="]) {
      const response = await world.get(logOutTo(uri, "&state=s"));
      await assertRefusedOnPage(world, response, {
        error: "invalid_request",
        reason: "post_logout_uri_unregistered",
      });
      assertStringIncludes(world.lastRefusal()?.expected ?? "", "must not have the parameter state");
      assertEquals(world.lastRefusal()?.remedy, undefined);
    }
  }));

test("first use: the refusal of an address after sign-out shows the configuration that allows it", () =>
  withoutClients({}, async (world) => {
    await world.code({ client_id: "my-app", redirect_uri: local });
    const uri = "https://www.example.com/signed-out";
    const html = await (await world.get(logOutTo(uri))).text();
    const remedy: ServerOptions = JSON.parse(textOf(byId(readHtml(html), "remedy")));
    assertEquals(remedy.clients?.[0]?.post_logout_redirect_uris, [uri]);
    await withoutClients(remedy, async (configured) => {
      assertEquals((await configured.get(logOutTo(uri))).headers.get("location"), uri);
    });
  }));

test("first use: a configured client may continue at its registered address only, not anywhere at its origin", () => {
  const clients = [{
    client_id: "my-app",
    redirect_uris: [local],
    post_logout_redirect_uris: [`${local}/bye`],
  }];
  return withoutClients({ clients }, async (world) => {
    assertEquals((await world.get(logOutTo(`${local}/bye`))).status, 303);
    assertEquals((await world.get(logOutTo("http://localhost:3000/"))).status, 400);
    assertStringIncludes(world.lastRefusal()?.expected ?? "", `${local}/bye`);
    assertEquals(world.lastRefusal()?.remedy, undefined);
  });
});

const year = 365 * 24 * 3600;
const former = { client_id: "my-cli", redirect_uri: "http://127.0.0.1:4000/cb" };
const latter = { client_id: "my-cli", redirect_uri: "http://localhost:5000/elsewhere" };

async function approve(world: World, who: Params): Promise<string> {
  const browser = createBrowser(world);
  const params = { scope: "openid offline_access", ...who };
  const consent = await browser.submit(await browser.open(world.authorizeUrl(params)), { person: "alice" });
  const done = await browser.submit(consent, { decision: "approve" });
  return new URL(done.leftFor!).searchParams.get("code")!;
}

async function redeem(world: World, who: Params, code: string): Promise<Tokens> {
  return await readTokens(await world.redeem(code, who));
}

/** How the record of the former client ends. */
const endings:
  readonly (readonly [how: string, end: (world: World, forget: () => Promise<void>) => unknown])[] = [
    ["its thirty days are over", (world) => world.clock.advance(30 * 24 * 3600)],
    ["its record is deleted", (_world, forget) => forget()],
  ];

for (const [how, end] of endings) {
  test(`first use: when ${how} and another client takes the id, the former client's tokens and codes are dead`, async () => {
    const store = memoryStore();
    const options: ServerOptions = {
      alg: "ES256",
      signingKeys: [sampleKey],
      store,
      // No token expires during the test.
      lifetimes: {
        accessToken: year,
        idToken: year,
        session: year,
        refreshIdle: year,
        refreshAbsolute: year,
      },
    };
    await using world = createWorld(options, {});
    const old = await redeem(world, former, await approve(world, former));
    assertEquals(await opensUserinfo(world, old.access_token), true);
    const unused = await approve(world, former);

    await end(world, () => store.delete({ name: "client" }, "my-cli"));
    const next = await redeem(world, latter, await approve(world, latter));

    // Both are public clients with one id, so only the record tells them apart.
    const refreshed = refresh(world, old.refresh_token, { client_id: "my-cli" });
    await assertRefused(world, refreshed, "400 invalid_grant refresh_of_another_client");
    assertEquals(await opensUserinfo(world, old.access_token), false);
    const isKept = how === "its record is deleted";
    assertEquals(
      await refusalOf(world, world.redeem(unused, { ...former, code_verifier: verifier })),
      [400, "invalid_grant", isKept ? "code_of_another_client" : "code_unknown"],
    );

    // The refusals have not ended any token of the new client.
    assertEquals(await opensUserinfo(world, next.access_token), true);
    const again = await readTokens(await refresh(world, next.refresh_token, { client_id: "my-cli" }));
    assertEquals(await opensUserinfo(world, again.access_token), true);
  });
}
