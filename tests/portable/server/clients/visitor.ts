/** A headless browser for several origins. It presses buttons of the server's pages by their ids. */

import { addCookies, readSetCookies } from "../../../cookies.ts";
import { attribute, byId, findAll, findById, readHtml } from "../../../server/pages/read_html.ts";

export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The address of a redirect to an origin that no server of the test has. */
  readonly leftFor?: URL;
}

export interface Visitor {
  open(url: string | URL): Promise<Visit>;
  /** Sends the form of this button, with the fields filled in by their ids. */
  press(visit: Visit, button: string, fields?: Readonly<Record<string, string>>): Promise<Visit>;
  /** Sends a form that the page's script would send. */
  sendForm(visit: Visit, form: string): Promise<Visit>;
  forget(): void;
}

export interface VisitorOptions {
  readonly send: (request: Request) => Promise<Response>;
  /** Whether a server of the test answers at this URL. */
  readonly serves: (url: URL) => boolean;
}

export function createVisitor({ send, serves }: VisitorOptions): Visitor {
  // Cookies ignore ports, as in every browser.
  const jar = new Map<string, Map<string, string>>();

  async function load(request: Request): Promise<Visit> {
    const url = new URL(request.url);
    if (!serves(url)) return { url, status: 0, headers: new Headers(), html: "", leftFor: url };
    const cookies = jar.get(url.hostname) ?? new Map<string, string>();
    jar.set(url.hostname, cookies);
    addCookies(request, cookies);
    const response = await send(request);
    for (const line of readSetCookies(response)) keepCookie(cookies, line);
    const location = response.headers.get("location");
    const html = await response.text();
    if (location === null) return { url, status: response.status, headers: response.headers, html };
    return await load(ask(new URL(location, url)));
  }

  function submit(visit: Visit, formId: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    const { url, status, html } = visit;
    if (!html.startsWith("<!doctype html>")) {
      throw new Error(`${url} answers ${status} without a page: ${html}`);
    }
    const document = readHtml(html);
    const form = findAll(document, "form").find((each) =>
      attribute(each, "id") === formId || findById(each, formId) !== undefined
    );
    if (form === undefined) throw new Error(`No form has #${formId}: ${html.slice(0, 400)}`);
    const body = new URLSearchParams();
    const formName = attribute(form, "id");
    const elsewhere = findAll(document, "input").filter((each) =>
      formName !== undefined && attribute(each, "form") === formName
    );
    for (const input of [...findAll(form, "input"), ...elsewhere]) {
      if (attribute(input, "type") === "checkbox" && attribute(input, "checked") === undefined) continue;
      const id = attribute(input, "id");
      body.append(attribute(input, "name")!, fields[id ?? ""] ?? attribute(input, "value") ?? "");
    }
    const pressed = findById(form, formId);
    const name = pressed && attribute(pressed, "name");
    if (name !== undefined) body.append(name, attribute(byId(form, formId), "value") ?? "");
    const action = new URL(attribute(form, "action") ?? "", url);
    return load(ask(action, { method: "POST", body }));
  }

  return {
    open: (url) => load(ask(new URL(url))),
    press: (visit, button, fields = {}) => submit(visit, button, fields),
    sendForm: (visit, form) => submit(visit, form, {}),
    forget: () => jar.clear(),
  };
}

function ask(url: URL, init: RequestInit = {}): Request {
  return new Request(url, { redirect: "manual", ...init });
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const equals = pair.indexOf("=");
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  const gone = attributes.some((each) => {
    const [key = "", text = ""] = each.trim().split("=");
    return /^max-age$/i.test(key)
      ? Number(text) <= 0
      : /^expires$/i.test(key) && new Date(text).getTime() <= Date.now();
  });
  if (gone) cookies.delete(name);
  else cookies.set(name, value);
}
