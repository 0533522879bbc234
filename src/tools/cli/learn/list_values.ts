/** Lists the values in a body of any kind, to find the secrets in it. */

import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { parseJson } from "../../../ground/values/parse_json.ts";

export type NamedText = readonly [name: string, value: string];

/** Reads JSON, a form, a form with parts (RFC 7578), and any other text, such as XML: there, a word names the next one. */
export function listValues(text: string): readonly NamedText[] {
  const value = parseJson(text);
  if (typeof value === "object") return listMembers(value);
  const pairs = text.startsWith("--")
    ? listParts(text)
    : /^[^\s<>"{}=&]+=[^\s<>"]*$/.test(text)
    ? [...new URLSearchParams(text)]
    : nameWords(text);
  return pairs.flatMap(([name, each]) => listMembers(each, name));
}

const base = "https://page.invalid";

/** The values of all depths, also of a depth that no stack has. Texts may have JSON and addresses in them. */
export function listMembers(value: unknown, name = ""): readonly NamedText[] {
  const found: NamedText[] = [];
  const open: (readonly [name: string, value: unknown])[] = [[name, value]];
  for (const [own, each] of open) {
    if (Array.isArray(each)) { for (const item of each) open.push([own, item]); }
    else if (isJsonObject(each)) { for (const member of Object.entries(each)) open.push(member); }
    else {
      const text = String(each ?? "");
      const inner = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
      if (typeof inner === "object") open.push([own, inner]);
      else found.push([own, text], ...listQuery(text));
    }
  }
  return found;
}

function listQuery(text: string): readonly NamedText[] {
  return isAddress(text) && URL.canParse(text, base) ? [...new URL(text, base).searchParams] : [];
}

/** Whether the text is a URL or its path. */
export function isAddress(text: string): boolean {
  return /^(https?:\/)?\//i.test(text);
}

function nameWords(text: string): readonly NamedText[] {
  const words = text.replaceAll("<![CDATA[", " ").split(/(?:[\s"'<>=;,&{}()[\]]|:(?!\/\/))+/).filter((word) =>
    word !== ""
  );
  return words.map((word, index) => [words[index - 1] ?? "", word]);
}

function listParts(text: string): readonly NamedText[] {
  const [boundary = ""] = text.split(/\r?\n/, 1);
  return text.split(boundary).flatMap((part): readonly NamedText[] => {
    const [head = "", ...rest] = part.split(/\r?\n\r?\n/);
    const [, name] = /name="([^"]*)"/.exec(head) ?? [];
    return name === undefined ? [] : [[name, rest.join("\n\n").trim()]];
  });
}
