/** Firefox: libraries sign in against the worker, and the server in a page shows its pages. */

import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { approveInFirefox as approve, firefoxTest, waitForPath } from "./firefox.ts";
import { libraries, runLibrary } from "./worker_libraries.ts";
import { runWithWorker, serveWorker } from "./worker_site.ts";

for (const name of ["oidc-client-ts", "keycloak-js"]) {
  const library = libraries[name]!;
  firefoxTest(`Firefox: ${name} signs in by redirect to the worker, and renews its tokens`, async (page) => {
    await using at = await serveWorker();
    await page.goto(at.origin);
    await runLibrary(page, library, "void library.redirect();");
    await approve(page);
    await waitForPath(page, "/callback");
    assertEquals(await runLibrary(page, library, "return await library.finish();"), "alice");
    const tokens = new Set<string>();
    for (const step of library.renews) {
      tokens.add(await runLibrary(page, library, `return await library.${step}();`));
    }
    assertEquals(tokens.size, library.renews.length);
  });
}

for (const name of ["oauth4webapi", "auth0-spa-js"]) {
  const library = libraries[name]!;
  firefoxTest(`Firefox: ${name} signs in in a window`, async (page) => {
    await using at = await serveWorker();
    await page.goto(at.origin);
    const opening = new Promise<Page | null>((resolve) => page.once("popup", resolve));
    const signing = runLibrary(page, library, "return await library.popup();");
    await approve((await opening)!);
    assertEquals(await signing, "alice");
  });
}

firefoxTest(
  "Firefox: window() shows the pages of the server in a page, which redeems the code",
  async (page) => {
    await using at = await serveWorker();
    await page.goto(at.origin);
    const running = runWithWorker<number>(
      page,
      `
    const { createMock } = await import("/browser.js");
    await using as = await createMock(options);
    const url = new URL(as.issuer + "/oauth2/authorize");
    const verifier = oauth.generateRandomCodeVerifier();
    url.search = new URLSearchParams({
      ...client, redirect_uri: redirectUri, response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
    });
    const callback = await as.window(url);
    const body = new URLSearchParams({
      ...client, grant_type: "authorization_code", code: callback.searchParams.get("code"), redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return (await as.fetch(as.issuer + "/oauth2/token", { method: "POST", body })).status;
  `,
    );
    const frame = await page.waitForFrame((frame) => frame.parentFrame() !== null);
    await approve(frame);
    assertEquals(await running, 200);
  },
);
