/** Writes a request as a command of curl, as a call of `fetch` and as an `.http` file, and quotes words for a shell. */

import type { Pair } from "../http/form.ts";
import { hiddenCharacters } from "../schema/hidden_characters.ts";

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
  const usual = body === undefined ? "GET" : "POST";
  return [
    `curl -i ${method === usual ? "" : `-X ${quoteShell(method)} `}${quoteShell(url)}`,
    ...(showsCertificate === true ? ["  --cert '<certificate>' --key '<key>'"] : []),
    ...headers.map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  --data-raw ${quoteShell(body)}`]),
  ].join(" \\\n");
}

function writeFetch({ method, url, headers, body }: WrittenRequest): string {
  const terms = {
    method: printable(method),
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map(([name, value]) => [name, printable(value)])) }),
    ...(body === undefined ? {} : { body: printable(body) }),
    redirect: "manual",
  };
  return `const response = await fetch(${JSON.stringify(printable(url))}, ${
    JSON.stringify(terms, null, 2)
  });`;
}

/** The format of the HTTP clients in editors. */
function writeHttp({ method, url, headers, body }: WrittenRequest): string {
  return [
    `${printable(method)} ${printable(url)}`,
    ...headers.map(([name, value]) => `${name}: ${printable(value)}`),
    ...(body === undefined ? [] : ["", printable(body)]),
    "",
  ].join("\n");
}

/** Puts the text between single quotes, where a shell interprets no character (POSIX.1-2024 XCU §2.2). */
export function quoteShell(text: string): string {
  return `'${printable(text).replaceAll("'", `'\\''`)}'`;
}

/** Returns the text as it is if no shell would change it, and otherwise between quotes. */
export function quoteShellWord(text: string): string {
  return /^[\w.,:/@+=%-]+$/.test(text) ? text : quoteShell(text);
}

/** A control character could end the line of a header, run a command in a terminal, or reverse the text. */
function printable(text: string): string {
  return text.toWellFormed().replace(hiddenCharacters, (each) => encodeURIComponent(each));
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
  const usual = json === undefined ? "GET" : "POST";
  return [
    `curl${method === undefined || method === usual ? "" : ` -X ${method}`} ${quoteShellWord(url)}`,
    ...(tokenVariable === undefined ? [] : [` -H "authorization: Bearer $${tokenVariable}"`]),
    ...(json === undefined
      ? []
      : [` \\\n  -H 'content-type: application/json' -d ${quoteShell(JSON.stringify(json))}`]),
  ].join("");
}
