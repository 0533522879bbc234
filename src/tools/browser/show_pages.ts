/** Shows the pages of a mock in a frame or a window, and answers their links and forms without a network. */
/// <reference lib="dom" />

import { type Browser, createBrowser, formatCookies, storeCookies } from "../../kit/mock/client/browser.ts";
import { createPlainRequest } from "../../kit/mock/client/plain_request.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import { createForm } from "../../server/client/client_request.ts";
import { textOf } from "../../server/http/body.ts";
import type { Pair } from "../../server/http/form.ts";
import type { Answer } from "../../server/http/message.ts";
import { encodeText } from "../../server/values/octets.ts";
import { listenToPage } from "./listen_to_page.ts";
import { findScreen, type Screen } from "./screen.ts";
import type { WindowTerms } from "./window_terms.ts";

interface Showing {
  readonly mock: Mock;
  readonly browser: Browser;
  readonly screen: Screen;
  readonly redirectUri: string | null;
  readonly resolve: (callback: URL) => void;
  readonly reject: (error: unknown) => void;
}

/** People stay signed in, as in the tabs of one browser. */
const browsers = new WeakMap<Mock, Browser>();

/** `ending` removes the pages, and rejects. */
export async function showPages(
  url: string,
  terms: WindowTerms,
  mock: Mock,
  ending: AbortSignal,
): Promise<URL> {
  const { origin, searchParams } = new URL(url);
  if (origin !== new URL(mock.issuer).origin) {
    throw new TypeError(`Cannot show a page of ${origin}: expected a URL of ${mock.issuer}`);
  }
  const redirectUri = searchParams.get("redirect_uri");
  const mode = searchParams.get("response_mode") ?? "";
  if (mode.startsWith("form_post")) throw inForm(`${redirectUri}`);
  if (mode === "web_message") {
    throw new TypeError(
      `The response for ${redirectUri} comes in a message (response_mode=web_message), which window() cannot hand ` +
        "over: use another response_mode",
    );
  }
  const browser = browsers.get(mock) ?? createBrowser();
  browsers.set(mock, browser);
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  const closed = () =>
    reject(new Error("The window was closed before the server sent an authorization response"));
  const end = () => reject(ending.reason);
  ending.throwIfAborted();
  const screen = findScreen(terms, closed);
  const showing: Showing = { mock, browser, screen, redirectUri, resolve, reject };
  ending.addEventListener("abort", end);
  try {
    open(url, undefined, showing).catch(reject);
    return await promise;
  } finally {
    ending.removeEventListener("abort", end);
    screen.remove();
  }
}

// More than any flow needs.
const mostRedirects = 20;

/** Sends a request, or a form, and follows redirects until a page appears or one leads to the client. */
async function open(url: string, form: readonly Pair[] | undefined, showing: Showing): Promise<void> {
  const { mock, browser, resolve } = showing;
  for (let [address, fields] = [url, form], count = 0; count < mostRedirects; count++) {
    const answer = await request(address, fields, mock, browser);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || typeof location !== "string") {
      return await show(address, answer, showing);
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
): Promise<Answer> {
  const cookie = formatCookies(browser);
  const headers: readonly Pair[] = [
    ["accept", "text/html"],
    ["accept-language", navigator.language],
    // A page of the server, or the address bar.
    ["sec-fetch-site", form === undefined ? "none" : "same-origin"],
    ["sec-fetch-dest", "document"],
    ...(cookie === undefined ? [] : [["cookie", cookie] as const]),
  ];
  const answer = await mock.answer(
    createPlainRequest(form === undefined ? { url, headers } : createForm(url, form, headers)),
  );
  storeCookies(browser, [answer.headers["set-cookie"] ?? []].flat());
  return answer;
}

/** The server's own callback page is the redirect URI of the demo clients. */
function leavesServer(next: URL, { mock, redirectUri }: Pick<Showing, "mock" | "redirectUri">): boolean {
  return next.origin !== new URL(mock.issuer).origin ||
    redirectUri !== null && next.href.split(/[?#]/)[0] === redirectUri.split(/[?#]/)[0];
}

async function show(url: string, answer: Answer, showing: Showing): Promise<void> {
  const { screen, reject, resolve } = showing;
  const page = screen.draw(await withOwnParts(textOf(answer.body), url, showing));
  listenToPage(page, url, {
    follow: (next) => {
      if (leavesServer(next, showing)) resolve(next);
      else open(next.href, undefined, showing).catch(reject);
    },
    submit(action, fields) {
      if (leavesServer(action, showing)) reject(inForm(action.href));
      else open(action.href, fields, showing).catch(reject);
    },
  });
}

function inForm(address: string): TypeError {
  return new TypeError(
    `The response for ${address} comes in a form (response_mode=form_post), which window() cannot hand over: use ` +
      "as.authorizeForm(), or another response_mode",
  );
}

/** Puts style sheets and pictures into the page, because nothing answers their addresses. Scripts are left out. */
async function withOwnParts(html: string, url: string, { mock, browser }: Showing): Promise<string> {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const load = async (path: string) =>
    textOf((await request(new URL(path, url).href, undefined, mock, browser)).body);
  for (const link of parsed.querySelectorAll("link[rel=stylesheet]")) {
    const style = parsed.createElement("style");
    style.textContent = await load(link.getAttribute("href") ?? "");
    link.replaceWith(style);
  }
  for (const image of parsed.querySelectorAll("img[src$='.svg']")) {
    const text = await load(image.getAttribute("src") ?? "");
    image.setAttribute("src", `data:image/svg+xml;base64,${encodeText(text, "base64")}`);
  }
  for (const each of parsed.querySelectorAll("script, link, base")) each.remove();
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}
