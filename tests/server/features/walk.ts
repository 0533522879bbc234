/** Presses the buttons of `/authorized` and of the pages that follow it, as a browser does. */

import { assertEquals } from "@std/assert";
import { attribute, byId, type Element, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import type { Browser, Page, Params, World } from "../../world.ts";

/** Sends the form with the button's step. Returns the response without following its redirect. */
export async function send(
  world: World,
  browser: Pick<Browser, "cookies">,
  page: Page,
  step: string,
  fields: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = findAll(readHtml(page.html), "form").find((each) =>
    attribute(each, "action")?.endsWith("/authorized/walk")
  );
  if (form === undefined) {
    throw new Error(`the page has no such form: ${textOf(readHtml(page.html)).slice(0, 300)}`);
  }
  const ticket = findAll(form, "input").find((each) => attribute(each, "name") === "walk")!;
  return await sendTicket(world, browser, attribute(ticket, "value")!, { step, ...fields }, headers);
}

export async function sendTicket(
  world: World,
  { cookies }: Pick<Browser, "cookies">,
  walk: string,
  fields: Params,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await world.post("/authorized/walk", { walk, ...fields }, {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    ...headers,
  });
}

/** Presses a button, and opens the page that the answer redirects to. */
export async function press(
  world: World,
  browser: Browser,
  page: Page,
  step: string,
  fields: Params = {},
): Promise<Page> {
  const response = await send(world, browser, page, step, fields);
  assertEquals([response.status, await response.text()], [303, ""]);
  return await browser.open(new URL(response.headers.get("location")!, page.url).href);
}

export function heading({ html }: Page): string {
  return findAll(readHtml(html), "h1").map(textOf).join();
}

/** The results of the checks of a token, by the name of the check. */
export function checksOf({ html }: Page, kind: string): Readonly<Record<string, string>> {
  const cells = findAll(byId(readHtml(html), `decoded-${kind}`), "td");
  return Object.fromEntries(cells.flatMap((cell) => {
    const name = attribute(cell, "data-check");
    return name === undefined ? [] : [[name, attribute(cell, "data-result")!]];
  }));
}

/** The texts of the list of tokens that the step ended. */
export function endedOf({ html }: Page): readonly string[] {
  const list = findById(readHtml(html), "ended-tokens");
  return list === undefined ? [] : findAll(list, "li").map(textOf);
}

/** The state of each token in words, by the name of the token. */
export function tokensOf({ html }: Page): Readonly<Record<string, string>> {
  const document = readHtml(html);
  const tables = ["tokens", "older-tokens"].flatMap((id) => findById(document, id) ?? []);
  const rows = tables.flatMap((table) => findAll(findAll(table, "tbody")[0]!, "tr"));
  const cell = (row: Element, at: number) =>
    findAll(row, at === 0 ? "th" : "td").map(textOf).at(at === 0 ? 0 : -1)!.trim();
  return Object.fromEntries(rows.map((row) => [cell(row, 0), cell(row, 1)]));
}

/** The status of each step, the newest first. */
export function statusesOf({ html }: Page): readonly string[] {
  const list = byId(readHtml(html), "so-far");
  return findAll(list, "span").filter((each) => attribute(each, "class") === "answer").map(textOf);
}

/** The text beside a button, and whether the page offers no button. */
export function choiceOf({ html }: Page, step: string): readonly [isClosed: boolean, about: string] {
  const document = readHtml(html);
  return [byId(document, step).name !== "button", textOf(byId(document, `${step}-about`))];
}

export function textAt({ html }: Page, id: string): string {
  return textOf(byId(readHtml(html), id));
}
