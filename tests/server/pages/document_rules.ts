/** The rules for the document of every page, as tests. */
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import {
  attribute,
  byId,
  type Element,
  everyElement,
  findAll,
  findById,
  readHtml,
  textOf,
} from "./read_html.ts";

/** A link to a page of the client. Only the example of a client with such pages has one. */
function isClientLink(element: Element): boolean {
  return /^client-(site|policy|terms)$/.test(attribute(element, "id") ?? "") &&
    attribute(element, "rel") === "noopener noreferrer" &&
    /^https:\/\/notes\.example\//.test(attribute(element, "href") ?? "");
}

/** The headings and links that the specification of the callback page writes in title case. */
const titleCase = /Authorization (Successful!|Failed)|Start New Authorization|Back to Home/;

const properNames = /\b(HTTP|JSON|PKCE|POSIX|Postern|README|SARIF)\b/g;

/** Returns the text without names, code and tags, whose case is their own. */
function wordsOf(element: Element | string): string {
  if (typeof element === "string") return element;
  if (/^(bdi|code)$/.test(element.name) || /^(unseen|tag)$/.test(attribute(element, "class") ?? "")) {
    return "…";
  }
  return element.children.map(wordsOf).join("");
}

/** A link to a rule, which opens a page of its own. */
function isRuleLink(element: Element): boolean {
  return attribute(element, "target") === "_blank" && attribute(element, "rel") === "noopener noreferrer" &&
    /^https:\/\/(www\.rfc-editor\.org|datatracker\.ietf\.org|openid\.net)\//.test(
      attribute(element, "href") ?? "",
    );
}

/** `assets`: the names of the files that the page may load. */
export function testDocument(name: string, html: string, assets: readonly string[]): void {
  const document = readHtml(html);
  const elements = [...everyElement(document)];

  test(`pages: ${name} is a complete document with one h1 and its landmarks`, () => {
    assertEquals(attribute(findAll(document, "html")[0]!, "lang"), "en");
    assertEquals(findAll(document, "title").length, 1);
    assertMatch(textOf(findAll(document, "title")[0]!), /^\S.+ · Postern$/);
    assert(html.includes('<meta name="viewport" content="width=device-width, initial-scale=1"/>'));
    assert(html.includes('<meta name="color-scheme" content="light dark"/>'));
    for (const landmark of ["h1", "header", "main", "footer"]) {
      assertEquals(findAll(document, landmark).length, 1, landmark);
    }
    const skip = findAll(document, "a")[0]!;
    assertEquals(attribute(skip, "href"), "#main");
    assertEquals(byId(document, "main").name, "main");
  });

  test(`pages: ${name} skips no heading level`, () => {
    let rank = 0;
    for (const { name } of elements.filter((element) => /^h[1-6]$/.test(element.name))) {
      const next = Number(name.slice(1));
      assert(next <= rank + 1, `${name} comes after h${rank}`);
      rank = next;
    }
  });

  test(`pages: ${name} has headings, links and buttons in sentence case`, () => {
    for (const element of elements.filter(({ name }) => /^(h[1-6]|a|button|summary)$/.test(name))) {
      if (isRuleLink(element)) continue;
      const text = wordsOf(element).replace(titleCase, "").replace(properNames, "");
      assertFalse(/[a-z,] [A-Z][a-z]/.test(text), text);
    }
  });

  test(`pages: ${name} has no cell that is wider than the other rows of its table`, () => {
    for (const table of elements.filter(({ name }) => name === "table")) {
      const rows = findAll(table, "tr").map((row) => row.children.filter((cell) => typeof cell !== "string"));
      const spans = rows.flat().map((cell) => Number(attribute(cell, "colspan") ?? 1));
      assert(Math.max(...rows.map(({ length }) => length)) >= Math.max(...spans), spans.join());
    }
  });

  test(`pages: ${name} uses each id once, and refers to existing ids only`, () => {
    const ids = elements.flatMap((element) => attribute(element, "id") ?? []);
    assertEquals(new Set(ids).size, ids.length, ids.join(" "));
    for (const element of elements) {
      for (const reference of ["for", "form", "aria-labelledby", "aria-describedby", "data-copy"]) {
        for (const id of attribute(element, reference)?.split(" ") ?? []) {
          assert(findById(document, id), `${reference}=${id}`);
        }
      }
      const href = attribute(element, "href");
      if (href?.startsWith("#")) assert(findById(document, href.slice(1)), href);
    }
  });

  test(`pages: ${name} has no inline script, style or event handler`, () => {
    for (const element of elements) {
      assertFalse(element.name === "style", "<style>");
      for (const name of element.attributes.keys()) assertFalse(/^(on|style$|srcdoc$)/i.test(name), name);
      if (element.name !== "script") continue;
      assertEquals(textOf(element), "");
      assertEquals(attribute(element, "type"), "module");
      assertMatch(attribute(element, "src") ?? "", /^\/(assets\/1|static)\/[a-z_]+\.js$/);
    }
  });

  test(`pages: ${name} loads nothing of other servers, and links only to pages of the client, without a referrer`, () => {
    for (const element of elements) {
      assertFalse(["iframe", "object", "embed", "base"].includes(element.name), element.name);
      for (const link of ["src", "href", "srcset", "poster", "formaction", "ping"]) {
        const url = attribute(element, link);
        if (url === undefined || link === "href" && (isClientLink(element) || isRuleLink(element))) continue;
        assertMatch(url, /^(\/(?!\/)|#)/, `${element.name} ${link}=${url}`);
      }
      const action = attribute(element, "action");
      if (action !== undefined && name !== "form post") assertMatch(action, /^\/(?!\/)/);
    }
  });

  test(`pages: ${name} loads only assets that exist`, () => {
    const urls = elements.flatMap((element) => [attribute(element, "src"), attribute(element, "href")]);
    for (const url of urls) {
      const [, name] = /^\/(?:assets\/1|static)\/(.*)$/.exec(url ?? "") ?? [];
      if (name !== undefined) assert(assets.includes(name), url);
    }
  });

  test(`pages: ${name} works without JavaScript: controls that need it are hidden until it runs`, () => {
    for (const button of findAll(document, "button")) {
      // The browser itself opens a popover.
      if (attribute(button, "type") === "submit" || button.attributes.has("popovertarget")) continue;
      assert(button.attributes.has("hidden"), textOf(button));
    }
    for (const control of elements.filter(({ name }) => name === "button" || name === "a")) {
      assertMatch(textOf(control), /\w/);
    }
  });
}

/** A file of the pages names no other server. */
export function testAsset(name: string, text: string): void {
  test(`pages: ${name} names no other server`, () => {
    const urls = (text.match(/\bhttps?:[^"\s)]*|url\([^)]*\)|@import/g) ?? [])
      .filter((url) => url !== "http://www.w3.org/2000/svg");
    assertEquals(urls, []);
  });
}
