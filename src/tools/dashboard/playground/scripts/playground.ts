/** Shows the request and its check while the person types, and sends it. Without this script the page is loaded again. */
/// <reference lib="dom" />

import type { RequestProps } from "../playground_request.tsx";
import { parseJson } from "../../../../ground/values/parse_json.ts";

// Milliseconds without a key press.
const pause = 250;

const build = document.querySelector<HTMLFormElement>("#build");
const shown = document.querySelector<HTMLElement>("#response");
const words = JSON.parse(shown?.dataset["words"] ?? "{}") as Readonly<Record<string, string>>;
let timer: ReturnType<typeof setTimeout> | undefined;
let updates = 0;

enable();
build?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(update, pause);
});
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (form.id !== "build" && form.id !== "send") return;
  event.preventDefault();
  if (form.id === "build") void update().then(() => document.getElementById("outcome")?.scrollIntoView());
  else void send(form);
});

/** Shows what works only with a script, and hides what is needed only without it. */
function enable(): void {
  for (const each of document.querySelectorAll<HTMLElement>("[data-without-script]")) each.hidden = true;
  for (const each of document.querySelectorAll<HTMLElement>("#send-request")) each.hidden = false;
}

async function update(): Promise<void> {
  if (!build) return;
  const own = ++updates;
  const body = new URLSearchParams(new FormData(build) as unknown as Record<string, string>);
  const response = await fetch(build.action, { method: "POST", body, headers: { accept: "text/html" } })
    .catch(() => undefined);
  // A later update has begun, or the server was restarted and refuses the form.
  if (response === undefined || own !== updates) return;
  if (!response.ok) return location.reload();
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart && freshPart.innerHTML !== part.innerHTML) part.replaceChildren(...freshPart.childNodes);
  }
  for (const field of build.querySelectorAll(".field > [name]")) {
    field.ariaInvalid = fresh.getElementById(field.id)?.ariaInvalid ?? null;
  }
  enable();
  document.dispatchEvent(new Event("postern:changed"));
  // The address has no secrets. A form with secrets has no address of its own.
  if (response.redirected) history.replaceState(null, "", response.url.replace(/#.*/, ""));
}

async function send(form: HTMLFormElement): Promise<void> {
  if (!shown) return;
  const { method, target, headers, body } = JSON.parse(form.dataset["request"] ?? "{}") as RequestProps;
  shown.replaceChildren(element("h2", words["heading"]));
  try {
    const response = await fetch(target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: method === "POST" ? body ?? "" : null,
      redirect: "manual",
      // A client has no cookies. With them, Chromium answers the challenge of a 401 by a window for a password.
      credentials: "omit",
    });
    const text = await response.text();
    showResponse(shown, response, text);
    showStart(shown, new URLSearchParams(body).get("client_id"), text);
  } catch {
    shown.append(element("p", words["failed"]));
  }
  const sent = new URLSearchParams({ method, path: target.split("?")[0] ?? "" });
  const found = await fetch(`${form.dataset["sent"]}?${sent}`).then((each) => each.json()).catch(() => ({}));
  if (typeof found.href !== "string") return;
  const link = element("a", words["inspector"]);
  link.href = found.href;
  link.id = "sent";
  shown.append(element("p", link));
}

/** Links to the login of a pushed authorization request (RFC 9126 §4). */
function showStart(place: HTMLElement, clientId: string | null, text: string): void {
  const pushed = Object(parseJson(text))["request_uri"];
  if (typeof pushed !== "string" || clientId === null) return;
  const link = element("a", words["start"]);
  link.href = `${place.dataset["authorize"]}?${new URLSearchParams({
    client_id: clientId,
    request_uri: pushed,
  })}`;
  link.className = "button primary";
  place.append(element("p", link));
}

function showResponse(place: HTMLElement, response: Response, text: string): void {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  place.append(
    element("p", element("strong", `${response.status} ${response.statusText}`.trim())),
    block(lines.join("\n")),
  );
  const json = parseJson(text);
  if (text !== "") place.append(block(json === undefined ? text : JSON.stringify(json, null, 2)));
  if (text !== "" && response.ok) place.append(element("p", readButton(text)));
  const tokens = typeof json === "object" && json !== null ? Object.entries(json) : [["", text]];
  for (const [name, token] of tokens) if (typeof token === "string") showJwt(place, String(name), token);
}

function showJwt(place: HTMLElement, name: string, token: string): void {
  const [header, claims] = token.split(".").slice(0, 2).map(decode);
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(token) || header === undefined || claims === undefined) return;
  place.append(
    element("h3", `${name} (${words["decoded"]})`),
    block(`${JSON.stringify(header, null, 2)}\n${JSON.stringify(claims, null, 2)}`),
  );
}

/** Creates a button that sends the text to the page that takes texts apart. */
function readButton(text: string): HTMLButtonElement {
  const button = element("button", words["takeApart"]);
  button.type = "button";
  button.className = "button";
  button.addEventListener("click", () => {
    const field = document.querySelector<HTMLTextAreaElement>("#pasted");
    if (!field) return;
    field.value = text;
    field.form?.requestSubmit();
  });
  return button;
}

function decode(part: string): unknown {
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

function block(text: string): HTMLElement {
  const pre = element("pre", element("code", text));
  pre.className = "block";
  pre.tabIndex = 0;
  return pre;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  content: string | Node = "",
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.append(content);
  return created;
}
