/** The tests of pages notice what no page may do. */

import { assertRejects } from "@std/assert";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http:; img-src http:";

const faults: Readonly<Record<string, { readonly html: string; readonly because: string }>> = {
  "an inline script": { html: "<script>1</script>", because: "securitypolicyviolation: script-src-elem" },
  "an inline style": { html: '<p style="color: red">', because: "securitypolicyviolation: style-src-attr" },
  "a file that is missing": { html: '<img src="/missing">', because: "status of 404" },
  "a script that throws": { html: '<script src="/throw"></script>', because: "error of a script: Error: oh" },
  "a picture of another origin": {
    html: '<img src="http://127.0.0.1:1/x">',
    because: "request to another origin: http://127.0.0.1:1/x",
  },
};

function answer({ url }: Request, html: string): Response {
  const { pathname } = new URL(url);
  if (pathname === "/throw") {
    return new Response('throw new Error("oh")', { headers: { "content-type": "text/javascript" } });
  }
  if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
  const headers = { "content-type": "text/html", "content-security-policy": policy };
  return new Response(pathname === "/" ? html : "", { status: pathname === "/" ? 400 : 404, headers });
}

for (const [name, { html, because }] of Object.entries(faults)) {
  browserTest(`watched context: ${name} fails the test`, async (browser) => {
    const page = `<!doctype html><title>x</title>${html}`;
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    const socket = Deno.serve(options, (request) => answer(request, page));
    const origin = `http://localhost:${socket.addr.port}`;
    const look = () =>
      withContext(browser, { origins: [origin] }, async (context) => {
        await (await context.newPage()).goto(origin, { waitUntil: "networkidle" });
      });
    await assertRejects(look, Error, because);
    await socket.shutdown();
  });
}

browserTest("watched context: a page with an error status is no fault", async (browser) => {
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const socket = Deno.serve(options, (request) => answer(request, "<!doctype html><title>x</title>"));
  const origin = `http://localhost:${socket.addr.port}`;
  await withContext(browser, { origins: [origin] }, async (context) => {
    await (await context.newPage()).goto(origin, { waitUntil: "networkidle" });
  });
  await socket.shutdown();
});
