/** Reads the forms of the server's pages, for programs that submit them without a browser. */

export function findFormAction(html: string): string | undefined {
  return findText(html, /<form[^>]*\saction="([^"]*)"/);
}

export function findFields(html: string): readonly (readonly [name: string, value: string])[] {
  return [...html.matchAll(/<input[^>]*\sname="([^"]*)"[^>]*\svalue="([^"]*)"/g)].map((
    [, name = "", value = ""],
  ) => [unescapeHtml(name), unescapeHtml(value)]);
}

export function findEncryptedRequest(html: string): string | undefined {
  return findText(html, /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/);
}

export function findText(html: string, pattern: RegExp): string | undefined {
  const text = pattern.exec(html)?.[1];
  return text === undefined ? undefined : unescapeHtml(text);
}

export function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
