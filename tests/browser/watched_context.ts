/** A window of Chromium that records everything that no page of the server may do. */

import type { Browser, BrowserContext, ConsoleMessage } from "playwright-core";

export interface ContextOptions {
  readonly javaScript?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The origins that pages may load from: the server's, and the test's own. */
  readonly origins: readonly string[];
  /** Matches problems that the test causes on purpose. */
  readonly tolerates?: RegExp;
}

/** A context of the browser. It has its own cookies, and fails its test at the end if a page did something wrong. */
export async function withContext(
  browser: Browser,
  { javaScript = true, viewport, origins, tolerates }: ContextOptions,
  work: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    javaScriptEnabled: javaScript,
    colorScheme: "light",
    locale: "en-GB",
    viewport: viewport ?? { width: 1280, height: 900 },
  });
  const problems = watch(context, origins);
  try {
    // The event also tells of violations that Chromium writes nowhere.
    await context.addInitScript(() =>
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        console.error(`securitypolicyviolation: ${violatedDirective} ${blockedURI}`);
      })
    );
    await work(context);
  } finally {
    await context.close();
  }
  const serious = problems.filter((each) => tolerates?.test(each) !== true);
  if (serious.length > 0) throw new Error(`The pages must not do this:\n${serious.join("\n")}`);
}

/** Collects requests to other origins, errors of scripts, and errors on the console such as violations of the policy. */
function watch(context: BrowserContext, origins: readonly string[]): readonly string[] {
  const problems: string[] = [];
  const visited = new Set<string>();
  context.on("request", (request) => {
    const url = request.url();
    if (request.isNavigationRequest()) visited.add(url);
    const isOwn = /^(data|blob|about):/.test(url) || origins.some((origin) => url.startsWith(`${origin}/`));
    if (!isOwn) problems.push(`request to another origin: ${url}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !isStatusOfPage(message, visited)) {
      problems.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  context.on("weberror", (error) => void problems.push(`error of a script: ${error.error()}`));
  return problems;
}

/** Chromium reports each page with a status of 400 or more as an error, although it shows the page. */
function isStatusOfPage(message: ConsoleMessage, visited: ReadonlySet<string>): boolean {
  return /^Failed to load resource: .* status of 4\d\d/.test(message.text()) &&
    visited.has(message.location().url);
}
