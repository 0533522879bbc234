// src/pages/scripts/filter.ts
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
  const response = await fetch(url, { headers: { accept: "text/html" } }).catch(() => void 0);
  const html = response?.ok === true ? await response.text() : void 0;
  if (html === void 0 || url !== latest) return;
  const id = form.dataset["filter"];
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(id);
  if (fresh === null) return;
  document.getElementById(id)?.replaceChildren(...fresh.childNodes);
  history.replaceState(null, "", url);
}
