/** Shows what a search finds while the person types. Without this script the person sends the form. */
/// <reference lib="dom" />

import { loadPage } from "./shared/tab.ts";

const pause = 150;
let latest = "";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-filter]")) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void find(form), pause);
  });
}

async function find(form: HTMLFormElement): Promise<void> {
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, `${value}`]));
  const url = latest = `${location.pathname}?${query}`;
  const page = await loadPage(url);
  // A later search may have been answered before this one.
  if (page === undefined || url !== latest) return;
  const id = form.dataset["filter"]!;
  const fresh = page.getElementById(id);
  if (fresh === null) return;
  document.getElementById(id)?.replaceChildren(...fresh.childNodes);
  history.replaceState(null, "", url);
}
