/** Rules for the document of every page of the server. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { assetNames } from "../../../src/server/pages/asset_names.ts";
import { assets } from "../../../src/server/pages/assets.ts";
import { test } from "../../runner.ts";
import { testAsset, testDocument } from "./document_rules.ts";
import { everyPage, pages, success } from "./examples.ts";
import { attribute, findAll, findById, readHtml, textOf } from "./read_html.ts";

for (const [name, html] of everyPage()) testDocument(name, html, assetNames);
for (const [name, text] of Object.entries(assets)) testAsset(name, text);

test("pages: a page with copy buttons has an empty status line for announcements (WCAG 2.2 §4.1.3)", () => {
  for (const [name, html] of everyPage()) {
    const document = readHtml(html);
    const line = findById(document, "copy-status");
    assertEquals(line !== undefined, html.includes("copy.js"), name);
    const buttons = findAll(document, "button").filter((button) => button.attributes.has("data-copy"));
    assertEquals(line !== undefined, buttons.length > 0, name);
    if (line !== undefined) assertEquals([attribute(line, "role"), textOf(line)], ["status", ""], name);
    for (const button of buttons) {
      assertEquals(
        attribute(button, "data-what") ?? textOf(findAll(button, "span")[0]!),
        textOf(button).slice(4),
      );
    }
  }
});

test("pages: a page that asks has the script that sends each form once", () => {
  for (const [name, html] of everyPage()) {
    const asks = findAll(readHtml(html), "form").some((form) =>
      attribute(form, "method") === "post" && !/^form post$/.test(name)
    );
    assertEquals(html.includes("form.js"), asks, name);
  }
});

/** The style sheets, with the classes with which their selectors begin. */
const sheets = Object.entries(assets).filter(([name]) => name.endsWith(".css")).map(([name, text]) =>
  [name, new Set([...text.matchAll(/(?:^|[},])\s*\.([a-z][\w-]*)/g)].map(([, each]) => each!))] as const
);

test("pages: each page loads the style sheets of its classes", () => {
  for (const [name, html] of everyPage()) {
    const document = readHtml(html);
    const loaded = findAll(document, "link").map((link) => attribute(link, "href")?.split("/").at(-1));
    const classes = new Set([...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, each]) => each!.split(" ")));
    for (const each of classes) {
      const known = sheets.filter(([, names]) => names.has(each)).map(([sheet]) => sheet);
      assert(
        known.length === 0 || known.some((sheet) => loaded.includes(sheet)),
        `${each} on ${name}: ${known}`,
      );
    }
  }
});

test("pages: no title holds a code, a state or a verifier", () => {
  const title = textOf(findAll(readHtml(pages.callback(success)), "title")[0]!);
  for (const secret of [success.code, success.state!, success.codeVerifier!]) {
    assertFalse(title.includes(secret));
  }
});

test("pages: the icon holds no script and no style", () => {
  const text = assets["postern.svg"];
  assertFalse(/<script|<style|style=|\son\w+=/i.test(text));
});
