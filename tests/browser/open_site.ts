/** The site in a browser: served below a path by a file server that knows nothing of it, or opened as a file. */

import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { writeFiles } from "../../scripts/site/write_files.ts";
import { createFolder } from "../in_folder.ts";
import { type MadeSite, makeSiteFiles } from "../made_site.ts";
import { browserTest } from "./visit.ts";
import { type ContextOptions, withContext } from "./watched_context.ts";

export interface SiteVisit {
  readonly page: Page;
  /** Returns the address of a file of the site, or of the first file in a folder. */
  url(path: string): string;
  /** The files of the site. */
  readonly files: MadeSite;
  /** Ends the file server. */
  disconnect(): Promise<void>;
}

type SiteOptions = Omit<ContextOptions, "origins">;

let made: Promise<MadeSite> | undefined;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

interface ServedSite extends AsyncDisposable, Pick<SiteVisit, "url" | "files"> {
  readonly origin: string;
}

/** Serves the site at `/some/path/` of an origin. */
async function serveMadeSite(): Promise<ServedSite> {
  const files = await (made ??= makeSiteFiles());
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const path = decodeURIComponent(new URL(url).pathname).replace(/^\/some\/path\//, "").replace(
      /^$/,
      "index.html",
    );
    const content = files.get(path);
    if (content === undefined) return new Response("There is no such file", { status: 404 });
    return new Response(content as BodyInit, {
      headers: { "content-type": types[posix.extname(path)] ?? "" },
    });
  });
  const origin = `http://localhost:${server.addr.port}`;
  return {
    origin,
    files,
    url(path) {
      const file = /.\/$/.test(path) ? [...files.keys()].find((each) => each.startsWith(path)) : path;
      return `${origin}/some/path/${file}`;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A test with the site at `/some/path/` of an origin. */
export function siteTest(
  name: string,
  work: (visit: SiteVisit) => Promise<void>,
  options: SiteOptions = {},
): void {
  browserTest(name, async (browser) => {
    await using site = await serveMadeSite();
    await withContext(browser, { ...options, origins: [site.origin] }, async (context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await work({
        page: await context.newPage(),
        url: site.url,
        files: site.files,
        disconnect: async () => await site[Symbol.asyncDispose](),
      });
    });
  });
}

/** A test with the site in a folder, without a server. */
export function siteFileTest(
  name: string,
  work: (visit: Pick<SiteVisit, "page" | "url">) => Promise<void>,
  options: SiteOptions = {},
): void {
  browserTest(name, async (browser) => {
    const files = await (made ??= makeSiteFiles());
    await using pathOf = await createFolder();
    writeFiles(files, pathOf("site"));
    await withContext(browser, { ...options, origins: ["file://"] }, async (context) => {
      await work({
        page: await context.newPage(),
        url: (path) => pathToFileURL(pathOf(`site/${path}`)).href,
      });
    });
  });
}
