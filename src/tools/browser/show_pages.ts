/** Shows the pages of a mock in a frame or a window, and answers their links and forms without a network. */
/// <reference lib="dom" />

import types from "../../../static/other_terms.json" with { type: "json" };
import { type Browser, createBrowser, formatCookies, storeCookies } from "../../kit/mock/client/browser.ts";
import { createPlainRequest } from "../../kit/mock/client/plain_request.ts";
import { refusedBy } from "../../kit/mock/journal/refused.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import { findStarted } from "../../kit/mock/mock_parts.ts";
import { requireTerms } from "../../kit/mock/terms/known_options.ts";
import { createForm } from "../../server/client/client_request.ts";
import { withoutQuery } from "../../ground/http/address.ts";
import { textOf } from "../../ground/http/body.ts";
import type { Pair } from "../../ground/http/form.ts";
import type { Answer } from "../../ground/http/message.ts";
import type { Facts } from "../../server/oauth/contracts/journal.ts";
import { listenToPage } from "./listen_to_page.ts";
import { type Drawing, findScreen, type Screen } from "./screen.ts";
import type { WindowTerms } from "./window_terms.ts";

interface Showing {
  readonly mock: Mock;
  readonly browser: Browser;
  readonly screen: Screen;
  readonly redirectUri: string | null;
  readonly resolve: (callback: URL) => void;
  readonly reject: (error: unknown) => void;
  /** The person closes the pages, or the page has taken them away. */
  readonly close: (what?: string) => void;
  /** Why the server refused the request, if its page says so. */
  refusal: Error | undefined;
  isOver: boolean;
}

const doing = "show the pages";
/** People stay signed in, as in the tabs of one browser. */
const browsers = new WeakMap<Mock, Browser>();

/** The frames and windows that show pages. */
const used = new WeakSet<object>();

/** `ending` removes the pages, and rejects. */
export async function showPages(
  url: string,
  terms: WindowTerms,
  mock: Mock,
  ending: AbortSignal,
): Promise<URL> {
  requireWindowTerms(url, terms, mock);
  ending.throwIfAborted();
  const { signal, browser = browsers.get(mock) ?? createBrowser(), popup, frame } = terms;
  if (terms.browser === undefined) browsers.set(mock, browser);
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  const close = (what = "The window was closed"): void =>
    reject(showing.refusal ?? new Error(`${what} before the server sent an authorization response`));
  const { origin } = new URL(url);
  const screen = findScreen({ ...terms, issuer: isProvider(origin, mock) ? origin : mock.issuer, close });
  const redirectUri = new URL(url).searchParams.get("redirect_uri");
  const showing: Showing = {
    ...{ mock, browser, screen, redirectUri, resolve, reject, close },
    ...{ refusal: undefined, isOver: false },
  };
  const place = popup ?? frame;
  if (place !== undefined) used.add(place);
  const stopWatching = watch(showing, signal === undefined ? [ending] : [ending, signal]);
  try {
    go(url, undefined, showing);
    return await promise;
  } finally {
    showing.isOver = true;
    stopWatching();
    if (place !== undefined) used.delete(place);
    screen.remove();
  }
}

function requireWindowTerms(url: string, terms: WindowTerms, mock: Mock): void {
  requireTerms(doing, terms, types.WindowTerms);
  if (!URL.canParse(url) || !isOfServer(new URL(url), mock)) {
    const { claimedHosts } = findStarted(mock)!.shared;
    const known = [mock.issuer, ...claimedHosts.origins].join(" or ");
    throw new TypeError(`Cannot ${doing} of ${withoutQuery(url)}: expected a URL of ${known}`);
  }
  const { searchParams } = new URL(url);
  const redirectUri = searchParams.get("redirect_uri");
  const mode = searchParams.get("response_mode") ?? "";
  if (mode.startsWith("form_post")) throw inForm(`${redirectUri}`);
  if (mode === "web_message") {
    throw new TypeError(
      `The response for ${redirectUri} comes in a message (response_mode=web_message), which window() cannot hand ` +
        "over: use another response_mode",
    );
  }
  const place = terms.popup ?? terms.frame;
  if (place !== undefined && used.has(place)) {
    throw new TypeError(
      `Cannot ${doing} where another call shows its own: wait for that one, or give another frame or popup`,
    );
  }
  terms.signal?.throwIfAborted();
}

/** Rejects when nothing can send a response any more. */
function watch({ screen, close, reject }: Showing, signals: readonly AbortSignal[]): () => void {
  const timer = setInterval(() => {
    const end = screen.findEnd();
    if (end !== undefined) close(end);
  }, pause);
  const listeners = signals.map((signal) => [signal, () => reject(signal.reason)] as const);
  for (const [signal, abort] of listeners) signal.addEventListener("abort", abort);
  return () => {
    clearInterval(timer);
    for (const [signal, abort] of listeners) signal.removeEventListener("abort", abort);
  };
}

// Milliseconds. No event of the page tells that a window of it was closed, or a frame removed.
const pause = 200;

