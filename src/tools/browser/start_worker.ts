/** Starts the service worker that answers for an issuer of this site, and waits until this page is under its control. */
/// <reference lib="dom" />

import type { StartedWorker, WorkerTerms } from "./worker_terms.ts";
import { findProfile } from "../../server/oauth/contracts/paths.ts";
import { controlPath } from "../guard/control_paths.ts";
import { issuerParameter, statusPath } from "./worker/worker_paths.ts";

/**
 * Registers `postern-worker.js`, tells it the options of its mock, and resolves when it answers this page. The records
 * outlive the page and the worker. Other options make a new mock with the same records.
 */
export async function startWorker(
  { script = "/postern-worker.js", scope = "./", issuer: given, ...options }: WorkerTerms = {},
): Promise<StartedWorker> {
  const container = requireWorkers();
  const url = new URL(script, location.href);
  const scopeUrl = new URL(scope, url);
  const issuer = readIssuer(given ?? `idp${findProfile(options.paths).issuerPath ?? ""}`, scopeUrl);
  const baseUrl = issuer.replace(/\/$/, "");
  const text = writeOptions(options);
  url.searchParams.set(issuerParameter, new URL(issuer).pathname);
  const registration = await register(url, scopeUrl, container);
  await takeControl(await waitUntilActive(registration), { container, scopeUrl, url });
  const { version } = await send(baseUrl + statusPath, { method: "PUT", body: text }) as {
    readonly version: string;
  };
  return {
    issuer,
    version,
    async control(call, body) {
      const [method = "", path = ""] = call.split(" ");
      const json = body === undefined ? {} : {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      };
      return await send(baseUrl + controlPath + path, { method, ...json });
    },
    async remove() {
      await registration.unregister();
    },
  };
}

const doing = "Cannot start the worker";

function requireWorkers(): ServiceWorkerContainer {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker !== undefined) return serviceWorker;
  if (location.protocol === "file:") {
    throw new TypeError(`${doing} in a file: serve the page at localhost or with https`);
  }
  throw new TypeError(
    isSecureContext
      ? `${doing}: this browser has no service workers here. Some have none in private windows: use a usual one`
      : `${doing} in a page of ${location.origin}, because browsers give service workers to https and to ` +
        "localhost only: open the page at one of them",
  );
}

/** The issuer has a path, so that it does not answer for the whole site. A slash at its end belongs to it. */
function readIssuer(given: string, scope: URL): string {
  const { href, origin, pathname, search, hash } = new URL(given, scope);
  if (origin !== location.origin || pathname === "/" || search !== "" || hash !== "") {
    throw new TypeError(
      `${doing} for the issuer ${given}: expected a path of ${location.origin}, for example /idp`,
    );
  }
  return href.replace(/([^/])\/+$/, "$1/");
}

/** A worker runs no function of the page. */
function writeOptions(options: object): string {
  return JSON.stringify(options, (name, value) => {
    if (typeof value !== "function") return value;
    throw new TypeError(`${doing} with ${name}: a function cannot be sent to the worker`);
  });
}

async function register(
  url: URL,
  scope: URL,
  container: ServiceWorkerContainer,
): Promise<ServiceWorkerRegistration> {
  try {
    return await container.register(url, { scope: scope.href });
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\.$/, "");
    throw new Error(
      `${doing} ${url.pathname} for ${scope.pathname}: ${reason}. Copy postern-worker.js and the ` +
        "folder postern-worker/ from the package to the root of your application, as files of this site. If they " +
        "are there, the browser refuses workers here, as some do in private windows, or if a person has blocked " +
        "the data of this site",
      { cause },
    );
  }
}

function waitUntilActive(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
  const worker = registration.installing ?? registration.waiting ?? registration.active!;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve(worker);
      // A later release may have replaced it meanwhile.
      else if (worker.state === "redundant" && registration.active !== null) resolve(registration.active);
      else if (worker.state === "redundant") {
        reject(new Error(`${doing}: the browser could not install it. Its console says why`));
      }
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

interface Controlled {
  readonly container: ServiceWorkerContainer;
  readonly scopeUrl: URL;
  readonly url: URL;
}

/** A forced reload loads a page past its worker, which can still take it. */
async function takeControl(worker: ServiceWorker, { container, scopeUrl, url }: Controlled): Promise<void> {
  if (!location.href.startsWith(scopeUrl.href)) {
    throw new TypeError(`${doing}: this page is not below its scope ${scopeUrl.href}`);
  }
  // The browser answers after it has said who controls the page.
  await container.getRegistration();
  if (container.controller === null) {
    const { port1, port2 } = new MessageChannel();
    const claimed = new Promise((resolve) => port1.onmessage = resolve);
    worker.postMessage("claim", [port2]);
    await claimed;
    port1.close();
    await container.getRegistration();
  }
  const { controller } = container;
  if (controller === null) {
    throw new Error(
      `${doing}: the browser has loaded this page past it, as after a forced reload. Load the page again ` +
        "without Shift, and with the developer tools not set to bypass service workers",
    );
  }
  if (new URL(controller.scriptURL).pathname === url.pathname) return;
  throw new Error(
    `${doing}: another service worker, ${controller.scriptURL}, controls this page. Remove it, or give this one ` +
      "a scope that is closer to the page",
  );
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  let answer: { readonly error_description?: string };
  try {
    answer = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Error(
      `${init.method} ${url} went past the worker. Switch "Bypass for network" off in the developer tools`,
    );
  }
  if (!response.ok) throw new Error(answer.error_description ?? `${init.method} ${url}: ${response.status}`);
  return answer;
}
