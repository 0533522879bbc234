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

// src/pages/scripts/inspector.ts
var page = document.querySelector("[data-events]");
var { events = "", live = "", away = "", refusals = "" } = page.dataset;
var state = document.getElementById("live-state");
var notifyButton = document.getElementById("notify");
var shown = /* @__PURE__ */ new Map();
var pauseAfterFailure = 5e3;
var pauseWhileHidden = 1e4;
var source;
var refused = countRefused(page);
for (const part of document.querySelectorAll("[data-part]")) shown.set(part, part.innerHTML);
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", close);
addEventListener("pageshow", follow);
offerNotifications();
follow();
function follow() {
  if (document.hidden) {
    close();
    setTimeout(lookWhileHidden, pauseWhileHidden);
    return;
  }
  if (source !== void 0) return;
  void look();
  source = new EventSource(events);
  source.addEventListener("open", () => say(live));
  source.addEventListener("change", () => void look());
  source.addEventListener("error", () => {
    say(away);
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    setTimeout(follow, pauseAfterFailure);
  });
}
function close() {
  source?.close();
  source = void 0;
}
async function lookWhileHidden() {
  if (!document.hidden || !mayNotify()) return;
  await look();
  setTimeout(lookWhileHidden, pauseWhileHidden);
}
var isLooking = false;
var isStale = false;
async function look() {
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  while (isStale) {
    isStale = false;
    const fresh = await load().catch(() => void 0);
    if (fresh !== void 0) show(fresh);
  }
  isLooking = false;
}
async function load() {
  const response = await requestPage(location.href);
  return response.ok ? readPage(response) : void 0;
}
function show(fresh) {
  const freshPage = fresh.querySelector("[data-events]");
  if (freshPage === null) return;
  document.title = fresh.title;
  for (const part of shown.keys()) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart === null || freshPart.innerHTML === shown.get(part)) continue;
    shown.set(part, freshPart.innerHTML);
    const focused = document.activeElement;
    const href = part.contains(focused) ? focused?.getAttribute("href") : void 0;
    part.replaceChildren(...freshPart.childNodes);
    if (href) part.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus();
  }
  const now = countRefused(freshPage);
  if (now > refused && mayNotify() && !document.hasFocus()) notify(now - refused);
  refused = now;
}
function countRefused(page2) {
  return Number(page2.dataset["refused"] ?? 0);
}
function say(text) {
  state.classList.add("shown");
  if (state.textContent !== text) state.textContent = text;
}
function mayNotify() {
  return "Notification" in globalThis && Notification.permission === "granted";
}
function notify(count) {
  const notification = new Notification(refusals.replace("#", String(count)), { tag: "postern" });
  notification.addEventListener("click", () => focus());
}
function offerNotifications() {
  if (!("Notification" in globalThis)) return;
  const update = () => notifyButton.classList.toggle("shown", Notification.permission === "default");
  update();
  notifyButton.addEventListener("click", async () => {
    await Notification.requestPermission();
    update();
  });
}
