/**
 * `deno task shots [--to FOLDER] [--language TAG] [words]`: takes pictures of every page in both colour schemes and
 * three widths, with Chromium, and writes an `index.html` that shows them beside what each page is for. Words choose
 * pages by name. `--language de` takes the pages that a German browser gets.
 * `deno task shots --docs` takes the pictures of the README and of `docs/`, light and dark.
 */
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../tests/browser/chromium.ts";
import { everyPage, openPage, type PageState } from "../tests/browser/every_page.ts";
import { sites } from "../tests/browser/sites.ts";
import { startServer } from "../tests/browser/start_server.ts";
import { sideBySide } from "../src/ground/values/side_by_side.ts";

const widths = [360, 768, 1440];
const schemes = ["light", "dark"] as const;

interface DocumentedPicture {
  /** The pages, from left to right. */
  readonly pages: readonly string[];
  /** The width of each page. */
  readonly width: number;
  /** What does not fit is cut off. */
  readonly height: number;
  /** What is pressed before the picture is taken. */
  readonly press?: string;
  /** The element at which the picture begins. Default: the top of the page. */
  readonly from?: string;
}

/** The pictures in `docs/pictures`, which are part of the repository. */
const documented: Readonly<Record<string, DocumentedPicture>> = {
  login: { pages: ["sign-in", "consent"], width: 440, height: 720 },
  inspector: { pages: ["exchange-of-login"], width: 1440, height: 780 },
  refused: { pages: ["refused-pkce"], width: 720, height: 560, press: "a[href*='/inspector/']" },
  exchanged: { pages: ["exchanged"], width: 720, height: 560, from: "#decoded-id_token" },
  playground: { pages: ["playground"], width: 1000, height: 900 },
  misbehaviour: { pages: ["misbehaviour-on"], width: 900, height: 900 },
};

const { values: { to, docs, language }, positionals: words } = parseArgs({
  args: Deno.args,
  options: {
    to: { type: "string", default: "dist/shots" },
    language: { type: "string", default: "en-US" },
    docs: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const browser = await openBrowser();
try {
  if (docs) await takeDocumented(browser);
  else await takeAll(browser, to, everyPage.filter(isChosen));
} finally {
  await browser.close();
}

function isChosen({ name }: PageState): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

async function takeAll(browser: Browser, folder: string, states: readonly PageState[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const startedAt = performance.now();
  await sideBySide(states, async (state) => {
    try {
      await withPage(
        browser,
        state,
        {},
        (page) => takeLooks(page, (look) => `${folder}/${fileOf(state, look)}`),
      );
    } catch (error) {
      console.error(`${state.name}: ${error instanceof Error ? error.message : error}`);
      Deno.exitCode = 1;
    }
  }, navigator.hardwareConcurrency);
  await Deno.writeTextFile(`${folder}/index.html`, describeShots(states));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${states.length * widths.length * schemes.length} pictures in ${folder} (${seconds} s)`);
}

interface Look {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

async function takeLooks(page: Page, pathOf: (look: Look) => string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: pathOf({ width, colorScheme }), fullPage: true });
    }
  }
}

interface PageOptions {
  readonly port?: number;
  readonly width?: number;
}

async function withPage(
  browser: Browser,
  state: PageState,
  { port = 0, width = 360 }: PageOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await using server = await startServer({ ...sites[state.site ?? "demo"], port });
  const context = await browser.newContext({
    ...{ viewport: { width, height: 800 }, reducedMotion: "reduce", locale: language },
  });
  try {
    const page = await context.newPage();
    await openPage(state, { page, issuer: server.issuer });
    await work(page);
  } finally {
    await context.close();
  }
}

function fileOf({ name }: PageState, { width, colorScheme }: Look): string {
  return `${name}-${width}-${colorScheme}.png`;
}

function describeShots(states: readonly PageState[]): string {
  const sections = states.map((state) => {
    const pictures = schemes.flatMap((colorScheme) =>
      widths.map((width) => {
        const file = fileOf(state, { width, colorScheme });
        return `<a href="${file}"><img src="${file}" width="${
          width / 3
        }" loading="lazy" alt="${width} ${colorScheme}"></a>`;
      })
    );
    return `<h2>${state.name}</h2><p>${state.purpose}.</p><p class="row">${pictures.join("")}</p>`;
  });
  const style = "body { font: 1rem sans-serif; background: #999 } .row { display: flex; gap: 1rem }";
  return `<!doctype html><meta charset="utf-8"><title>Every page</title><style>${style}</style>${
    sections.join("")
  }`;
}

/** Takes the pictures of the documentation as WebP, which is small. They show the usual port. */
async function takeDocumented(browser: Browser): Promise<void> {
  for (const [name, { pages, width, height, press, from }] of Object.entries(documented)) {
    const parts = { light: [] as string[], dark: [] as string[] };
    for (const page of pages) {
      const state = everyPage.find((each) => each.name === page);
      if (state === undefined) throw new Error(`There is no page ${page}`);
      await withPage(browser, state, { port: 9000, width }, async (page) => {
        if (press !== undefined) await page.locator(press).first().click();
        const top = from === undefined ? 0 : (await page.locator(from).boundingBox())!.y;
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          const shot = await page.screenshot({ fullPage: true, clip: { x: 0, y: top, width, height } });
          parts[colorScheme].push(
            `<img src="data:image/png;base64,${shot.toString("base64")}" width="${width}">`,
          );
        }
      });
    }
    for (const scheme of schemes) {
      const path = `docs/pictures/${name}${scheme === "dark" ? "_dark" : ""}.webp`;
      await joinParts(browser, parts[scheme], { width: width * pages.length, height, path });
      console.log(`${path}: ${(await Deno.stat(path)).size} bytes`);
    }
  }
}

async function joinParts(
  browser: Browser,
  parts: readonly string[],
  { width, height, path }: { readonly width: number; readonly height: number; readonly path: string },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  const style = "margin: 0; display: flex; align-items: start";
  await page.setContent(`<!doctype html><body style="${style}">${parts.join("")}`);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await Deno.writeFile(path, Uint8Array.fromBase64(data));
  await page.close();
}
