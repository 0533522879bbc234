/** The Chromium of the machine. */

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where Debian installs Chromium. */
export const chromiumPath = "/usr/bin/chromium";

export function hasChromium(): boolean {
  return existsSync(chromiumPath);
}

/** Each test has a browser of its own, because a connection to a shared browser leaves timers behind. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: chromiumPath,
    args: [
      // root has no sandbox
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
