/** An unconfigured server, and the flow that its front page offers. */

import { byId, findAll, readHtml, textOf } from "../server/pages/read_html.ts";
import { type Browser, createBrowser, inWorld, type Page, sampleKey, type World } from "../world.ts";

export const own: string = "http://localhost:9000/authorized";

export function unconfigured(work: (world: World) => Promise<void>, login = "picker"): Promise<void> {
  return inWorld({ alg: "ES256", signingKeys: [sampleKey], login }, work, {});
}

/** Follows this client's start link on the front page to the sign-in page. */
export async function start(world: World, browser: Browser, client = "demo"): Promise<Page> {
  const home = readHtml((await browser.open("/")).html);
  const links = findAll(home, "a").map(({ attributes }) => attributes.get("href"));
  const link = links.find((href) => href === `/start?client_id=${client}`);
  if (link === undefined) throw new Error(`no link starts a flow of ${client}: ${links}`);
  return await browser.open(new URL(link, world.issuer).href);
}

export async function reachAuthorized(
  world: World,
  client = "demo",
): Promise<{ browser: Browser; page: Page }> {
  const browser = createBrowser(world);
  const consent = await browser.submit(await start(world, browser, client), { person: "alice" });
  return { browser, page: await browser.submit(consent, { decision: "approve" }) };
}

export function text(page: Page, id: string): string {
  return textOf(byId(readHtml(page.html), id));
}
export function headings(page: Page): readonly string[] {
  return findAll(readHtml(page.html), "h1").map(textOf);
}
