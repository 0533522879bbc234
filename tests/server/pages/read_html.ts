/** A strict reader for the pages' documents: it throws at markup that it does not know. */

import { assert, assertEquals } from "@std/assert";

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (Element | string)[];
}

const empty = new Set(["meta", "link", "img", "input", "br"]);
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:="[^"<]*")?)*)\s*(\/?)>/y;

export function readHtml(html: string): Element {
  const doctype = "<!doctype html>";
  if (!html.startsWith(doctype)) throw new Error("The document has no doctype");
  const root: Element & { children: (Element | string)[] } = {
    name: "#document",
    attributes: new Map(),
    children: [],
  };
  const open = [root];
  let at = doctype.length;
  while (at < html.length) {
    const inside = open.at(-1)!;
    const next = html.indexOf("<", at);
    if (next !== at) {
      const text = html.slice(at, next < 0 ? undefined : next);
      inside.children.push(decode(text));
      at += text.length;
      continue;
    }
    tag.lastIndex = at;
    const [whole, closes, name, attributes, closesItself] = tag.exec(html) ?? [];
    if (whole === undefined || name === undefined) throw new Error(`Not a tag: ${html.slice(at, at + 80)}`);
    at += whole.length;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes no open element`);
      continue;
    }
    const element = { name, attributes: readAttributes(attributes ?? ""), children: [] };
    inside.children.push(element);
    if (!closesItself && !empty.has(name)) open.push(element);
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is never closed`);
  return root;
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/([a-zA-Z][\w-]*)(?:="([^"<]*)")?/g)) {
    if (found.has(name)) throw new Error(`The attribute ${name} occurs twice`);
    found.set(name, decode(value));
  }
  return found;
}

function decode(text: string): string {
  return text.replace(/&(\w*;?)/g, (_, entity) => {
    const character = entities.get(entity);
    if (character === undefined) throw new Error(`Unknown entity: &${entity}`);
    return character;
  });
}
const entities = new Map([["lt;", "<"], ["quot;", '"'], ["amp;", "&"]]);

export function* everyElement(inside: Element): Generator<Element> {
  for (const child of inside.children) {
    if (typeof child === "string") continue;
    yield child;
    yield* everyElement(child);
  }
}

export function findAll(inside: Element, name: string): Element[] {
  return [...everyElement(inside)].filter((element) => element.name === name);
}

/** Returns the rows of a table, without the one of its headings. */
export function rowsOf(table: Element): Element[] {
  return findAll(table, "tbody").flatMap((body) => findAll(body, "tr"));
}

export function findById(inside: Element, id: string): Element | undefined {
  return [...everyElement(inside)].find((element) => element.attributes.get("id") === id);
}

export function byId(inside: Element, id: string): Element {
  const found = findById(inside, id);
  if (!found) throw new Error(`No element has the id ${id}`);
  return found;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attributes.get(name);
}

export function textOf(element: Element): string {
  return element.children.map((child) => typeof child === "string" ? child : textOf(child)).join("");
}

/** The fields that pressing a button sends. */
export function sentBy(document: Element, button: Element): readonly (readonly [string, string])[] {
  const owner = attribute(button, "form");
  const form = owner === undefined
    ? findAll(document, "form").find((each) => findAll(each, "button").includes(button))
    : byId(document, owner);
  assert(form, "the button is in no form");
  assertEquals(attribute(form, "method"), "post");
  const fields = [...findAll(form, "input"), button].filter((field) => field.attributes.has("name"));
  return fields.map((field) => [attribute(field, "name")!, attribute(field, "value") ?? ""]);
}
