/** The programs of docs/in_a_page.md as files of a site, as they are written: browsers read them, too. */

import { readPage } from "../documentation/blocks.ts";
import { bundlePage } from "./bundle_page.ts";

/** The packages that the programs import, and where the site has them. */
const files: Readonly<Record<string, string>> = {
  "oauth4webapi": "/oauth4webapi.js",
  "postern/browser": "/browser.js",
  "postern/msw": "/msw.js",
  "oidc-client-ts": "/oidc-client-ts.js",
  "msw": "/msw-core.js",
  "msw/browser": "/msw-browser.js",
};

/** Returns the program, or the package that only a program of this page imports. */
export function findProgram(path: string): Promise<string> | undefined {
  const bundled = ["oidc-client-ts", "msw", "msw/browser"].find((name) => files[name] === path);
  if (bundled !== undefined) return bundlePage(`export * from "${bundled}";`);
  const program = readPage("docs/in_a_page.md").find(({ name }) => name === path.slice(1));
  return program &&
    Promise.resolve(program.text.replace(/(?<= from )"([^".]+)"/g, (_, name) => `"${files[name]}"`));
}
