/**
 * The inspector as an instrument: new requests appear in the list, a request opens beside it, further rows load as a
 * person scrolls, and keys lead through the rows. Without this script each request has a page, and the list has pages.
 */
/// <reference lib="dom" />

import { adopt } from "./shared/adopt.ts";
import { findStop, listenToListKeys } from "./shared/keys.ts";
import { noteFold } from "./shared/note_fold.ts";
import { notify, offerNotifications } from "./shared/notify.ts";
import { findOlder, loadPages } from "./shared/load_pages.ts";
import { appendRows, mapBodies, topOf, updateRows } from "./shared/update_rows.ts";
import { startScript } from "../../frame/scripts/shared/start_script.ts";
import { loadPage } from "../../frame/scripts/shared/tab.ts";

// Milliseconds.
const pauseAfterFailure = 5000;
const pauseWhileHidden = 10_000;
const pauseBetweenAnnouncements = 10_000;

// Rows and pages that are loaded again when requests arrive. What a person sees further below stays as it is.
const mostSeen = 150;
const mostPages = 4;
// Rows in which the open request is sought. The filter of a link may exclude its own request, or that request is very old.
const mostSought = 1_000;

const main = document.querySelector("main")!;
const isWide = matchMedia("(min-width: 1100px)");

let list = document.getElementById("list");
let keyForm = list?.querySelector("#key-details") ?? null;
let source: EventSource | undefined;
let refused = countRefused();
let missed = 0;
let pageTitle = document.title;
let arrived = 0;
let announcement: ReturnType<typeof setTimeout> | undefined;
let lookAgain: ReturnType<typeof setTimeout> | undefined;
/** The address whose rows are shown. */
let shown = addressOfList();
/** The person reads further below than this many rows, which were loaded again and are not shown. Otherwise 0. */
let unshown = 0;

if (list === null) void loadBeside();
else start();

/** The address of the page of a request has the list beside it. */
async function loadBeside(): Promise<void> {
  const entry = shownEntry();
  const path = location.pathname.replace(/\/[^/]+$/, "");
  const fresh = entry && await loadPage(path + location.search);
  list = fresh?.getElementById("list") ?? null;
  if (list === null) return;
  keyForm = list.querySelector("#key-details");
  shown = addressOfList();
  await adopt(fresh!);
  main.prepend(list);
  refused = countRefused();
  start();
}

function start(): void {
  // A page that the browser keeps for the Back button must not hold a connection.
  addEventListener("pagehide", close);
  addEventListener("popstate", () => void showAddress());
  main.addEventListener("click", openClicked);
  list!.addEventListener("toggle", ({ target }) => {
    // The links of the list carry it on.
    if (target instanceof HTMLDetailsElement && noteFold(list!, target)) void look();
  }, true);
  const complete = () => startScript(urlOf("complete.js"));
  list!.querySelector("#filter")!.addEventListener("focus", complete, { once: true });
  listenToListKeys(list!, { close: closeEntry, step: openNext });
  offerNotifications(document.getElementById("notify")!);
  list!.classList.add("grows");
  markOpen();
  void findPlace().then(() => {
    document.addEventListener("visibilitychange", follow);
    addEventListener("pageshow", follow);
    document.addEventListener("scroll", () => void scrolled(), { passive: true });
    follow();
  });
}

/** A script that a person needs only now. */
function urlOf(name: string): string {
  return new URL(name, import.meta.url).href;
}

function pathOfList(): string {
  return list!.dataset["path"]!;
}

function countRefused(): number {
  return Number(list?.dataset["refused"] ?? 0);
}

// News

