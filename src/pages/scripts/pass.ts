/**
 * Keeps the passes of this tab, which show secrets and allow changes: the second value beside a cookie. The storage of a
 * tab belongs to one port, and cookies do not. Loads the page again with them, before the scripts that import this one
 * run. Without this script, the forms of the pages carry the passes.
 */
/// <reference lib="dom" />

const storageName = "postern_pass";

// The server may have been restarted, and a tab may show several issuers.
const mostPasses = 8;

const { pass: state, address } = document.body.dataset;

if (state === "carried") {
  keepPasses();
  location.replace(address!);
  // This page is about to end, so the other scripts do not begin.
  await new Promise(() => {});
} else if (state === "missing") {
  await complete().catch(() => {});
  // Shows the page, which the stylesheet hides meanwhile.
  delete document.body.dataset["pass"];
}

/** Loads a page of the dashboard as this tab may see it. */
export async function loadPage(url: string): Promise<Document | undefined> {
  const response = await send(url);
  return response.ok ? parse(response) : undefined;
}

function send(url: string): Promise<Response> {
  const passes = sessionStorage.getItem(storageName);
  const headers = { accept: "text/html", ...(passes === null ? {} : { "postern-pass": passes }) };
  return fetch(url, { cache: "no-store", headers });
}

async function parse(response: Response): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function keepPasses(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("#carry input[name=pass]");
  const kept = (sessionStorage.getItem(storageName) ?? "").split(" ");
  const passes = new Set([...[...fields].map(({ value }) => value), ...kept.filter((each) => each !== "")]);
  sessionStorage.setItem(storageName, [...passes].slice(0, mostPasses).join(" "));
}

/** Replaces the content of the page by what the passes show. An answer of any status is a page, if they are right. */
async function complete(): Promise<void> {
  if (sessionStorage.getItem(storageName) === null) return;
  const fresh = await parse(await send(location.href));
  if (fresh.body.dataset["pass"] !== "given") return;
  document.title = fresh.title;
  document.querySelector("main")!.replaceChildren(...fresh.querySelector("main")!.childNodes);
  for (const { src } of fresh.querySelectorAll<HTMLScriptElement>("script[src]")) addScript(src);
  document.dispatchEvent(new Event("postern:replaced"));
  if (location.hash !== "") {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
}

/** The page without the passes may have had fewer scripts. */
function addScript(src: string): void {
  if ([...document.scripts].some((each) => each.src === src)) return;
  const script = document.createElement("script");
  script.type = "module";
  script.src = src;
  document.head.append(script);
}
