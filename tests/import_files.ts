/** Registers the tests of several files on Deno: `deno test tests/import_files.ts -- FILES`. */
import { pathToFileURL } from "node:url";

for (const file of Deno.args) await import(pathToFileURL(file).href);
