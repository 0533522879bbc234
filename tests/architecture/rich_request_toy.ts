/** Rich authorization requests in small (RFC 9396): one more parameter says what the client wants to do. */

import { assertEquals } from "@std/assert";
import { type CarriedKey, carry, readCarried } from "../../src/oauth/carried.ts";
import type { Feature } from "../../src/oauth/feature.ts";
import { findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { clients, createBrowser, type Page, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const detailsKey: CarriedKey<readonly string[]> = { name: "toy_details" };

const feature: Feature = {
  name: "toy_details",
  spec: "none",
  requestParams: [{
    name: "toy_details",
    read: (text) => ({ carried: carry(detailsKey, JSON.parse(text)) }),
  }],
  carries: [detailsKey],
  consentRows: [{
    name: "toy_details",
    heading: "And to do",
    list: (request) => readCarried(request, detailsKey) ?? [],
  }],
};

export const richRequestToy: Toy = {
  kind: "a rich authorization request",
  feature,
  options: { clients, login: "picker" },
  async works(world) {
    await asksOnThePage(world);
  },
};

/** The consent page shows the details as plain text, and remembered consent covers only those that it has shown. */
async function asksOnThePage(world: World): Promise<void> {
  const browser = createBrowser(world);
  const ask = (details: readonly string[]) =>
    browser.open(world.authorizeUrl({ toy_details: JSON.stringify(details) }));
  const signIn = await ask(["pay <b>5 €</b>"]);
  const first = await browser.submit(signIn, { person: "alice" });
  assertEquals(rowOf(first), ["And to do", "pay <b>5 €</b>"]);
  await browser.submit(first, { decision: "approve" });
  assertEquals(rowOf(await ask(["pay <b>5 €</b>"])), ["sent to the client"]);
  assertEquals(rowOf(await ask(["pay <b>5 €</b>", "pay 6 €"])), ["And to do", "pay <b>5 €</b>", "pay 6 €"]);
  assertEquals(rowOf(await ask([])), ["sent to the client"]);
}

/** The heading and the lines of the row. */
function rowOf({ html, leftFor }: Page): readonly string[] {
  if (leftFor !== undefined) return ["sent to the client"];
  const document = readHtml(html);
  const [heading, row] = ["toy_details-heading", "toy_details"].map((id) => findById(document, id));
  return row ? [textOf(heading!), ...findAll(row, "li").map(textOf)] : [];
}
