/** Starts another script of the server. */
/// <reference lib="dom" />

/** Resolves when the script has run. */
export function startScript(src: string): Promise<void> {
  return load(scriptOf(src));
}

export function addScript({ href }: URL): void {
  document.head.append(scriptOf(href));
}

function scriptOf(src: string): HTMLScriptElement {
  return Object.assign(document.createElement("script"), { type: "module", src });
}

/** Adds a script or a sheet. Resolves when it is there, or cannot be: a page without it is better than no page. */
export function load(element: HTMLScriptElement | HTMLLinkElement): Promise<void> {
  document.head.append(element);
  return new Promise((resolve) => {
    for (const event of ["load", "error"]) element.addEventListener(event, () => resolve(), { once: true });
  });
}
