/** Reads the forms of the server's pages, for programs that submit them without a browser. */

export function findFormAction(html: string): string | undefined {
  return readTags(html, "form").find(({ action }) => action !== undefined)?.["action"];
}

export function findFields(html: string): readonly (readonly [name: string, value: string])[] {
  return readTags(html, "input").flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [[name, value]]
  );
}

export function findEncryptedRequest(html: string): string | undefined {
  return findFields(html).find(([name]) => name === "request")?.[1];
}

/** Returns the whole text of the element with this id. It contains no element of its own kind. */
export function findText(html: string, id: string): string | undefined {
  const [before = "", after] = html.split(` id="${id}"`, 2);
  const name = before.slice(before.lastIndexOf("<") + 1).split(" ")[0]!;
  const [inside, end] = (after ?? "").split(`</${name}>`, 2);
  return end === undefined
    ? undefined
    : unescapeHtml(inside!.slice(inside!.indexOf(">") + 1).replaceAll(/<[^<>]*>/g, ""));
}

const tags = /<(form|input)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g;

/** Returns the attributes of each tag. */
function readTags(html: string, name: string): readonly Readonly<Record<string, string>>[] {
  return [...html.matchAll(tags)].filter(([, tag]) => tag === name).map(([, , text = ""]) =>
    Object.fromEntries(
      [...text.matchAll(/\s([\w:-]+)="([^"]*)"/g)].map(([, name, value = ""]) => [name, unescapeHtml(value)]),
    )
  );
}

export function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
