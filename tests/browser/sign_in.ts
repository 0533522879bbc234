/** What a person does on the pages of a sign-in, and the requests that lead there. */

import type { Page } from "playwright-core";
import { challenge, encodeForm, type Params } from "../world.ts";

/** The address of an authorization request. */
export function requestOf(issuer: string, params: Params): string {
  const usual = { response_type: "code", code_challenge: challenge, code_challenge_method: "S256" };
  return `${issuer}/oauth2/authorize?${encodeForm({ ...usual, ...params })}`;
}

/** Presses the button of a person without a password. */
export async function choose(page: Page): Promise<void> {
  await page.locator("button[name=person][value=alice]").click();
}

/** Signs in for a client whose answer goes to the server itself, to the page that asks for consent. */
export async function signIn(page: Page, issuer: string): Promise<void> {
  await page.goto(`${issuer}/start?client_id=demo`);
  await choose(page);
}

/** Signs in and approves. */
export async function approve(page: Page, issuer: string): Promise<void> {
  await signIn(page, issuer);
  await page.locator("#approve").click();
  await page.waitForURL("**/authorized?**");
}

/** Gives the page the key of the inspector. */
export async function giveKey(page: Page, issuer: string, key: string): Promise<void> {
  await page.goto(`${issuer}/inspector#key=${key}`);
  await page.locator("#key").waitFor({ state: "detached" });
}
