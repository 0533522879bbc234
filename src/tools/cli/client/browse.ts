/** Signs a person in and consents as a browser would: follows redirects, keeps cookies and fills in forms. */

import { isPasswordHash } from "../../../ground/crypto/password.ts";
import {
  findEncryptedRequest,
  findFields,
  findFormAction,
  findText,
  unescapeHtml,
} from "../../../kit/mock/client/html.ts";
import {
  type Browser as CookieJar,
  createBrowser as createCookieJar,
  formatCookies,
  storeCookies,
} from "../../../kit/mock/client/browser.ts";
import { explainNotice, type Help } from "../../../kit/mock/journal/explain.ts";
import { paths } from "../../../server/oauth/contracts/paths.ts";
import { writeLine } from "../../../server/libraries/mod.ts";
import { quote, visible } from "../../../ground/values/visible.ts";
import { suggestSimilar } from "../../../ground/schema/nearest.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import { type CommandError, failed } from "../terminal/command_error.ts";
import { type ExplainFailure, sendRequest } from "./send_request.ts";
import { present } from "../../../ground/values/present.ts";

export const passwordVariable = "POSTERN_PASSWORD";

export interface SignInOptions {
  readonly issuer: string;
  /** Default: the first person that the server offers. */
  readonly person?: string;
  readonly password?: string;
  /** The request needs the second factor, whose code this is. `true`: the one that the page of a demo person shows. */
  readonly secondFactor?: string | true;
  /** The people in the server's configuration, if the caller knows it. */
  readonly people?: readonly PersonConfiguration[];
  /** Whether the user chose the client, and not the command. Absent: the client itself has sent the request. */
  readonly namesClient?: boolean;
  /** When the person denies the request. Absent: the person approves it. */
  readonly denial?: "immediately" | "after_sign_in";
}

interface PageRequest {
  readonly url: string;
  /** Present in a POST only. */
  readonly form?: URLSearchParams;
}

/** The request with which the browser leaves the server. */
export interface Departure {
  /** The redirect URI, with the authorization response in its query or fragment. */
  readonly url: URL;
  /** The authorization response of the response mode form_post. */
  readonly form?: URLSearchParams;
}

export interface Browser {
  /** Sends a request with the cookies of its origin, and follows no redirect. `explain`: if it is not to the server. */
  open(request: PageRequest, explain?: ExplainFailure): Promise<Response>;
}

/** Answers the server's pages until `leaves` accepts a redirect, or a page posts the response to the client. */
export async function browse(
  start: string,
  leaves: (redirect: URL) => boolean,
  options: SignInOptions,
  browser: Browser = createBrowser(),
): Promise<Departure> {
  let request: PageRequest = { url: start };
  for (let steps = 0; steps < 10; steps++) {
    const { url } = request;
    const response = await browser.open(request);
    const location = response.headers.get("location");
    const html = await response.text().catch((cause) => {
      throw failed("the server's answer is incomplete", cause);
    });
    if (location === null) {
      const posted = findPostedResponse(html);
      if (posted !== undefined) return posted;
      request = answerPage(url, html, response.status, options);
      continue;
    }
    const next = readLocation(location, url);
    if (leaves(next)) return { url: next };
    if (next.origin !== new URL(options.issuer).origin) {
      throw failed(`the server sends the browser to ${next.origin}`);
    }
    request = { url: next.href };
  }
  throw failed("the server still shows pages after ten steps");
}

/** Returns the address that a redirect of `url` leads to. */
export function readLocation(location: string, url: string | URL): URL {
  if (URL.canParse(location, url)) return new URL(location, url);
  throw failed(`${new URL(url).origin} sends the browser to ${quote(location)}, which is not an address`);
}

/** Keeps the cookies of each origin apart. */
export function createBrowser(): Browser {
  const jars = new Map<string, CookieJar>();
  return {
    async open({ url, form }, explain) {
      const { origin } = new URL(url);
      const jar = jars.get(origin) ?? createCookieJar();
      jars.set(origin, jar);
      const response = await sendRequest(url, {
        redirect: "manual",
        headers: { cookie: formatCookies(jar) ?? "" },
        ...(form === undefined ? {} : { method: "POST", body: form }),
      }, present({ explain }));
      storeCookies(jar, response.headers.getSetCookie());
      return response;
    },
  };
}

/** Finds the form of form_post. Its action is a complete URL, and the actions on the server's own pages are paths. */
function findPostedResponse(html: string): Departure | undefined {
  const action = findFormAction(html);
  if (action === undefined || !URL.canParse(action)) return undefined;
  const fields = findFields(html).map(([name, value]) => [name, value]);
  return { url: new URL(action), form: new URLSearchParams(fields) };
}

function answerPage(url: string, html: string, status: number, options: SignInOptions): PageRequest {
  const action = findFormAction(html);
  const request = findEncryptedRequest(html);
  if (action === undefined || request === undefined) throw describePage(html, status, options);
  const { href, pathname } = readLocation(action, url);
  const answer = answerForm(html, pathname, status, options);
  return { url: href, form: new URLSearchParams({ request, ...answer }) };
}

