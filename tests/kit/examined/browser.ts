/** A browser at an application: it keeps the cookies, does not follow redirects, and has a window for libraries that open pages. */

import { AsyncLocalStorage } from "node:async_hooks";
import { SeenByDriver } from "./examined.ts";

export type Open = (path: string, body?: string) => Promise<Response>;

/** Returns a function that opens a path of the application. With a body, it sends a POST. */
export function createBrowser(
  origin: string,
  answer: (request: Request) => Promise<Response>,
): Open {
  const cookies = new Map<string, string>();
  return async (path, body) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const isJson = body?.startsWith("{");
    const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
    const response = await answer(
      new Request(new URL(path, origin), {
        redirect: "manual",
        headers: { cookie, origin, ...(body === undefined ? {} : { "content-type": type }) },
        ...(body === undefined ? {} : { method: "POST", body }),
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}

/** Returns the address to which the application redirects. */
export async function locationOf(response: Response): Promise<URL> {
  const { status, headers } = response;
  const location = headers.get("location");
  if (location === null) {
    throw new SeenByDriver(`the application answers ${status}: ${await response.text()}`);
  }
  return new URL(location, "https://app.test");
}

/** Receives the address that the library opens in this run. Several runs share the global `window`. */
const opens = new AsyncLocalStorage<(url: string) => void>();

const openInRun = (url: string) => opens.getStore()?.(url);

const location = {
  set href(url: string) {
    openInRun(url);
  },
  assign: openInRun,
  replace: openInRun,
};

const browserWindow = {
  location,
  addEventListener() {},
  stop() {},
  get self() {
    return browserWindow;
  },
};

let runs = 0;

/** Does the work of a page, and resolves to the address that the library opens. The work need not end, as a page does not. */
export async function openedBy(work: () => Promise<unknown>): Promise<string> {
  runs += 1;
  Object.defineProperty(globalThis, "window", { value: browserWindow, configurable: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      opens.run(resolve, () => {
        work().then(() => reject(new SeenByDriver("the library opens no page")), reject);
      });
    });
  } finally {
    runs -= 1;
    // Other libraries take a process with a window for a browser.
    if (runs === 0) Reflect.deleteProperty(globalThis, "window");
  }
}
