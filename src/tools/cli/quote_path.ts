/** Quotes a path for the shell of a system, so that a printed command can be pasted. */

import process from "node:process";
import { quoteShellWord } from "../../server/client/write_request.ts";

/** Returns the path as it is if no shell would change it. A path of Windows has no quotes in it. */
export function quotePath(path: string, platform: string = process.platform): string {
  if (platform !== "win32") return quoteShellWord(path);
  return /^[\w.\\/:-]+$/.test(path) ? path : `"${path}"`;
}
