/** A person who has signed in and is asked for consent, and the cookies of the browser. */

import { assert } from "@std/assert";
import { type Browser, createBrowser, type Page, type World } from "../world.ts";

export async function signIn(
  world: World,
  person = "alice",
): Promise<{ readonly browser: Browser; readonly consent: Page }> {
  const browser = createBrowser(world);
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person });
  assert(consent.html.includes('value="approve"'), "no consent page");
  return { browser, consent };
}

/** Returns the name of the cookie with this purpose. */
export function cookieNamed(browser: Browser, purpose: "browser" | "session"): string {
  return [...browser.cookies.keys()].find((name) => name.includes(`postern_${purpose}`))!;
}

export function cookieHeader(browser: Browser): string {
  return [...browser.cookies].map((pair) => pair.join("=")).join("; ");
}
