/** Takes the links and the forms of a page that no address answers. */
/// <reference lib="dom" />

import type { Pair } from "../../ground/http/form.ts";

interface Taken {
  readonly follow: (url: URL) => void;
  readonly submit: (action: URL, fields: readonly Pair[]) => void;
}

/** `url` is the address that the page has. */
export function listenToPage(page: Document, url: string, { follow, submit }: Taken): void {
  page.addEventListener("click", (event) => {
    // What has a target is of another site, and opens in a tab.
    const link = (event.target as Element).closest?.("a[href]:not([target])");
    const href = link?.getAttribute("href") ?? "#";
    if (href.startsWith("#") || event.defaultPrevented) return;
    event.preventDefault();
    follow(new URL(href, url));
  });
  page.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? url;
    const fields = listFields(form, submitter);
    if (form.method === "post") return submit(new URL(action, url), fields);
    const next = new URL(action, url);
    next.search = `${new URLSearchParams(fields.map(([name, value]) => [name, value]))}`;
    follow(next);
  });
}

function listFields(form: HTMLFormElement, submitter: HTMLElement | null): readonly Pair[] {
  return [...new FormData(form, submitter)].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  );
}
