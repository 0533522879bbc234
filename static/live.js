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

// src/pages/scripts/live.ts
var pause = 1e3;
for (const each of document.querySelectorAll("[data-without-script]")) each.hidden = true;
writeLocalTimes(document);
void look();
async function look() {
  if (document.hidden) {
    return document.addEventListener("visibilitychange", () => void look(), { once: true });
  }
  const fresh = await load().catch(() => void 0);
  if (fresh !== void 0) show(fresh);
  setTimeout(look, pause);
}
async function load() {
  const response = await requestPage(location.href);
  return response.ok ? readPage(response) : void 0;
}
function show(fresh) {
  if (stageOf(fresh) !== stageOf(document)) return location.reload();
  writeLocalTimes(fresh);
  for (const part of document.querySelectorAll("[data-live]")) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart === null || freshPart.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement?.id : void 0;
    part.replaceChildren(...freshPart.childNodes);
    if (focused !== void 0) document.getElementById(focused)?.focus();
  }
}
function stageOf(page) {
  return page.querySelector("[data-stage]")?.dataset["stage"];
}
function writeLocalTimes(page) {
  for (const each of page.querySelectorAll("time[data-local]")) {
    const local = new Date(each.dateTime).toLocaleString(void 0, {
      dateStyle: "medium",
      timeStyle: "medium"
    });
    each.textContent = each.dataset["local"].replace("{time}", local);
  }
}
