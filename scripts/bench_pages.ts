/**
 * `deno task bench:pages [words]`: measures the processor time and the time of the HTML of each page. Chromium opens a page
 * of the table in `tests/browser/every_page.ts`, and this program then sends the last request again and again, without
 * a socket. Pages that answer a POST are left out. Words choose pages by name.
 */
import process from "node:process";
import type { Browser, Cookie } from "playwright-core";
import { openBrowser } from "../tests/browser/chromium.ts";
import { everyPage, openPage, type PageState } from "../tests/browser/every_page.ts";
import { sites } from "../tests/browser/sites.ts";
import { type StartedServer, startServer } from "../tests/browser/start_server.ts";
import { median, percentile } from "./bench/statistics.ts";
import { fixed, formatTable, whole } from "./bench/table.ts";

const rounds = { warmUp: 50, counted: 200 };

const words = Deno.args;
const chosen = everyPage.filter(({ name }) =>
  words.length === 0 || words.some((word) => name.includes(word))
);
const browser = await openBrowser();
try {
  const rows: (readonly string[])[] = [];
  for (const state of chosen) rows.push(await measurePage(browser, state));
  const caption = `HTML of each page at the server, ${rounds.counted} requests, milliseconds`;
  console.log(formatTable({ caption, columns: ["page", "processor", "median", "95 %", "bytes"], rows }));
} finally {
  await browser.close();
}

/** Returns the row of a page. */
async function measurePage(browser: Browser, state: PageState): Promise<readonly string[]> {
  await using server = await startServer(sites[state.site ?? "demo"]);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    let method = "GET";
    page.on("request", (request) => {
      if (request.isNavigationRequest()) method = request.method();
    });
    await openPage(state, { page, issuer: server.issuer });
    if (method !== "GET") return [state.name, "answers a POST"];
    const url = page.url();
    return await measureRequest(state.name, url, { server, cookies: await context.cookies(url) });
  } finally {
    await context.close();
  }
}

async function measureRequest(
  name: string,
  url: string,
  { server, cookies }: { readonly server: StartedServer; readonly cookies: readonly Cookie[] },
): Promise<readonly string[]> {
  const headers = {
    accept: "text/html",
    "sec-fetch-site": "none",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
  };
  const times: number[] = [];
  let bytes = 0;
  let before = process.cpuUsage();
  for (let round = -rounds.warmUp; round < rounds.counted; round++) {
    if (round === 0) before = process.cpuUsage();
    const request = new Request(url, { headers });
    const startedAt = performance.now();
    const { body } = await server.answer(request);
    if (round >= 0) times.push(performance.now() - startedAt);
    bytes = typeof body === "string" ? new TextEncoder().encode(body).length : 0;
  }
  // Other programs slow the answers, but take no processor time from this one.
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000 / rounds.counted;
  const sorted = Float64Array.from(times).sort();
  return [
    ...[name, fixed(processor, 2)],
    ...[fixed(median(times), 2), fixed(percentile(sorted, 0.95), 2), whole(bytes)],
  ];
}
