/** Shows new requests in the inspector as they arrive. Without this script the person presses "Look again". */
/// <reference lib="dom" />

import { readPage, requestPage } from "./shared/tab.ts";

const page = document.querySelector<HTMLElement>("[data-events]")!;
const { events = "", live = "", away = "", refusals = "" } = page.dataset;
const state = document.getElementById("live-state")!;
const notifyButton = document.getElementById("notify") as HTMLButtonElement;
/** The HTML of the parts, as the server sent it. */
const shown = new Map<Element, string>();

// Milliseconds.
const pauseAfterFailure = 5000;
const pauseWhileHidden = 10_000;

let source: EventSource | undefined;
let refused = countRefused(page);

for (const part of document.querySelectorAll("[data-part]")) shown.set(part, part.innerHTML);
document.addEventListener("visibilitychange", follow);
// A page that the browser keeps for the Back button must not hold a connection.
addEventListener("pagehide", close);
addEventListener("pageshow", follow);
offerNotifications();
follow();

/** A browser has six connections for each host, so a hidden page closes its own. */
function follow(): void {
  if (document.hidden) {
    close();
    setTimeout(lookWhileHidden, pauseWhileHidden);
    return;
  }
  if (source !== undefined) return;
  void look();
  source = new EventSource(events);
  source.addEventListener("open", () => say(live));
  source.addEventListener("change", () => void look());
  source.addEventListener("error", () => {
    say(away);
    // The browser opens a broken stream again, but not one that the server refused.
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    setTimeout(follow, pauseAfterFailure);
  });
}

function close(): void {
  source?.close();
  source = undefined;
}

/** A short request, so that a person who wants notifications gets them. */
async function lookWhileHidden(): Promise<void> {
  if (!document.hidden || !mayNotify()) return;
  await look();
  setTimeout(lookWhileHidden, pauseWhileHidden);
}

let isLooking = false;
let isStale = false;

/** Loads the page again. Changes that come meanwhile are loaded afterwards, together. */
async function look(): Promise<void> {
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  while (isStale) {
    isStale = false;
    // The server may be away for a moment, for example during a restart.
    const fresh = await load().catch(() => undefined);
    if (fresh !== undefined) show(fresh);
  }
  isLooking = false;
}

async function load(): Promise<Document | undefined> {
  const response = await requestPage(location.href);
  return response.ok ? readPage(response) : undefined;
}

function show(fresh: Document): void {
  const freshPage = fresh.querySelector<HTMLElement>("[data-events]");
  if (freshPage === null) return;
  document.title = fresh.title;
  for (const part of shown.keys()) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart === null || freshPart.innerHTML === shown.get(part)) continue;
    shown.set(part, freshPart.innerHTML);
    const focused = document.activeElement;
    const href = part.contains(focused) ? focused?.getAttribute("href") : undefined;
    part.replaceChildren(...freshPart.childNodes);
    if (href) part.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
  }
  const now = countRefused(freshPage);
  if (now > refused && mayNotify() && !document.hasFocus()) notify(now - refused);
  refused = now;
}

function countRefused(page: HTMLElement): number {
  return Number(page.dataset["refused"] ?? 0);
}

/** The place for the text is kept, so that nothing moves when it appears. */
function say(text: string): void {
  state.classList.add("shown");
  if (state.textContent !== text) state.textContent = text;
}

function mayNotify(): boolean {
  return "Notification" in globalThis && Notification.permission === "granted";
}

function notify(count: number): void {
  const notification = new Notification(refusals.replace("#", String(count)), { tag: "postern" });
  notification.addEventListener("click", () => focus());
}

/** Shows the button that asks for the permission, which only a person may give. */
function offerNotifications(): void {
  if (!("Notification" in globalThis)) return;
  const update = () => notifyButton.classList.toggle("shown", Notification.permission === "default");
  update();
  notifyButton.addEventListener("click", async () => {
    await Notification.requestPermission();
    update();
  });
}
