/** Makes the site in dist/site, or in the folder that the argument names, for any file server, at any path. */
import { makeSite } from "./site/make_site.ts";
import { writeFiles } from "./site/write_files.ts";

const [folder = "dist/site"] = Deno.args;

const started = performance.now();
await Deno.remove(folder, { recursive: true }).catch(() => {});
const files = await makeSite();
writeFiles(files, folder);
const octets = [...files.values()].reduce((sum, content) => sum + content.length, 0);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${folder}: ${files.size} files, ${(octets / 1e6).toFixed(1)} MB, in ${seconds} s`);
