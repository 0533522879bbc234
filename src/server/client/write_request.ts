/** Writes a request as a command of curl, as a call of `fetch` and as an `.http` file. */

import type { Pair } from "../../ground/http/form.ts";
import { escapeHidden, escapeUnit, hiddenCharacters } from "../../ground/values/hidden_characters.ts";
import { parseJson } from "../../ground/values/parse_json.ts";
import { createCommandWords } from "../../ground/values/quote_word.ts";
import { present } from "../../ground/values/present.ts";

export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly body?: string | undefined;
  /** The client shows a certificate. Only curl can name one for a single request. */
  readonly showsCertificate?: boolean;
}

export interface RequestCopy {
  readonly kind: "curl" | "fetch" | "http";
  readonly text: string;
}

export function writeCopies(request: WrittenRequest): readonly RequestCopy[] {
  return [
    { kind: "curl", text: writeCurl(request) },
    { kind: "fetch", text: writeFetch(request) },
    { kind: "http", text: writeHttp(request) },
  ];
}

function writeCurl({ method, url, headers, body, showsCertificate }: WrittenRequest): string {
  const { quote, notes } = createCommandWords("posix");
  const usual = body === undefined ? "GET" : "POST";
  const command = [
    startCurl(url, "-i"),
    ...(method === usual ? [] : ["-X", quote(method, "<method>", "the method of the request")]),
    quote(url, "<url>", "the URL of the request"),
  ].join(" ");
  const options = [
    ...(showsCertificate === true ? ["--cert '<certificate>' --key '<key>'"] : []),
    ...headers.map(([name, value]) =>
      `-H ${quote(`${name}: ${value}`, "<name>: <value>", "a header of the request")}`
    ),
    ...(body === undefined
      ? []
      : [`--data-raw ${quote(writeBody(body), "<body>", "the body of the request")}`]),
  ];
  return [...notes, [command, ...options].join(" \\\n  ")].join("\n");
}

/** curl takes brackets and braces in a URL for patterns. */
export function startCurl(url: string, ...flags: readonly string[]): string {
  return ["curl", ...flags, ...(/[[\]{}]/.test(url) ? ["--globoff"] : [])].join(" ");
}

function writeFetch({ method, url, headers, body }: WrittenRequest): string {
  const terms = {
    method,
    ...present({ headers: headers.length === 0 ? undefined : Object.fromEntries(headers), body }),
    redirect: "manual",
  };
  const written = escapeHidden(JSON.stringify(terms, null, 2));
  return `const response = await fetch(${escapeHidden(JSON.stringify(url))}, ${written});`;
}

/** The format of the HTTP clients in editors, which replace `{{name}}`, also by a variable of the environment. */
function writeHttp({ method, url, headers, body }: WrittenRequest): string {
  const isOpen = (text: string) => !text.includes("{{") && text.search(hiddenCharacters) === -1;
  const written = writeBody(body ?? "");
  // Such a line is a comment, or reads a file, or runs a script.
  const isBody = isOpen(written) && !/^(?:[#>]|\/\/|<@?\w*\s)/.test(written);
  return [
    `${method} ${url.toWellFormed().replace(/[^\x21-\x7a|}~]/gu, encodeURIComponent)}`,
    ...headers.map(([name, value]) => `${name}: ${isOpen(value) ? value : "<value>"}`),
    ...(body === undefined ? [] : ["", isBody ? written : "<body>"]),
    "",
  ].join("\n");
}

/** JSON has its hidden characters, its quotes and braces that mean something elsewhere in another form, on one line. */
function writeBody(body: string): string {
  if (!/^\s*[{[]/.test(body) || parseJson(body) === undefined) return body;
  return escapeHidden(body.replace(/[\t\n\r]+ */g, " "))
    .replace(/['‘’‚‛]|(?<=\{)\{/g, escapeUnit);
}

export interface WrittenCall {
  /** Default: POST with a body, and otherwise GET. */
  readonly method?: string;
  readonly url: string;
  /** The environment variable of the shell that has the access token. */
  readonly tokenVariable?: string | undefined;
  /** The value of a JSON body. */
  readonly json?: unknown;
}

/** Writes the call of an API as a short curl command, for documentation. */
export function writeCall({ method, url, tokenVariable, json }: WrittenCall): string {
  const { quote, notes } = createCommandWords("posix");
  const usual = json === undefined ? "GET" : "POST";
  const command = [
    startCurl(url),
    ...(method === undefined || method === usual ? [] : ["-X", method]),
    quote(url, "<url>", "the URL of the call"),
    ...(tokenVariable === undefined ? [] : [`-H "authorization: Bearer $${tokenVariable}"`]),
  ].join(" ");
  const body = json === undefined
    ? undefined
    : quote(writeBody(JSON.stringify(json)), "<body>", "the body of the call");
  return [
    ...notes,
    body === undefined ? command : `${command} \\\n  -H 'content-type: application/json' -d ${body}`,
  ].join("\n");
}
