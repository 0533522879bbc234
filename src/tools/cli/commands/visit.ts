/** `postern visit`: opens an authorization URL without a browser, answers the server's pages, and prints where that ends. */

import process from "node:process";
import { visible } from "../../../ground/values/visible.ts";
import { isLoopbackHost, withoutBrackets, withoutQuery } from "../../../ground/http/address.ts";
import {
  browse,
  type Browser,
  createBrowser,
  type Departure,
  passwordVariable,
  readLocation,
} from "../client/browse.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { explainCertificate, isRefused } from "../client/send_request.ts";
import { present } from "../../../ground/values/present.ts";
import { printText } from "../terminal/print_text.ts";

const table = {
  username: {
    value: "USERNAME",
    help:
      "The person who signs in. Default: the login_hint of the URL, or the first person that the server offers.",
  },
  as: { value: "USERNAME", help: "The earlier name of --username." },
  deny: { help: "Deny the request: before the sign-in or, with --username, on the consent page." },
  password: {
    value: "PASSWORD",
    help: `The person's password, if there is one. Default: the environment variable ${passwordVariable}.`,
    secret: true,
  },
  stop: { help: "Print the redirect URI with the response, and do not open it." },
} as const;

export const visit: Command = createCommand({
  usage: "visit URL [flags]",
  summary: "Open an authorization URL without a browser: sign in, approve, follow.",
  notes: () =>
    "The URL may also be the one at which an application begins a login by a redirect. It prints the URL where\n" +
    "it ends. A redirect URI on this machine is opened, and any other is only printed.\n" +
    "An error of the server or of the application ends with the exit code 1.",
  flags: table,
  operands: 1,
  async run({ flags: { as, ...flags }, operands: [text] }) {
    if (as !== undefined && flags.username !== undefined) {
      throw new CommandError("--as is the earlier name of --username: leave out --as");
    }
    const { url, form, problem } = await visitUrl(text, { ...present({ username: as }), ...flags });
    printText(url);
    if (form !== undefined) printText(form);
    if (problem !== undefined) throw failed(problem);
  },
});

interface VisitTerms {
  /** Default: the login_hint of the URL, or the first person that the server offers. */
  readonly username?: string;
  readonly password?: string;
  readonly deny?: boolean;
  /** The redirect URI is not opened. */
  readonly stop?: boolean;
}

interface Visited {
  /** Where it ends. */
  readonly url: string;
  /** The authorization response of form_post, if it is not opened. It is not in the URL. */
  readonly form?: string;
  readonly problem?: string;
}

export async function visitUrl(text: string | undefined, terms: VisitTerms): Promise<Visited> {
  const { deny = false, stop = false } = terms;
  const browser = createBrowser();
  const start = await findLogin(readStart(text), browser);
  // Automatic sign-in shows no page, and signs in the person of login_hint.
  if (terms.username !== undefined) start.searchParams.set("login_hint", terms.username);
  const departure = await browse(start.href, (url) => leavesServer(url, start), {
    issuer: start.origin,
    ...present({
      person: start.searchParams.get("login_hint") ?? undefined,
      password: terms.password ?? process.env[passwordVariable],
      denial: !deny ? undefined : terms.username === undefined ? "immediately" : "after_sign_in",
    }),
  }, browser);
  const isFollowed = !stop && isOnThisMachine(departure.url);
  const { url, status }: Place = isFollowed
    ? await follow(departure, browser, ", or print the response only with --stop")
    : { url: departure.url };
  const problem = findProblem(departure, deny) ??
    (status !== undefined && status >= 400
      ? `${withoutQuery(url.href)} answers ${status}`
      : isFollowed && beginsLogin(url)
      ? "the application begins another login after this one"
      : undefined);
  const form = isFollowed ? undefined : departure.form?.toString();
  return { url: url.href, ...present({ form, problem }) };
}

function readStart(text: string | undefined): URL {
  if (text === undefined) throw new CommandError("name the authorization URL that the application opens");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(`the authorization URL must be an http or https URL, not ${visible(text)}`);
}

/** Returns the authorization URL to which the application at this address sends the browser. */
async function findLogin(start: URL, browser: Browser): Promise<URL> {
  if (beginsLogin(start)) return start;
  const { url, status } = await follow({ url: start }, browser);
  if (beginsLogin(url)) return url;
  throw failed(
    `${withoutQuery(url.href)} ${
      status === undefined ? "is not on this machine" : `answers ${status}`
    }, and no login ` +
      "begins there: name the address at which the application sends the browser to the server",
  );
}

/** Every authorization request names its client (RFC 6749 §4.1.1, RFC 9126 §4). */
function beginsLogin({ searchParams }: URL): boolean {
  return searchParams.has("client_id");
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

interface Place {
  readonly url: URL;
  /** Absent: the URL was not opened. */
  readonly status?: number;
}

/** Opens a URL of an application and its redirects, until one begins a login or leads to another machine. */
async function follow({ url: first, form }: Departure, browser: Browser, otherwise = ""): Promise<Place> {
  const explain = (address: string, reasons: string) => explainSilence(new URL(address), reasons, otherwise);
  let url = first;
  let response = await browser.open({ url: url.href, ...present({ form }) }, explain);
  for (let steps = 0; steps < 10; steps++) {
    const location = response.headers.get("location");
    await response.body?.cancel().catch(() => {});
    if (location === null) return { url, status: response.status };
    url = readLocation(location, url);
    if (beginsLogin(url) || !isOnThisMachine(url)) return { url };
    response = await browser.open({ url: url.href }, explain);
  }
  throw failed(`${url.origin} still redirects after ten steps`);
}

/** The message leaves out the query of the address, which has the code. */
function explainSilence(address: URL, reasons: string, otherwise: string): string {
  const url = withoutQuery(address.href);
  if (isRefused(reasons)) return `no application answers at ${url}: start it${otherwise}`;
  return explainCertificate(address.origin, reasons) ??
    `the application at ${url} gave no answer: ${reasons}`;
}

function findProblem(departure: Departure, deny: boolean): string | undefined {
  const params = paramsOf(departure);
  const error = params.get("error");
  if (deny && error === null) return "the server approved without a page, so there was nothing to deny";
  if (error === null || deny && error === "access_denied") return undefined;
  const description = params.get("error_description");
  return `the server refused: ${
    [error, description].filter((part) => part !== null).map(visible).join(": ")
  }`;
}
