// src/pages/scripts/live.ts
var pause = 1e3;
for (const each of document.querySelectorAll("[data-without-script]")) each.hidden = true;
void look();
async function look() {
  const fresh = await load().catch(() => void 0);
  if (fresh !== void 0) show(fresh);
  setTimeout(look, pause);
}
async function load() {
  const response = await fetch(location.href, { cache: "no-store", headers: { accept: "text/html" } });
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : void 0;
}
function show(fresh) {
  if (stageOf(fresh) !== stageOf(document)) return location.reload();
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
