/** Asserts that a page of the server has known tags and attributes, links to the server only, and strict headers. */

import { assert, assertEquals } from "@std/assert";
import { everyElement, readHtml, textOf } from "../server/pages/read_html.ts";

const everywhere = ["class", "id", "lang", "hidden", "tabindex", "role"];

/** The tags of the templates that have no attributes of their own. */
const plainTags = [
  ...["html", "head", "title", "body", "header", "main", "footer", "nav", "section", "article", "div"],
  ...["h1", "h2", "h3", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr"],
  ...["wbr", "b", "i", "strong", "bdi", "code", "pre", "mark", "fieldset", "legend", "summary"],
];

/** Every tag of the templates with its attributes. */
const vocabulary: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...plainTags.map((tag) => [tag, []] as const),
  ["meta", ["charset", "name", "content", "media"]],
  ["link", ["rel", "type", "href", "blocking"]],
  ["script", ["type", "src"]],
  ["th", ["scope", "colspan"]],
  ["td", ["colspan", "title"]],
  ["a", ["href", "target", "rel", "title"]],
  ["img", ["src", "width", "height", "alt"]],
  ["svg", ["viewbox", "width", "height", "focusable"]],
  ["path", ["d"]],
  ["span", ["title"]],
  ["time", ["datetime"]],
  ["form", ["method", "action"]],
  ["label", ["for"]],
  ["input", [
    ...["type", "name", "value", "autocomplete", "autocapitalize", "spellcheck", "required", "autofocus"],
    ...["form", "checked"],
  ]],
  ["button", ["type", "name", "value", "form", "autofocus", "disabled"]],
  ["details", ["open"]],
]);

function isOurs(name: string, attribute: string): boolean {
  return vocabulary.get(name)!.includes(attribute.toLowerCase()) ||
    everywhere.includes(attribute.toLowerCase()) ||
    /^(data|aria)-[a-z]+$/.test(attribute);
}

/** Whether a link leads to a section of a specification. */
function isRule(url: string): boolean {
  return /^https:\/\/(www\.rfc-editor\.org\/rfc|datatracker\.ietf\.org\/doc\/html|openid\.net\/specs)\/[\w./#-]+$/
    .test(url);
}

export interface PageOptions {
  /** The one foreign address that a form of the page may post to. */
  readonly postsTo?: string;
}

/** Reads the document with a strict reader, so unknown markup is an error as well. */
export function assertOurPage(
  html: string,
  headers: Headers,
  because: string,
  { postsTo }: PageOptions = {},
): void {
  for (const element of everyElement(readHtml(html))) {
    const { name, attributes } = element;
    assert(vocabulary.has(name), `${because}: a <${name}>`);
    for (const attribute of attributes.keys()) {
      assert(isOurs(name, attribute), `${because}: ${attribute} on <${name}>`);
    }
    for (const attribute of ["href", "src", "action"]) {
      const url = attributes.get(attribute);
      if (url === undefined || (attribute === "action" && url === postsTo)) continue;
      if (name === "a" && isRule(url)) {
        assertEquals(
          [attributes.get("target"), attributes.get("rel")],
          ["_blank", "noopener noreferrer"],
          because,
        );
        continue;
      }
      // A path of the server, a fragment of this page, an asset, or a new flow.
      assert(
        /^(\/(?![/\\])|#|\?asset=[a-z_.]+$|\?start$)/.test(url),
        `${because}: ${attribute}=${url} on <${name}>`,
      );
    }
    if (name === "script") {
      assertEquals([textOf(element), attributes.get("type")], ["", "module"], because);
      assert(attributes.has("src"), `${because}: an inline script`);
    }
    assert(name !== "meta" || !attributes.has("http-equiv"), because);
  }
  assertPageHeaders(headers, because);
}

/** The headers of every page. */
export function assertPageHeaders(headers: Headers, because: string): void {
  const expected = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "access-control-allow-origin": null,
  };
  for (const [name, value] of Object.entries(expected)) {
    assertEquals(headers.get(name), value, `${because}: ${name}`);
  }
  const policy = readPolicy(headers.get("content-security-policy") ?? "");
  const fixed = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  };
  const formAction = policy.get("form-action");
  // Chromium applies form-action to redirects, so a form that may lead to a client has none. The search stays here.
  assert(
    formAction === undefined || formAction === "'none'" || formAction === "'self'",
    `${because}: form-action ${formAction}`,
  );
  policy.delete("form-action");
  assertEquals(Object.fromEntries(policy), fixed, because);
}

function readPolicy(text: string): Map<string, string> {
  return new Map(
    text.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );
}
