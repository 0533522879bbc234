// src/pages/scripts/shared/tab.ts
var storageName = "postern_pass";
function readPasses() {
  return sessionStorage.getItem(storageName)?.split(" ") ?? [];
}
function requestPage(url) {
  const headers = { accept: "text/html", "postern-pass": readPasses().join(" ") };
  return fetch(url, { cache: "no-store", headers });
}
async function readPage(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

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
  const response = await requestPage(url).catch(() => void 0);
  const page = response?.ok === true ? await readPage(response) : void 0;
  if (page === void 0 || url !== latest) return;
  const id = form.dataset["filter"];
  const fresh = page.getElementById(id);
  if (fresh === null) return;
  document.getElementById(id)?.replaceChildren(...fresh.childNodes);
  history.replaceState(null, "", url);
}
