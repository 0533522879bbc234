/** `oidc-client-ts` with its default settings, as in a page: its `fetch` goes through a socket. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type INavigator, UserManager, type UserManagerSettings } from "oidc-client-ts";
import { test } from "../../runner.ts";
import { redirectUri } from "../../world.ts";
import { publicClient, requireCarol, signedOutUri, signInFor, withSite } from "./postern.ts";

/** A stand-in for `window.location`. */
function watchNavigation(): { readonly navigator: INavigator; last(): string } {
  const seen: string[] = [];
  return {
    last: () => seen.at(-1)!,
    navigator: {
      prepare: () =>
        Promise.resolve({
          navigate: ({ url }) => {
            seen.push(url);
            return Promise.resolve({ url });
          },
          close() {},
        }),
      callback: () => Promise.resolve(),
    },
  };
}

async function withManager(
  settings: UserManagerSettings,
  work: (manager: UserManager, last: () => string) => Promise<void>,
): Promise<void> {
  const { navigator, last } = watchNavigation();
  const manager = new UserManager(settings, navigator);
  try {
    await work(manager, last);
  } finally {
    // Removing the user stops the library's timers.
    await manager.removeUser();
  }
}

test("clients: oidc-client-ts: sign-in, refresh, userinfo, revocation, sign-out", () =>
  withSite(publicClient, async ({ issuer, visitor }) => {
    const settings: UserManagerSettings = {
      authority: issuer,
      client_id: "app",
      redirect_uri: redirectUri,
      post_logout_redirect_uri: signedOutUri,
      scope: "openid profile email",
      loadUserInfo: true,
    };
    await withManager(settings, async (manager, last) => {
      await manager.signinRedirect();
      const user = await manager.signinRedirectCallback((await signInFor(visitor, last())).href);
      requireCarol(user.profile);

      const next = await manager.signinSilent();
      requireCarol(next!.profile);
      assert(next!.access_token !== user.access_token && next!.refresh_token !== user.refresh_token);

      const me = { headers: { authorization: `Bearer ${next!.access_token}` } };
      const before = await fetch(`${issuer}/userinfo`, me);
      await before.body?.cancel();
      await manager.revokeTokens();
      const after = await fetch(`${issuer}/userinfo`, me);
      await after.body?.cancel();
      assertEquals([before.status, after.status], [200, 401]);
      const refreshToken = next!.refresh_token!;
      assert(!(await manager.getUser())!.refresh_token, "the library removes a revoked token");

      await manager.signoutRedirect({ state: "over" });
      const { leftFor } = await visitor.open(last());
      assertEquals(leftFor?.origin, new URL(signedOutUri).origin);
      await manager.signoutRedirectCallback(leftFor!.href);
      const form = new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        client_id: "app",
      });
      const late = await fetch(`${issuer}/oauth2/token`, { method: "POST", body: form });
      assertEquals([late.status, (await late.json()).error], [400, "invalid_grant"]);
    });
  }));

test("clients: oidc-client-ts: CORS allows its requests, and no more", () =>
  withSite(publicClient, async ({ issuer }) => {
    const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const called = ["token_endpoint", "userinfo_endpoint", "revocation_endpoint", "jwks_uri"];
    for (const name of called) {
      const response = await fetch(metadata[name], {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      });
      await response.body?.cancel();
      assertEquals(response.headers.get("access-control-allow-origin"), "*", name);
      assertEquals(response.headers.get("access-control-allow-credentials"), null, name);
    }
  }));

test("clients: oidc-client-ts: a denial reaches it as an error", () =>
  withSite(publicClient, async ({ issuer, visitor }) => {
    const settings = { authority: issuer, client_id: "app", redirect_uri: redirectUri };
    await withManager(settings, async (manager, last) => {
      await manager.signinRedirect();
      const { leftFor } = await visitor.press(await visitor.open(last()), "deny");
      await assertRejects(() => manager.signinRedirectCallback(leftFor!.href), Error, "The person said no");
    });
  }));