/** A browser has six connections for each host, so a hidden page closes its own. */
function follow(): void {
  if (document.hidden) {
    close();
    lookAgain = setTimeout(lookWhileHidden, pauseWhileHidden);
    return;
  }
  clearTimeout(lookAgain);
  missed = 0;
  if (source !== undefined) return;
  void look();
  source = new EventSource(`${pathOfList()}/events`);
  source.addEventListener("open", () => say(list!.dataset["live"]!));
  source.addEventListener("change", () => void look());
  source.addEventListener("error", () => {
    say(list!.dataset["away"]!);
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

/** A short request, so that the title of a hidden page counts refusals. */
async function lookWhileHidden(): Promise<void> {
  if (!document.hidden) return;
  await look();
  if (document.hidden) lookAgain = setTimeout(lookWhileHidden, pauseWhileHidden);
}

let isLooking = false;
let isStale = false;

/** Loads the list again. Changes that come meanwhile are loaded afterwards, together. */
async function look(): Promise<void> {
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  while (isStale) {
    isStale = false;
    const address = addressOfList();
    const fresh = await loadList(address);
    const freshList = fresh?.getElementById("list");
    // The person may have folded meanwhile.
    const isLate = address !== addressOfList();
    isStale ||= isLate;
    if (!freshList || isLate) continue;
    const loaded = mapBodies(freshList).size;
    unshown = findOlder(freshList) !== undefined && countSeen() > loaded ? loaded : 0;
    show(freshList, { title: fresh!.title, isSame: address === shown });
    shown = address;
    const lastPage = list!.querySelector<HTMLElement>("#requests > tbody:last-child")?.dataset["page"];
    // The newest requests are at the end.
    if (address.includes("order=oldest") && lastPage !== undefined) await append(lastPage);
  }
  isLooking = false;
  void scrolled();
}

/** Loads the first page of the list, and further ones as far as the person sees. */
async function loadList(address: string): Promise<Document | undefined> {
  const seen = countSeen();
  const hasSeen = (page: ParentNode) =>
    [...mapBodies(page).keys()].filter((id) => mapBodies(list!).has(id)).length >= seen;
  return await loadPages(address, (page, pages) => seen > mostSeen || pages >= mostPages || hasSeen(page));
}

/** How many rows there are down to the end of the window. */
function countSeen(): number {
  const bodies = [...mapBodies(list!).values()];
  const below = bodies.findIndex((each) => topOf(each) > innerHeight);
  return below < 0 ? bodies.length : below;
}

/** Returns whether the page has rows. */
async function append(address: string): Promise<boolean> {
  const page = await loadPage(address);
  if (page?.getElementById("requests") == null) return false;
  for (const body of mapBodies(page).values()) body.dataset["page"] = address;
  appendRows(list!, page);
  return true;
}

/** The list of this address, with the counts of all requests that the filter selects. */
function addressOfList(): string {
  const query = new URLSearchParams(location.search);
  query.set("counts", "all");
  return `${list?.dataset["path"]}?${query}`;
}

/** `isSame`: the address has not changed since, so rows that were not there have arrived. */
function show(fresh: HTMLElement, { title, isSame }: { title: string; isSame: boolean }): void {
  list!.dataset["refused"] = fresh.dataset["refused"];
  const added = updateRows(list!, fresh, { marks: isSame, keepsRows: unshown > 0 });
  if (isSame) arrived += added;
  const now = countRefused();
  if (now > refused && document.hidden) missed += now - refused;
  if (now > refused) notify(list!.dataset["refusals"]!.replace("#", `${now - refused}`));
  refused = now;
  if (shownEntry() === null) pageTitle = title;
  writeTitle();
  markOpen();
  announce();
}

/** The title of a hidden page begins with the number of refusals that the person has not seen. */
function writeTitle(): void {
  document.title = document.hidden && missed > 0
    ? `(${missed}) ${pageTitle.replace(/^\([^)]*\) /, "")}`
    : pageTitle;
}

/** Tells a screen reader how many requests are new, once in ten seconds at most. */
function announce(): void {
  if (arrived === 0 || announcement !== undefined) return;
  say(list!.dataset["arrived"]!.replace("#", `${arrived}`));
  arrived = 0;
  announcement = setTimeout(() => {
    announcement = undefined;
    announce();
  }, pauseBetweenAnnouncements);
}

/** The place for the text is kept, so that nothing moves when it appears. */
function say(text: string): void {
  const state = document.getElementById("live-state")!;
  state.classList.add("shown");
  if (state.textContent !== text) state.textContent = text;
}

/** Loads the next rows before the person sees the end. */
async function scrolled(): Promise<void> {
  fitEntry();
  if (unshown > 0 && countSeen() <= unshown) return void look();
  const older = document.getElementById("older");
  if (older === null || topOf(older) > 1.5 * innerHeight) return;
  if (await loadOlder()) void scrolled();
}

async function loadOlder(): Promise<boolean> {
  const older = findOlder(list!);
  if (older === undefined || isLooking) return false;
  isLooking = true;
  const hasMore = await append(older);
  isLooking = false;
  markOpen();
  if (isStale) void look();
  return hasMore;
}

/** Notes how far the person has scrolled, for the Back button. */
function notePlace(): void {
  if (shownEntry() !== null) return;
  // A narrow screen loads the list again. The browser would scroll smoothly there, and move what findPlace() shows.
  if (!isWide.matches) history.scrollRestoration = "manual";
  history.replaceState({ rows: mapBodies(list!).size, top: scrollY }, "");
}

async function findPlace(): Promise<void> {
  const id = openId();
  if (id !== undefined) {
    const isSought = () => rowLink(id) === null && openId() === id && mapBodies(list!).size < mostSought;
    while (isSought() && await loadOlder());
    return showRow(id);
  }
  const place = history.state as { readonly rows: number; readonly top: number } | null;
  if (place === null) return;
  while (mapBodies(list!).size < place.rows && await loadOlder());
  scrollTo({ top: place.top, behavior: "instant" });
}

// A request beside the list

function openClicked(event: MouseEvent): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const target = event.target as Element;
  const link = target.closest<HTMLAnchorElement>("a[href]") ?? findRowLink(target);
  if (link === null || link.origin !== location.origin) return;
  notePlace();
  const isEntry = /^\/[\w-]{12}$/.test(link.pathname.slice(pathOfList().length)) &&
    link.pathname.startsWith(`${pathOfList()}/`);
  const isList = link.pathname === pathOfList() && shownEntry() !== null &&
    link.closest("#list");
  if (isEntry) open(link.pathname + location.search);
  else if (link.dataset["key"] !== undefined) void unfold(link);
  else if (link.id === "close-entry") closeEntry();
  else if (isList) location.assign(location.pathname + link.search);
  else return;
  event.preventDefault();
}

/** A click anywhere in a row opens its request, unless the person selects text. */
function findRowLink(target: Element): HTMLAnchorElement | null {
  if (getSelection()?.isCollapsed === false || target.closest("button, summary, input, details")) return null;
  return target.closest("#requests tr")?.querySelector<HTMLAnchorElement>("td:nth-child(5) a:last-of-type") ??
    null;
}

/** Unfolds or folds the row where it is. */
async function unfold(link: HTMLElement): Promise<void> {
  await startScript(urlOf("unfold.js"));
  link.dispatchEvent(new CustomEvent("postern:unfold", { bubbles: true }));
}

function open(url: string): void {
  if (!isWide.matches) return location.assign(url);
  if (url !== location.pathname + location.search) history.pushState(null, "", url);
  void showAddress();
}

/** Opens the request of the next row, also of a folded login. Returns whether a request was open. */
function openNext(step: 1 | -1): boolean {
  const id = openId();
  if (id === undefined) return false;
  const links = [...list!.querySelectorAll<HTMLAnchorElement>("#requests td:nth-child(5) > a:not(.times)")];
  const next = links[links.indexOf(rowLink(id)!) + step];
  if (next !== undefined) open(next.pathname + location.search);
  return true;
}

/** The request beside the list, or the place that waits for it. */
function shownEntry(): HTMLElement | null {
  return main.querySelector(".entry");
}

/** The request of the address. While it loads, the page still shows another one. */
function openId(): string | undefined {
  return shownEntry() === null ? undefined : location.pathname.split("/").at(-1);
}

function closeEntry(): boolean {
  if (shownEntry() === null) return false;
  history.pushState(null, "", pathOfList() + location.search);
  void showAddress();
  return true;
}

/** Shows what the address says: a request beside the list, or the list alone. */
async function showAddress(): Promise<void> {
  const { pathname: path, search } = location;
  void look();
  const entry = shownEntry();
  if (location.pathname === pathOfList()) {
    const id = entry?.dataset["entry"];
    entry?.remove();
    markOpen();
    if (id !== undefined) findStop(rowLink(id))?.focus({ preventScroll: true });
    return;
  }
  if (!isWide.matches) return location.reload();
  if (entry !== null && location.pathname.endsWith(`/${entry.dataset["entry"]}`)) return;
  if (entry === null) makePlace();
  const fresh = await loadPage(path + search);
  const next = fresh?.querySelector<HTMLElement>(".entry");
  if (next) await adopt(fresh!);
  if (path !== location.pathname) return;
  // The request is gone, or the server is away: its page says so.
  if (!next) return location.reload();
  pageTitle = fresh!.title;
  writeTitle();
  shownEntry()?.remove();
  main.append(next);
  document.dispatchEvent(new Event("postern:changed"));
  showRow(next.dataset["entry"]!);
  const heading = next.querySelector("h1")!;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** The list makes room at once, so that nothing moves when the request comes. */
function makePlace(): void {
  const place = document.createElement("article");
  place.className = "entry";
  main.append(place);
}

/** The link in the row of a request. A row may stand for several. */
function rowLink(id: string): HTMLAnchorElement | null {
  return list!.querySelector<HTMLAnchorElement>(
    `#requests td:nth-child(5) > :is([href*="/${id}"], [data-others~="${id}"])`,
  );
}

/** Marks the row of a request, unfolds its login, and scrolls to it if it is out of sight. */
function showRow(id: string): void {
  markOpen();
  const row = rowLink(id);
  if (row === null) return;
  const details = row.closest("tbody")!.querySelector("details");
  if (details) details.open = true;
  const block = topOf(row) > innerHeight ? "center" : "nearest";
  row.scrollIntoView({ block, behavior: "instant" });
}

function markOpen(): void {
  offerKey();
  for (const each of list!.querySelectorAll("#requests [aria-current]")) each.removeAttribute("aria-current");
  const id = shownEntry()?.dataset["entry"];
  if (id !== undefined) rowLink(id)?.setAttribute("aria-current", "true");
  fitEntry();
}

/** Tells the sheet where the request begins, so that it ends with the window. */
function fitEntry(): void {
  main.style.setProperty("--top", `${Math.max(0, topOf(list!))}px`);
}

/** The form for the key stands once: in the request that is open, or below the list. */
function offerKey(): void {
  if (shownEntry()?.querySelector("#key-details")) keyForm?.remove();
  else if (keyForm?.isConnected === false) list!.querySelector(".list-end")!.prepend(keyForm);
}
