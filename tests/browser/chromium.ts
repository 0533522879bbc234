/** The Chromium of the machine. */

import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../chromium_path.ts";

/** Starts Chromium, which the tests of a process share. */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
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
      ...flags,
    ],
  });
}
