/** Writes the call of an API as a short curl command, for documentation. */

import { quoteShell, quoteShellWord } from "./shell.ts";

export interface WrittenCall {
  /** Default: POST with a body, and otherwise GET. */
  readonly method?: string;
  readonly url: string;
  /** The environment variable of the shell that has the access token. */
  readonly tokenVariable?: string | undefined;
  /** The value of a JSON body. */
  readonly json?: unknown;
}

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
