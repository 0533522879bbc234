/**
 * An application on another port of this host. Browsers send it the cookies of the server, because cookies know no port.
 * It sends them to the server from its own program, with any header, reads every page, and sends every form.
 */

import { attribute, findAll, readHtml } from "../server/pages/read_html.ts";

/** Sends a request as a program does, and follows no redirect. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

export interface Replayed {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ReplayOptions {
  /** The cookies that the application received. */
  readonly cookie: string;
  /** The origin of the server. */
  readonly origin: string;
  /** The addresses that the application knows. */
  readonly starts: readonly string[];
  /** False: it only reads pages. */
  readonly sendsForms: boolean;
  /** Whether an address is one that the test is about. */
  readonly isOf: (path: string) => boolean;
}

// A bound for the loop: a page that links to ever new pages would never end.
const mostRequests = 1000;

/** Searches, orders and ways back. Requests that differ in these alone are alike, and one of them is enough. */
const alike = /\b(q|order|next)=[^&\s]*/g;

/** Reads every page and sends every form that the application finds, and returns all answers. */
export async function replay(
  ask: Ask,
  { cookie, origin, starts, sendsForms, isOf }: ReplayOptions,
): Promise<Replayed[]> {
  const answers: Replayed[] = [];
  const waiting: { readonly path: string; readonly body?: URLSearchParams }[] = starts.map((path) => ({
    path,
  }));
  const known = new Set<string>();

  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, body } = next;
    const request = `${body === undefined ? "GET" : "POST"} ${path} ${body ?? ""}`.trim();
    const kind = request.replace(alike, "$1");
    if (known.has(kind) || !isOf(path) || body !== undefined && !sendsForms) continue;
    known.add(kind);
    if (known.size > mostRequests) throw new Error(`The application finds no end: ${request}`);
    // What a browser would send from a page of the server itself.
    const headers = {
      ...{ cookie, origin, accept: "text/html", "sec-fetch-site": "same-origin" },
      ...{ "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    };
    const response = await ask(
      path,
      body === undefined ? { headers } : { method: "POST", body, headers },
    );
    if (response.headers.get("content-type") === "text/event-stream") {
      await response.body?.cancel();
      continue;
    }
    const text = await response.text();
    answers.push({ request, status: response.status, headers: response.headers, text });
    const location = response.headers.get("location");
    if (location !== null) waiting.push({ path: pathOf(location, path, origin) });
    if (text.startsWith("<!doctype html>")) waiting.push(...findWays(text, path, origin));
  }
  return answers;
}

function pathOf(url: string, base: string, origin: string): string {
  const { origin: found, pathname, search } = new URL(url, origin + base);
  return found === origin ? pathname + search : found;
}

/** Lists the links of a page, and its forms with all their fields: once for each button. */
function findWays(html: string, path: string, origin: string): { path: string; body?: URLSearchParams }[] {
  const page = readHtml(html);
  const links = findAll(page, "a").flatMap((each) => attribute(each, "href") ?? []);
  const forms = findAll(page, "form").flatMap((form) => {
    const action = pathOf(attribute(form, "action") ?? path, path, origin);
    const fields = ["input", "textarea", "select"].flatMap((name) => findAll(form, name))
      .flatMap((field): [string, string][] => {
        const name = attribute(field, "name");
        const value = attribute(field, "value") ?? attribute(findAll(field, "option")[0] ?? field, "value");
        return name === undefined ? [] : [[name, value || "1"]];
      });
    const buttons = [...findAll(form, "button"), form].map((button): [string, string][] => {
      const name = attribute(button, "name");
      return name === undefined ? [] : [[name, attribute(button, "value") ?? ""]];
    });
    return buttons.flatMap((pressed) => {
      const body = new URLSearchParams([...fields, ...pressed]);
      const [address] = action.split("?");
      return [{ path: action, body }, { path: `${address}?${body}` }];
    });
  });
  return [...links.map((href) => ({ path: pathOf(href, path, origin) })), ...forms];
}
