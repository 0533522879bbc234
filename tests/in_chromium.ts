/**
 * Runs the tests of the files that POSTERN_TEST_FILES names in Chromium: in a page or, if POSTERN_TEST_PLACE says so, in a
 * service worker, where applications have a server without a document. Deno registers the same tests, and each of them runs
 * the case with its name there. So Deno reports and counts them, and a case that is missing on one side is a failure.
 */
import { readFileSync } from "node:fs";
import type { BrowserContext } from "playwright-core";
import { openBrowser } from "./browser/chromium.ts";
import { chromiumHindrance } from "./chromium_path.ts";
import { serveSite } from "./browser/site.ts";
import { withContext } from "./browser/watched_context.ts";
import { readVariable } from "./environment.ts";
import { type FindElsewhere, runElsewhere } from "./runner.ts";
import type { PageCase, PageCases, PageFailure } from "./runner_browser.ts";

type Cases = { readonly posternReady: Promise<void>; readonly posternCases: PageCases };

/** A page or a service worker of Playwright. */
interface Place {
  evaluate<Result, Argument>(work: (given: Argument) => Result, given: Argument): Promise<Awaited<Result>>;
}

const isWorker = readVariable("POSTERN_TEST_PLACE") === "worker";
const bundle = `${readVariable("POSTERN_TEST_BUNDLES")}/chromium`;

// The files would start these servers, which no page reaches.
for (const name of ["POSTGRES", "REDIS"]) Deno.env.set(`POSTERN_TEST_${name}`, "none");
const finish = chromiumHindrance === undefined ? await openChromium() : skipAll(chromiumHindrance);
await import("./import_files.ts");
finish();

function skipAll(hindrance: string): () => void {
  runElsewhere(() => hindrance);
  return () => {};
}

/** Lets the tests that are registered next run in Chromium. Returns a function that throws if Deno has missed some. */
async function openChromium(): Promise<() => void> {
  const ended = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<Place>();
  const site = serveSite((_request, path) => {
    if (path === "/cases.js") {
      return new Response(writeCases(), { headers: { "content-type": "text/javascript" } });
    }
    return `<!doctype html><title>Cases</title>${path === "/" ? "" : '<script src="/cases.js"></script>'}`;
  });
  const browser = await openBrowser();
  const watched = withContext(browser, { origins: [site.sameSite] }, async (context) => {
    await openPlace(context, site.sameSite).then(opened.resolve, opened.reject);
    await ended.promise;
  });
  watched.catch(() => {});
  Deno.test.afterAll(async () => {
    ended.resolve();
    try {
      await watched;
    } finally {
      await browser.close();
      await site[Symbol.asyncDispose]();
    }
  });
  return await shareCases(await opened.promise);
}

/** The script of the cases. They have the seed of the run. */
function writeCases(): string {
  const names = ["POSTERN_TEST_SEED", "POSTERN_TEST_RANDOM"];
  const variables = names.flatMap((name) => {
    const value = readVariable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const text = JSON.stringify(Object.fromEntries(variables));
  return `globalThis.posternVariables = ${text};\n${readFileSync(`${bundle}.js`, "utf8")}`;
}

async function openPlace(context: BrowserContext, origin: string): Promise<Place> {
  const page = await context.newPage();
  await page.goto(isWorker ? origin : `${origin}/page`);
  if (!isWorker) return page;
  const [worker] = await Promise.all([
    context.waitForEvent("serviceworker"),
    page.evaluate(() => navigator.serviceWorker.register("/cases.js").then(() => {})),
  ]);
  return worker;
}

async function shareCases(place: Place): Promise<() => void> {
  const reasons: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${bundle}.json`, "utf8"));
  const [cases, hasDocument] = await place.evaluate(async () => {
    await (globalThis as unknown as Cases).posternReady;
    return [(globalThis as unknown as Cases).posternCases.list(), "document" in globalThis] as const;
  }, undefined);
  if (hasDocument === isWorker) throw new Error("The cases run at the wrong place");
  // The bundle may have more files than this run.
  const files = new Set<string>(JSON.parse(readVariable("POSTERN_TEST_FILES") ?? "[]"));
  const open = new Map([...cases.entries()].filter(([, { file }]) => files.has(file)));
  const find: FindElsewhere = (file, name) => {
    if (reasons[file] !== undefined) return reasons[file];
    const [at, found] = [...open].find(([, each]) => each.file === file && each.name === name) ?? [];
    if (at === undefined) return () => Promise.reject(new Error("This case is missing in Chromium"));
    open.delete(at);
    return found?.reason ?? (() => runCase(place, at));
  };
  runElsewhere(find);
  return () => requireNone([...open.values()]);
}

async function runCase(place: Place, at: number): Promise<void> {
  const failure: PageFailure | undefined = await place.evaluate(
    (at) => (globalThis as unknown as Cases).posternCases.run(at),
    at,
  );
  if (failure !== undefined) throw Object.assign(new Error(failure.message), failure);
}

function requireNone(missed: readonly PageCase[]): void {
  if (missed.length === 0) return;
  const lines = missed.map(({ file, name }) => `${file}: ${name}`);
  throw new Error(`Only Chromium has these cases:\n${lines.join("\n")}`);
}
