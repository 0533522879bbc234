/**
 * What this tab may see. Its passes, the second value beside a cookie, show secrets and allow changes. The storage of a
 * tab belongs to one port, and cookies do not.
 */
/// <reference lib="dom" />

const storageName = "postern_pass";

// The server may have been restarted, and a tab may show several issuers.
const mostPasses = 8;

export function readPasses(): readonly string[] {
  return sessionStorage.getItem(storageName)?.split(" ") ?? [];
}

export function keepPasses(passes: readonly string[]): void {
  const all = new Set([...passes, ...readPasses()]);
  sessionStorage.setItem(storageName, [...all].slice(0, mostPasses).join(" "));
}

/** Requests a page of the dashboard as this tab may see it. */
export function requestPage(url: string): Promise<Response> {
  const headers = { accept: "text/html", "postern-pass": readPasses().join(" ") };
  return fetch(url, { cache: "no-store", headers });
}

/** Loads a page. `undefined`: the server refuses it, or is away for a moment, for example during a restart. */
export function loadPage(url: string): Promise<Document | undefined> {
  return requestPage(url)
    .then((response) => response.ok ? readPage(response) : undefined)
    .catch(() => undefined);
}

export async function readPage(response: Response): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