function answerForm(
  html: string,
  action: string,
  status: number,
  { person, password, secondFactor, people, denial }: SignInOptions,
): Readonly<Record<string, string>> {
  const asksConsent = action.endsWith(paths.consent);
  if (denial === "immediately" || denial !== undefined && asksConsent) return { decision: "deny" };
  if (asksConsent) return { decision: "approve" };
  if (action.endsWith(paths.secondFactor)) return { code: requireCode(html, status, secondFactor) };
  if (!action.endsWith(paths.signIn)) throw failed(`the server shows an unknown form: ${action}`);
  if (status >= 400) throw failed(`${person} could not sign in with this password`);
  const offered = [...html.matchAll(/\sname="person"\svalue="([^"]*)"/g)].map(([, value = ""]) =>
    unescapeHtml(value)
  );
  const username = person ?? offered[0];
  if (username !== undefined && offered.includes(username)) return { person: username };
  if (username !== undefined && password !== undefined) return { username, password };
  if (username === undefined) {
    const example = people?.find((each) => each.password !== undefined && !isPasswordHash(each.password));
    throw failed(
      example === undefined
        ? `every person there has a password: name a person, and ${giveThePassword}`
        : `every person there has a password: name a person, such as ${visible(example.username)}`,
    );
  }
  const known = people?.map((each) => each.username) ??
    (/\sname="password"/.test(html) ? undefined : offered);
  if (known?.includes(username) === false) throw unknownPerson(username, known);
  throw failed(
    `${visible(username)} cannot sign in without a password: ${giveThePassword}` +
      (known !== undefined || offered.length === 0
        ? ""
        : `, or choose a person without a password (${offered.join(", ")})`),
  );
}

function requireCode(html: string, status: number, given: SignInOptions["secondFactor"]): string {
  if (status >= 400) throw failed(`the server refused the code: ${quote(findText(html, "problem") ?? "")}`);
  const code = typeof given === "string" ? given : /\d{6}/.exec(findText(html, "shown-code") ?? "")?.[0];
  if (code !== undefined) return code;
  throw failed(
    "the server asks for the second factor, and shows its code for demo people only: add --second-factor CODE",
  );
}

function unknownPerson(username: string, known: readonly string[]): CommandError {
  return failed(
    `${visible(username)} is not configured: choose ${known.join(" or ")}${suggestSimilar(username, known)}`,
  );
}

// The variable comes first, because other users of the machine can read a command line.
const giveThePassword = `set the environment variable ${passwordVariable}, or add --password`;

/** Describes a page without a form. The server shows one when it has no redirect URI to send the error to. */
function describePage(html: string, status: number, { namesClient }: SignInOptions): CommandError {
  const text = findText(html, "description") ?? `it answers ${status}`;
  const expected = findText(html, "expected");
  const advice = namesClient === false
    ? " (the client was demo: give the server's configuration with --config FILE, or another client with --client)"
    : namesClient && /redirect.uri/i.test(text)
    ? " (choose it with --redirect-uri, or give the server's configuration with --config FILE)"
    : "";
  const title = `the server refused: ${quote(text)}${
    expected === undefined ? "" : `: expected ${quote(expected)}`
  }${advice}`;
  // The flags of the command change its own request.
  return failed(namesClient === undefined ? explainNotice(title, readHelp(html)) : title);
}

/** Reads from the page what the client must change, and what the server could be told instead. */
function readHelp(html: string): Help {
  const library = findText(html, "looks-like");
  const line = findText(html, "line");
  // The comma is for the code in which the line is pasted.
  const written = line === undefined ? "" : `: ${writeLine(line.replace(/,$/, ""), findText(html, "into"))}`;
  return present({
    change: findText(html, "change"),
    looksLike: library && library + written,
    instead: findText(html, "cost"),
    remedy: findText(html, "remedy"),
  });
}

/** Throws if the person is not among the people of the server. Does nothing if the server does not show its people. */
export async function requireKnownPerson(person: string, options: SignInOptions): Promise<void> {
  const known =
    options.people?.map(({ username, claims }) => [username, `${claims?.["email"] ?? username}`]) ??
      await listPeople(options.issuer);
  // A login_hint may also be an email, and in another case.
  const isKnown = known.flat().some((hint) => hint.toLowerCase() === person.toLowerCase());
  if (!isKnown && known.length > 0) throw unknownPerson(person, known.map(([username = ""]) => username));
}

/** Reads the usernames and emails from the front page, which does not show them to other machines. */
async function listPeople(issuer: string): Promise<readonly (readonly string[])[]> {
  const response = await sendRequest(issuer.replace(/\/$/, "") + paths.home, {});
  const found = (await response.text()).matchAll(/ data-username="([^"]*)"(?: data-email="([^"]*)")?/g);
  return [...found].map(([, username = "", email = username]) => [username, email].map(unescapeHtml));
}
