/** Writes a request as a curl command, as a call of `fetch`, and as an `.http` file. */

import type { Pair } from "../http/form.ts";
import { printable, quoteShell } from "./shell.ts";

export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly body?: string | undefined;
  /** The client shows a certificate. Only curl can name one for a single request. */
  readonly showsCertificate?: boolean;
}

/** A form of a request that people copy. */
export interface RequestCopy {
  readonly kind: "curl" | "fetch" | "http";
  readonly text: string;
}

/** Writes a request in all three forms. */
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
