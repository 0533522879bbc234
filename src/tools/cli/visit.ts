/** `postern visit`: opens an authorization URL without a browser, answers the server's pages, and prints where that ends. */

import process from "node:process";
import { visible } from "../../server/pages/visible.ts";
import { isLoopbackHost, withoutBrackets } from "../../server/http/address.ts";
import {
  browse,
  type Browser,
  createBrowser,
  type Departure,
  passwordVariable,
  readLocation,
} from "./browse.ts";
import type { Command } from "./command.ts";
import { CommandError, failed } from "./command_error.ts";
import { readFlags } from "./flags.ts";
import { explainCertificate, isRefused } from "./send_request.ts";
import { present } from "../../server/values/present.ts";

const table = {
  as: {
    value: "PERSON",
    help:
      "The person who signs in. Default: the login_hint of the URL, or the first person that the server offers.",
  },
  deny: { help: "Deny the request: before the sign-in or, with --as, on the consent page." },
  password: {
    value: "PASSWORD",
    help: `The person's password, if there is one. Default: the environment variable ${passwordVariable}.`,
    secret: true,
  },
  stop: { help: "Print the redirect URI with the response, and do not open it." },
} as const;

export const visit: Command = {
  usage: "visit URL [flags]",
  summary: "Open an authorization URL without a browser: sign in, approve, follow.",
  notes: () =>
    "It prints the URL where it ends. A redirect URI on this machine is opened, and any other is only printed.\n" +
    "An error of the server or of the application ends with the exit code 1.",
  flags: table,
  async run(args) {
    const { flags, operands: [text] } = readFlags(args, table, { operands: 1 });
    const { as: person, deny = false, stop = false } = flags;
    const start = readStart(text, person);
    const password = flags.password ?? process.env[passwordVariable];
    const hint = person ?? start.searchParams.get("login_hint") ?? undefined;
    const browser = createBrowser();
    const departure = await browse(start.href, (url) => leavesServer(url, start), {
      issuer: start.origin,
      ...present({ person: hint, password }),
      ...(deny ? { denial: person === undefined ? "immediately" : "after_sign_in" } : {}),
      namesClient: true,
    }, browser);
    const isFollowed = !stop && isOnThisMachine(departure.url);
    const { url, status } = isFollowed
      ? await follow(departure, browser)
      : { url: departure.url, status: undefined };
    console.log(url.href);
    // With form_post, the response is in the form and not in the URL.
    if (!isFollowed && departure.form !== undefined) console.log(`${departure.form}`);
    requireExpectedResponse(departure, { deny });
    if (status !== undefined && status >= 400) throw failed(`${url.origin + url.pathname} answers ${status}`);
  },
};

function readStart(text: string | undefined, person: string | undefined): URL {
  if (text === undefined) throw new CommandError("name the authorization URL that the application opens");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`the authorization URL must be an http or https URL, not ${visible(text)}`);
  }
  // Automatic sign-in shows no page, and signs in the person of login_hint.
  if (person !== undefined) url.searchParams.set("login_hint", person);
  return url;
}

/** Whether this redirect goes to the client. The redirect URI may be at the server itself, which has a page for it. */
function leavesServer(url: URL, start: URL): boolean {
  return url.origin !== start.origin ||
    ["code", "error", "response"].some((name) => paramsOf({ url }).has(name));
}

/** Returns the parameters of the authorization response, from the query, the fragment or the form. */
function paramsOf({ url, form }: Departure): URLSearchParams {
  return form ?? new URLSearchParams(`${url.search.slice(1)}&${url.hash.slice(1)}`);
}

function isOnThisMachine({ protocol, hostname }: URL): boolean {
  const host = withoutBrackets(hostname);
  return /^https?:$/.test(protocol) && (isLoopbackHost(host) || host.endsWith(".localhost"));
}

/** Opens the redirect URI and its redirects on this machine. A redirect to another machine is where it ends. */
async function follow(
  { url: redirectUri, form }: Departure,
  browser: Browser,
): Promise<{ readonly url: URL; readonly status?: number }> {
  let url = redirectUri;
  let response = await browser.open({ url: url.href, ...present({ form }) }, explainSilence);
  for (let steps = 0; steps < 10; steps++) {
    const location = response.headers.get("location");
    await response.body?.cancel().catch(() => {});
    if (location === null) return { url, status: response.status };
    url = readLocation(location, url);
    if (!isOnThisMachine(url)) return { url };
    response = await browser.open({ url: url.href }, explainSilence);
  }
  throw failed(`${url.origin} still redirects after ten steps`);
}

/** The message leaves out the query of the address, which has the code. */
function explainSilence(address: string, reasons: string): string {
  const { origin, pathname } = new URL(address);
  const url = origin + pathname;
  if (isRefused(reasons)) {
    return `no application answers at ${url}: start it, or print the response only with --stop`;
  }
  return explainCertificate(origin, reasons) ?? `the application at ${url} gave no answer: ${reasons}`;
}

function requireExpectedResponse(departure: Departure, { deny }: { readonly deny: boolean }): void {
  const params = paramsOf(departure);
  const error = params.get("error");
  if (deny && error === null) {
    throw failed("the server approved without a page, so there was nothing to deny");
  }
  if (error === null || deny && error === "access_denied") return;
  const description = params.get("error_description");
  const parts = [error, description].filter((part) => part !== null).map((part) => visible(part));
  throw failed(`the server refused: ${parts.join(": ")}`);
}
