/** Loads the sheets and scripts that a part of another page needs. */
/// <reference lib="dom" />

/** Adds the sheets and scripts of `other` that this document lacks. Resolves when the sheets are there. */
export async function adopt(other: Document): Promise<void> {
  const sheets = [...other.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
    .filter(({ href }) => !has("link", "href", href));
  await Promise.all(sheets.map(({ href }) => load("link", { rel: "stylesheet", href })));
  for (const { src } of other.querySelectorAll<HTMLScriptElement>("script[src]")) {
    if (!has("script", "src", src)) void load("script", { type: "module", src });
  }
}

function has(name: "link" | "script", attribute: string, url: string): boolean {
  return [...document.querySelectorAll(`${name}[${attribute}]`)].some((each) =>
    new URL(each.getAttribute(attribute)!, location.href).href === url
  );
}

function load(name: "link" | "script", attributes: Readonly<Record<string, string>>): Promise<void> {
  const element = document.createElement(name);
  Object.assign(element, attributes);
  document.head.append(element);
  return new Promise((resolve) => {
    // A page without a sheet is better than no page.
    for (const event of ["load", "error"]) element.addEventListener(event, () => resolve(), { once: true });
  });
}
