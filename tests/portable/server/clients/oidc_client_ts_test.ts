/** `oidc-client-ts` with its default settings, as in a page: its `fetch` goes through a socket. */

import { assert, assertEquals } from "@std/assert";
import { type INavigator, UserManager, type UserManagerSettings } from "oidc-client-ts";
import { test } from "../../../runner.ts";
import { redirectUri } from "../../../world.ts";
import { publicClient, requireCarol, signedOutUri, signInFor } from "./postern.ts";
import { withSite } from "./with_site.ts";

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
