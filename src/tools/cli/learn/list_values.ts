/** Lists the values in a body of any kind, to find the secrets in it. */

import { isJsonObject } from "../../../server/schema/json_object.ts";
import { parseJson } from "../../../server/values/parse_json.ts";

/** The name is empty for a word of a text without names. */
export type NamedText = readonly [name: string, value: string];

/** Reads JSON, a form, a form with parts (RFC 7578), and the words of any other text, such as XML. */
export function listValues(text: string): readonly NamedText[] {
  const value = parseJson(text);
  if (typeof value === "object") return listMembers(value);
  const pairs = text.startsWith("--")
    ? listParts(text)
    : /^[^\s<>"{}=&]+=[^\s<>"]*$/.test(text)
    ? [...new URLSearchParams(text)]
    : text.split(/[\s"'<>=;,&{}()[\]]+|:(?!\/\/)/).map((word) => ["", word] as const);
  return pairs.flatMap(([name, each]) => listMembers(each, name));
}

const base = "https://page.invalid";

/** The values of all depths. Texts may have JSON and addresses in them. */
export function listMembers(value: unknown, name = ""): readonly NamedText[] {
  if (Array.isArray(value)) return value.flatMap((each) => listMembers(each, name));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([own, each]) => listMembers(each, own));
  const text = String(value ?? "");
  // The address of a page is no secret, but its query may have some.
  if (/^(https?:\/)?\//i.test(text) && URL.canParse(text, base)) return [...new URL(text, base).searchParams];
  const inner = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return typeof inner === "object" ? listMembers(inner, name) : [[name, text]];
}

function listParts(text: string): readonly NamedText[] {
  const [boundary = ""] = text.split(/\r?\n/, 1);
  return text.split(boundary).flatMap((part): readonly NamedText[] => {
    const [head = "", ...rest] = part.split(/\r?\n\r?\n/);
    const [, name] = /name="([^"]*)"/.exec(head) ?? [];
    return name === undefined ? [] : [[name, rest.join("\n\n").trim()]];
  });
}
