/** Libraries for pages in a real browser: React with what `--print oidc-client-ts` prints, and Auth0's with its paths. */

import { assertEquals } from "@std/assert";
import type { Browser } from "playwright-core";
import { testKeysFor } from "../../src/kit/mock/server/test_keys.ts";
import type { ServerOptions } from "../../src/mod.ts";
import { print } from "../tools/cli/printed_program.ts";
import { readPage } from "../documentation/blocks.ts";
import { bundlePage } from "./bundle_page.ts";
import { choose } from "./sign_in.ts";
import { serveSite } from "./site.ts";
import { browserTest as it, visit } from "./visit.ts";

interface Run {
  /** The script of the application's only page, which is at every address. */
  readonly script: (issuer: string, origin: string) => Promise<string>;
  readonly server: (at: { readonly issuer: string }) => ServerOptions;
}

const applicationPage =
  '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/page.js"></script>';

/** Signs alice in by the button of the page, and returns what the page says then. */
async function signIn(browser: Browser, { script, server }: Run): Promise<string> {
  let issuer = "", said = "";
  await using application = serveSite(async (_request, path) => {
    if (!path.endsWith(".js")) return applicationPage;
    const text = await script(issuer, application.sameSite);
    return new Response(text, { headers: { "content-type": "text/javascript" } });
  });
  const origin = application.sameSite;
  await visit(browser, { server, origins: [origin] }, async (visit) => {
    const { page } = visit;
    issuer = visit.server.issuer;
    await page.goto(origin);
    await page.getByRole("button", { name: "Log in" }).click();
    await choose(page);
    await page.locator("#approve").click();
    said = await page.locator("#said").innerText();
  });
  return said;
}

it("React: react-oidc-context signs in with the settings that --print oidc-client-ts prints", async (browser) => {
  const script = (issuer: string, origin: string) => {
    const printed = print("oidc-client-ts", { issuer }).replace("http://localhost:3000", origin);
    const [, settings] = /new UserManager\((\{[^]*?\n\})\);/.exec(printed)!;
    return bundlePage(`
      import { createElement as element } from "react";
      import { createRoot } from "react-dom/client";
      import { AuthProvider, useAuth } from "react-oidc-context";

      function App() {
        const { isAuthenticated, user, signinRedirect } = useAuth();
        return isAuthenticated
          ? element("p", { id: "said" }, user.profile.name)
          : element("button", { onClick: () => signinRedirect() }, "Log in");
      }
      createRoot(document.getElementById("root")).render(
        element(AuthProvider, ${settings}, element(App)),
      );
    `);
  };
  assertEquals(await signIn(browser, { script, server: () => ({}) }), "Alice Adams");
});

it("paths: auth0-spa-js 2.1 logs in and refreshes as the documentation says", async (browser) => {
  const block = readPage("docs/in_the_words_of_your_library.md").find(({ name }) => name === "page.js")!;
  const script = (issuer: string) =>
    bundlePage(`
      import { createAuth0Client } from "@auth0/auth0-spa-js";

      ${block.text.replace("http://localhost:9000", issuer.replace(/\/$/, ""))}
      const root = document.getElementById("root");
      if (location.pathname === "/callback") {
        await auth0.handleRedirectCallback();
        const first = await auth0.getTokenSilently();
        const second = await auth0.getTokenSilently({ cacheMode: "off" });
        const { aud, iss } = JSON.parse(atob(second.split(".")[1]));
        const { name } = await auth0.getUser();
        root.innerHTML = '<p id="said"></p>';
        root.firstChild.textContent = [name, aud, iss, first !== second].join(" ");
      } else {
        root.innerHTML = "<button>Log in</button>";
        root.firstChild.onclick = () => auth0.loginWithRedirect();
      }
    `);
  let issuer = "";
  const server: Run["server"] = (at) => {
    issuer = `${at.issuer}/`;
    return {
      ...{ issuer, paths: "auth0", alg: "RS256", signingKeys: testKeysFor(["RS256"]) },
      claimsIn: { idToken: ["name"] },
    };
  };
  assertEquals(await signIn(browser, { script, server }), `Alice Adams https://api.example ${issuer} true`);
});