function go(url: string, form: readonly Pair[] | undefined, showing: Showing): void {
  open(url, form, showing).catch((error) => {
    // A window that is closed cannot show a page.
    const end = showing.screen.findEnd();
    if (end === undefined) showing.reject(error);
    else showing.close(end);
  });
}

// More than any flow needs.
const mostRedirects = 20;

/** Sends a request, or a form, and follows redirects until a page appears or one leads to the client. */
async function open(url: string, form: readonly Pair[] | undefined, showing: Showing): Promise<void> {
  const { mock, browser, resolve } = showing;
  for (let [address, fields] = [url, form], count = 0; count < mostRedirects; count++) {
    const { answer, facts } = await request(address, fields, mock, browser);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || typeof location !== "string") {
      return await show(address, answer, facts, showing);
    }
    const next = new URL(location, address);
    if (leavesServer(next, showing)) return resolve(next);
    [address, fields] = [next.href, undefined];
  }
  throw new Error(`Too many redirects of ${mock.issuer}`);
}

async function request(
  url: string,
  form: readonly Pair[] | undefined,
  mock: Mock,
  browser: Browser,
): Promise<{ readonly answer: Answer; readonly facts: Partial<Facts> | undefined }> {
  const cookie = formatCookies(browser);
  const headers: readonly Pair[] = [
    ["accept", "text/html"],
    ["accept-language", navigator.language],
    // A page of the server, or the address bar.
    ["sec-fetch-site", form === undefined ? "none" : "same-origin"],
    ["sec-fetch-mode", "navigate"],
    ["sec-fetch-dest", "document"],
    ...(cookie === undefined ? [] : [["cookie", cookie] as const]),
  ];
  const sent = createPlainRequest(form === undefined ? { url, headers } : createForm(url, form, headers));
  const { at, providerAt } = findStarted(mock)!;
  const { factsOf } = providerAt(sent.address.origin) ?? at(sent.address.path);
  const answer = await mock.answer(sent);
  storeCookies(browser, [answer.headers["set-cookie"] ?? []].flat());
  return { answer, facts: factsOf(sent) };
}

function isOfServer({ origin }: URL, mock: Mock): boolean {
  return origin === new URL(mock.issuer).origin || isProvider(origin, mock);
}

function isProvider(origin: string, mock: Mock): boolean {
  return findStarted(mock)!.providerAt(origin) !== undefined;
}

/** The server's own callback page is the redirect URI of the demo clients. */
function leavesServer(next: URL, { mock, redirectUri }: Showing): boolean {
  return !isOfServer(next, mock) ||
    redirectUri !== null && withoutQuery(next.href) === withoutQuery(redirectUri);
}

async function show(
  url: string,
  answer: Answer,
  facts: Partial<Facts> | undefined,
  showing: Showing,
): Promise<void> {
  const parsed = new DOMParser().parseFromString(textOf(answer.body), "text/html");
  const foreign = [...parsed.forms].map((form) => new URL(form.getAttribute("action") ?? url, url))
    .find((action) => leavesServer(action, showing));
  if (foreign !== undefined) throw inForm(foreign.href);
  const isRefusal = facts?.refusal !== undefined && parsed.querySelector("main form") === null;
  const sheets = await takeOwnParts(parsed, url, showing);
  if (showing.isOver) return;
  showing.refusal = isRefusal ? refusedBy(doing, facts, answer) : undefined;
  const page = showing.screen.draw({ html: `<!doctype html>${parsed.documentElement.outerHTML}`, sheets });
  if (isRefusal) addCloseButton(page, showing);
  listenToPage(page, url, {
    follow(next) {
      if (leavesServer(next, showing)) showing.resolve(next);
      else go(next.href, undefined, showing);
    },
    submit: (action, fields) => go(action.href, fields, showing),
  });
}

/** No response follows this page, and a frame of the application has no other way out. */
function addCloseButton(page: Document, { close }: Showing): void {
  const button = page.createElement("button");
  button.type = "button";
  button.id = "close";
  button.className = "button";
  button.textContent = "Close";
  button.onclick = () => close();
  (page.querySelector(".onward") ?? page.body).append(button);
}

function inForm(address: string): TypeError {
  return new TypeError(
    `The response for ${address} comes in a form (response_mode=form_post), which window() cannot hand over: use ` +
      "as.authorizeForm(), or another response_mode",
  );
}

/** Returns the style sheets, and puts pictures into the page, because nothing answers their addresses. Scripts are left out. */
async function takeOwnParts(
  page: Document,
  url: string,
  { mock, browser }: Showing,
): Promise<Drawing["sheets"]> {
  const load = async (path: string | null) =>
    textOf((await request(new URL(path ?? "", url).href, undefined, mock, browser)).answer.body);
  const links = [...page.querySelectorAll("link[rel=stylesheet]")];
  const sheets = await Promise.all(links.map((link) => load(link.getAttribute("href"))));
  for (const image of page.querySelectorAll("img[src$='.svg']")) {
    const text = await load(image.getAttribute("src"));
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const name of ["width", "height"]) drawn.setAttribute(name, image.getAttribute(name) ?? "");
    image.replaceWith(drawn);
  }
  for (const each of page.querySelectorAll("script, link, base")) each.remove();
  return sheets;
}
