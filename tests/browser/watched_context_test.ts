/** The tests of pages notice what no page may do. */

import { assertRejects } from "@std/assert";
import { serveSite } from "./site.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http:; img-src http:";

const faults: Readonly<Record<string, { readonly html: string; readonly because: string }>> = {
  "an inline script": { html: "<script>1</script>", because: "securitypolicyviolation: script-src-elem" },
  "a file that is missing": { html: '<img src="/missing">', because: "status of 404" },
  "a script that throws": { html: '<script src="/throw"></script>', because: "error of a script: Error: oh" },
  "a picture of another origin": {
    html: '<img src="http://127.0.0.1:1/x">',
    because: "request to another origin: http://127.0.0.1:1/x",
  },
};

/** A site with this page, whose status is 400. */
function sitePage(html: string) {
  return serveSite((_request, path) => {
    if (path === "/throw") {
      return new Response('throw new Error("oh")', { headers: { "content-type": "text/javascript" } });
    }
    if (path === "/favicon.ico") return new Response(null, { status: 204 });
    const headers = { "content-type": "text/html", "content-security-policy": policy };
    return path === "/"
      ? new Response(`<!doctype html><title>x</title>${html}`, { status: 400, headers })
      : new Response("", { status: 404, headers });
  });
}

for (const [name, { html, because }] of Object.entries(faults)) {
  browserTest(`watched context: ${name} fails the test`, async (browser) => {
    await using site = sitePage(html);
    const look = () =>
      withContext(browser, { origins: [site.sameSite] }, async (context) => {
        const page = await context.newPage();
        const noticed = new Promise<void>((resolve) => {
          context.on("console", (message) => {
            if (!message.text().includes("status of 400")) resolve();
          });
          context.on("weberror", () => resolve());
        });
        await page.goto(site.sameSite);
        await noticed;
      });
    await assertRejects(look, Error, because);
  });
}

browserTest("watched context: a page with an error status is no fault", async (browser) => {
  await using site = sitePage("");
  await withContext(browser, { origins: [site.sameSite] }, async (context) => {
    const page = await context.newPage();
    const reported = page.waitForEvent("console");
    await page.goto(site.sameSite);
    await reported;
  });
});
