/** The bundle for web pages, on a page of a static site. The program of a test runs in the page, beside `oauth4webapi`. */

import { gzipSync } from "node:zlib";
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { serveSite, type Site } from "./site.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

export interface BundleFile {
  readonly text: string;
  readonly gzipped: number;
}

let making: Promise<ReadonlyMap<string, BundleFile>> | undefined;

/** Makes the files for pages and for the service worker once for all tests. Resolves to them by their paths. */
export function makeBrowserFiles(): Promise<ReadonlyMap<string, BundleFile>> {
  return making ??= makeInProcess();
}

/** Resolves to the files of the bundle for pages, by their paths. */
export async function makeBundle(): Promise<ReadonlyMap<string, BundleFile>> {
  const files = await makeBrowserFiles();
  const reached = new Set(["browser.js", "msw.js"]);
  for (const name of reached) {
    for (const [, path = ""] of files.get(name)!.text.matchAll(/(?:\bfrom|\bimport)\(?"(\.[^"]+)"/g)) {
      reached.add(new URL(path, `file:///${name}`).pathname.slice(1));
    }
  }
  return new Map([...reached].map((name) => [name, files.get(name)!]));
}

/** In a process of its own, because esbuild would leave one running. */
async function makeInProcess(): Promise<ReadonlyMap<string, BundleFile>> {
  const folder = await Deno.makeTempDir();
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--config", "dev.json", "--allow-all", "scripts/package/browser.ts", folder],
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const folders = ["browser", "postern-worker"].flatMap((name) =>
      [...Deno.readDirSync(`${folder}/${name}`)].map((file) => `${name}/${file.name}`)
    );
    return new Map(["browser.js", "msw.js", "postern-worker.js", ...folders].map((name) => {
      const text = Deno.readTextFileSync(`${folder}/${name}`);
      return [name, { text, gzipped: weigh(text) }];
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** In octets, compressed. */
export const most = { ofAll: 597_000, beforeFirstPage: 259_000, ofControl: 50_000 };

export function weigh(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** A failure says what each of these files weighs, the heaviest first. */
export function assertWeight(
  files: ReadonlyMap<string, { readonly gzipped: number }>,
  names: readonly string[],
  limit: number,
): void {
  const weights = names.map((name) => [name, files.get(name)!.gzipped] as const);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const lines = weights.toSorted(([, left], [, right]) => right - left)
    .map(([name, weight]) => `${weight} ${name}`);
  assert(total > limit / 2 && total <= limit, [`${total} octets, of ${limit}:`, ...lines].join("\n"));
}

export interface PageOfTest {
  readonly page: Page;
  readonly site: Site;
  /** The files of the bundle that the page has loaded. */
  readonly loaded: ReadonlySet<string>;
}

interface OtherFiles {
  /** Returns the script at a path, or the HTML of another page. */
  readonly findFile?: (path: string) => Promise<string> | undefined;
  /** Other origins to which the page sends requests. */
  readonly origins?: readonly string[];
  /** Matches problems that the test causes on purpose. */
  readonly tolerates?: RegExp;
}

/**
 * Opens a page that has the bundle as `/browser.js`, the handlers for MSW as `/msw.js`, and oauth4webapi as
 * `/oauth4webapi.js`.
 */
export function pageTest(
  name: string,
  work: (at: PageOfTest) => Promise<void>,
  { findFile = () => undefined, origins = [], ...terms }: OtherFiles = {},
): void {
  browserTest(name, async (browser) => {
    const bundle = await makeBundle();
    const loaded = new Set<string>();
    await using site = serveSite(async (_request, path) => {
      const file = bundle.get(path.slice(1));
      if (file !== undefined) loaded.add(path.slice(1));
      const text = file?.text ?? (path === "/oauth4webapi.js" ? await readClient() : await findFile(path));
      if (text === undefined) return "<!doctype html><title>A page</title><main></main>";
      if (text.startsWith("<!doctype html>")) return text;
      return new Response(text, { headers: { "content-type": "text/javascript" } });
    });
    await withContext(
      browser,
      { ...terms, origins: [site.sameSite, site.otherSite, ...origins] },
      async (context) => {
        const page = await context.newPage();
        await page.goto(site.sameSite);
        await work({ page, site, loaded });
      },
    );
  });
}

async function readClient(): Promise<string> {
  return await Deno.readTextFile("node_modules/oauth4webapi/build/index.js");
}

/** The tag of a template, which is a program of the page. Resolves to what the program returns. */
export type Run<Result> = (program: TemplateStringsArray, ...parts: readonly string[]) => Promise<Result>;

/**
 * Runs a program in the page, behind its start. It has `createMock` and the other exports of the bundle as `postern`, and the
 * client library as `oauth`.
 */
export function runInPage<Result>(page: Page, start = ""): Run<Result> {
  return (program, ...parts) => {
    const running = page.evaluate(`(async () => {
      const [postern, oauth] = await Promise.all([import("/browser.js"), import("/oauth4webapi.js")]);
      const { createMock, createServer } = postern;
      ${start}
      ${String.raw({ raw: program }, ...parts)}
    })()`) as Promise<Result>;
    // A test that fails before it awaits the program leaves no unhandled rejection.
    running.catch(() => {});
    return running;
  };
}
