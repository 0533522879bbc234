/** Describes a page of the dashboard as lines of text: what a person reads, where links lead, and what forms send. */

import { type Element, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";

/** Each of them begins a line. */
const blocks =
  /^(address|article|aside|details|div|dl|dt|fieldset|footer|form|h[1-3]|header|legend|li|main|nav|[ou]l|p|pre|section|summary|table|tr)$/;

/** What stands before and after the text of these. It is on one line, and the attributes follow it. */
const lined: Readonly<Record<string, readonly [before: string, after: string]>> = {
  ...{
    a: ["[", "]"],
    button: ["<", ">"],
    tr: ["| ", ""],
    td: ["", " | "],
    th: ["", " | "],
    option: ["", ", "],
  },
  ...{ input: [" _", ""], textarea: [" _", ""], select: [" _", ""], dd: [": ", " "] },
};
const before: Readonly<Record<string, string>> = { h1: "# ", h2: "## ", h3: "### ", li: "- " };

/** Attributes on which a person, a browser or a script acts. */
const told =
  /^(href|(form)?action|name|value|checked|selected|required|open|autofocus|datetime|title|class|tabindex|form|role|aria-(current|selected|invalid|sort)|data-(pass|address|stage|outcome|kind|result|check|difference|key|others|refused))$/;

/** What a class says of an element, and of a cell, what becomes of it where there is no room. */
const tellingClass =
  /^(primary|notice|problem|good|mark|bad|wrong|refused|failed|chosen|turned|outcome-.*|n-\d|left|right|band|clip|gate|sheet|under)$/;

// In characters. The start of a longer text stands for it.
const longestText = 24;

export function describePage(html: string): readonly string[] {
  const page = readHtml(html);
  // Each page has the first sheet.
  const [, ...files] = html.matchAll(/(?<=\/static\/)[\w.]+\.(?:css|js)(?=")/g);
  const lines = write(findAll(page, "body")[0]!).map((line) => line.replaceAll(/\s+/g, " ").trim());
  return [
    `${textOf(findAll(page, "title")[0]!)} ← ${files.join(" ")}`,
    ...lines.filter((line) => line !== ""),
  ];
}

/** Writes an element, and begins a line at each block, and at each label around a field. */
function write(element: Element, isInNotice = false): readonly string[] {
  if (element.name === "pre") return [cut(textOf(element))];
  const isWhole = isInNotice || isNotice(element);
  const lines = [""];
  for (const part of shorten(element.children.filter((each) => !isHidden(each)))) {
    const [first = "", ...others] = typeof part === "string"
      ? [isWhole ? part : cut(part)]
      : write(part, isWhole);
    const isBlock = typeof part !== "string" &&
      (blocks.test(part.name) || part.name === "label" && findAll(part, "input").length > 0);
    lines.push(isBlock ? first : `${lines.pop()}${first}`, ...others);
    if (isBlock && part.name !== "dt") lines.push("");
  }
  const { name } = element;
  const facts = describeAttributes(element);
  const marks = name === "code" ? ["`", "`"] : lined[name];
  if (marks === undefined) return [`${before[name] ?? ""}${facts}${lines[0]}`, ...lines.slice(1)];
  return [`${marks[0]}${lines.filter((line) => line.trim() !== "").join(" ")}${marks[1]}${facts}`];
}

/** It says what was done, or what is wrong. The list has all of it. */
function isNotice({ attributes }: Element): boolean {
  return /\bnotice\b/.test(attributes.get("class") ?? "") || attributes.get("role") === "status";
}

function isStep(part: Element | string): boolean {
  return typeof part !== "string" && part.name === "li";
}

/** Only a script shows it. */
function isHidden(part: Element | string): boolean {
  return typeof part !== "string" && part.attributes.has("hidden");
}

function describeAttributes({ name: element, attributes }: Element): string {
  const facts = [...attributes].flatMap(([name, value]) => {
    if (name === "class") {
      return value.split(" ").filter((each) => tellingClass.test(each)).map((each) => `.${each}`);
    }
    if (!told.test(name) || /^(…|search|group|tablist|region)$/.test(value)) return [];
    if (element === "time" && name === "title" || name === "tabindex" && element !== "button") return [];
    if (name === "data-others") return `others=${value}`;
    if (name === "href" || name === "action") return value.startsWith("https:") ? "rule" : value;
    return value === "" ? name : name === "name" ? value : `${name}=${cut(value)}`;
  });
  return facts.length === 0 ? "" : `(${facts.join(" ")})`;
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** Of many rows, choices or steps, the first two and the last one stand for all. */
function shorten(parts: Element["children"]): Element["children"] {
  const items = parts.filter((each) => typeof each !== "string" && /^(tr|tbody|option|li)$/.test(each.name));
  const left = items.length > (parts.some(isStep) ? 20 : 4) ? items.slice(2, -1) : [];
  return parts.flatMap((each) =>
    each === left[0] ? `… ${left.length} more … ` : left.includes(each) ? [] : each
  );
}
