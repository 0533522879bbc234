// src/pages/scripts/filter.ts
import { loadPage } from "./pass.js";
var pause = 150;
var latest = "";
for (const form of document.querySelectorAll("form[data-filter]")) {
  let timer;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void find(form), pause);
  });
}
async function find(form) {
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, `${value}`]));
  const url = latest = `${location.pathname}?${query}`;
  const page = await loadPage(url).catch(() => void 0);
  if (page === void 0 || url !== latest) return;
  const id = form.dataset["filter"];
  const fresh = page.getElementById(id);
  if (fresh === null) return;
  document.getElementById(id)?.replaceChildren(...fresh.childNodes);
  history.replaceState(null, "", url);
}
