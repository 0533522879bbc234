/** Reading the forms of our own pages, for whoever answers them without a browser. */

export function findFormAction(html: string): string | undefined {
  return findText(html, /<form[^>]*\saction="([^"]*)"/);
}

/** The fields that have a value already, in their order. */
export function findFields(html: string): readonly (readonly [name: string, value: string])[] {
  return [...html.matchAll(/<input[^>]*\sname="([^"]*)"[^>]*\svalue="([^"]*)"/g)].map((
    [, name = "", value = ""],
  ) => [unescapeHtml(name), unescapeHtml(value)]);
}

/** What the sealed request is sent back in. */
export function findSealedRequest(html: string): string | undefined {
  return findText(html, /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/);
}

/** The first group of the pattern. */
export function findText(html: string, pattern: RegExp): string | undefined {
  const text = pattern.exec(html)?.[1];
  return text === undefined ? undefined : unescapeHtml(text);
}

export function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
