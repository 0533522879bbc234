/** SDKs for pages, unchanged, at the hosts of their providers: Chromium reaches a look-alike through the proxy. */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { LookAlikeName, MisbehaviourName } from "../../src/kit/mod.ts";
import { test } from "../runner.ts";
import { chromiumHindrance } from "../chromium_path.ts";
import { type Shop, withShop } from "./provider_shop.ts";
import { openProxiedChromium } from "./proxied_chromium.ts";
import { pressAndLeave } from "./visit.ts";

interface Sdk {
  readonly name: LookAlikeName;
  readonly library: string;
  /** Whether the person confirms a sign-out, because the request has no ID token. */
  readonly confirms: boolean;
  /** What the library says of a fault of the catalogue. */
  readonly fault: readonly [name: MisbehaviourName, says: RegExp];
  readonly expired: RegExp;
}

const sdks = [
  {
    name: "auth0",
    library: "auth0-spa-js",
    confirms: true,
    fault: ["id_token.nonce_wrong", /^Nonce \(nonce\) claim/],
    expired: /"error":"invalid_grant"/,
  },
  {
    name: "okta",
    library: "okta-auth-js",
    confirms: false,
    fault: ["id_token.signature_bad", /^The token signature is not valid/],
    expired: /"error":"invalid_grant"/,
  },
  {
    name: "keycloak",
    library: "keycloak-js",
    confirms: false,
    fault: ["id_token.nonce_wrong", /^Invalid nonce/],
    expired: /^Server responded with an invalid status/,
  },
  {
    name: "cognito",
    library: "oidc-client-ts",
    confirms: true,
    fault: ["id_token.sub_missing", /^ID Token is missing a subject claim/],
    expired: /"error":"invalid_grant"/,
  },
] as const satisfies readonly Sdk[];

const person = "button[name=person][value=alice]";

function shopTest(title: string, name: LookAlikeName, work: (shop: Shop) => Promise<void>): void {
  if (chromiumHindrance !== undefined) return test.skip(title, chromiumHindrance);
  test(title, async () => {
    // It asks for addresses of its own at any time. The proxy refuses them, with a timer that another test would notice.
    await using chromium = await openProxiedChromium(name);
    await withShop(name, chromium, work);
  });
}

async function logIn({ begin, press, returned, call }: Shop): Promise<unknown> {
  await begin();
  await press(person);
  await press("#approve");
  await returned();
  return await call("finish");
}

for (const { name, library, confirms, fault: [fault, says], expired } of sdks) {
  shopTest(`provider SDKs: ${library} logs in at ${name}, refreshes and logs out`, name, async (shop) => {
    const { as, page, home, press, call, leave } = shop;
    assertEquals(await logIn(shop), "Alice Adams");
    const tokens = [await call("renew"), await call("renew")];
    assertNotEquals(tokens[0], tokens[1]);
    assertEquals(as.requests.token.map(({ params, status }) => `${params["grant_type"]} ${status}`), [
      "authorization_code 200",
      "refresh_token 200",
      "refresh_token 200",
    ]);
    await leave("logOut");
    if (confirms) await press("#sign-out");
    await page.waitForURL(home);
    assertEquals(as.requests.logout.at(-1)?.status, 303);
    await shop.begin();
    await page.locator(person).waitFor();
  });

  shopTest(
    `provider SDKs: ${library} learns at ${name} of a denial, a fault and an expired code`,
    name,
    async (shop) => {
      const { as, press, begin, returned, call } = shop;
      await begin();
      await press(person);
      await press("#deny");
      await returned();
      assertMatch(String(await call("finish")), /"error":"access_denied"/);
      await begin();
      await press("#approve");
      await returned();
      {
        using wrong = as.misbehave(fault);
        assertMatch(String(await call("finish")), says);
        assertEquals(wrong.count, 1);
      }
      // The consent is remembered.
      await begin();
      await returned();
      as.clock.advance("11m");
      assertMatch(String(await call("finish")), expired);
      assertEquals(as.requests.token.at(-1)?.refusal?.reason, "code_expired");
    },
  );
}

shopTest(
  "provider SDKs: keycloak-js finds out at keycloak whether a person is signed in, without a question",
  "keycloak",
  async (shop) => {
    const { page, home, call, leave } = shop;
    const isSignedIn = async () => {
      await page.goto(home);
      await leave("check");
      await page.waitForURL(({ hash }) => hash !== "");
      return await call("find");
    };
    assertEquals(await isSignedIn(), false);
    assertEquals(await logIn(shop), "Alice Adams");
    assertEquals(await isSignedIn(), true);
  },
);

const inWindows = [["auth0-spa-js", "logInInWindow"], ["oidc-client-ts", "logInInWindowByCallback"]];
for (const [library, step] of inWindows) {
  shopTest(
    `provider SDKs: ${library} logs in at auth0 in a window that its page opens`,
    "auth0",
    async ({ page, home, call }) => {
      await page.goto(home);
      const opening = page.waitForEvent("popup");
      const name = call(step!);
      const opened = await opening;
      await opened.locator(person).click();
      await pressAndLeave(opened.locator("#approve"));
      assertEquals(await name, "Alice Adams");
    },
  );
}
