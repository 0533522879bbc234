/** Lists the values in a body of any kind, to find the secrets in it. */

import { isJsonObject } from "../../../server/schema/json_object.ts";
import { parseJson } from "../../../server/values/parse_json.ts";

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

/** The values of all depths. Texts may have JSON and addresses in them. */
export function listMembers(value: unknown, name = ""): readonly NamedText[] {
  if (Array.isArray(value)) return value.flatMap((each) => listMembers(each, name));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([own, each]) => listMembers(each, own));
  const text = String(value ?? "");
  const inner = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (typeof inner === "object") return listMembers(inner, name);
  const query = isAddress(text) && URL.canParse(text, base) ? [...new URL(text, base).searchParams] : [];
  return [[name, text], ...query];
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
