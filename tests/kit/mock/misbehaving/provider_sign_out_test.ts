/** The addresses at which a provider signs a browser out, and to which a central logout of a library sends it. */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock, type LookAlikeName } from "../../../../src/kit/mod.ts";
import { createBrowser, formatCookies, storeCookies } from "../../../../src/kit/mock/client/browser.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "http://localhost:3000/callback";

const addresses: readonly (readonly [LookAlikeName, authorize: string, signOut: string])[] = [
  ["google", "https://accounts.google.com/o/oauth2/v2/auth", "https://accounts.google.com/Logout"],
  ["linkedin", "https://www.linkedin.com/oauth/v2/authorization", "https://www.linkedin.com/uas/logout"],
  ["facebook", "https://www.facebook.com/dialog/oauth", "https://www.facebook.com/logout.php"],
  ["github", "https://github.com/login/oauth/authorize", "https://github.com/logout"],
];

for (const [name, authorize, signOut] of addresses) {
  test(`look-alike ${name}: ${signOut} ends the sign-in of the browser`, async () => {
    await using as = await createMock({ lookLike: name });
    const browser = createBrowser();
    const login = { client_id: "shop", redirect_uri, response_type: "code", scope: "openid" };
    await as.authorize(`${authorize}?${new URLSearchParams(login)}`, { username: "alice", browser });

    const send = async (url: string, init: RequestInit = {}) => {
      const cookie = formatCookies(browser)!;
      const answer = await as.fetch(url, {
        ...init,
        redirect: "manual",
        headers: { cookie, ...init.headers },
      });
      storeCookies(browser, answer.headers.getSetCookie());
      return answer;
    };
    const askSilently = async () => {
      const answer = await send(`${authorize}?${new URLSearchParams({ ...login, prompt: "none" })}`);
      await answer.body?.cancel();
      const { searchParams } = new URL(answer.headers.get("location")!);
      return searchParams.get("error") ?? [...searchParams.keys()][0];
    };

    await (await send(signOut, { method: "HEAD" })).body?.cancel();
    assertEquals(await askSilently(), name === "google" ? "code" : "consent_required");
    let answer = await send(signOut);
    if (name === "github") {
      const request = /name="request" value="([^"]+)"/.exec(await answer.text())![1]!;
      const body = new URLSearchParams({ request, decision: "sign_out" });
      answer = await send(signOut, { method: "POST", body, headers: { origin: "https://github.com" } });
    }
    assertEquals([answer.status, as.requests.last?.api], [200, signOut]);
    assertMatch(await answer.text(), /id="outcome"/);
    assertEquals(await askSilently(), "login_required");
  });
}
