/** Loads jose into a web page: only what the server uses of it. */

import type { Jose } from "./jose.ts";

export async function loadJose(): Promise<Jose> {
  return await import("./jose_parts_browser.ts");
}
