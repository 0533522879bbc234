/** Shows a page in the browser of whoever sits here, where there is one. */

import { spawn } from "node:child_process";
import process from "node:process";

/** A machine without a browser is no reason to stop: it is only said. */
export function openBrowser(url: string, complain: (problem: string) => void): void {
  const failed = () => complain(`cannot open a browser here; the page is ${url}`);
  const [program, ...args] = process.platform === "darwin"
    ? ["open", url]
    : process.platform === "win32"
    ? ["cmd", "/c", "start", "", url]
    : ["xdg-open", url];
  try {
    const child = spawn(program!, args, { stdio: "ignore", detached: true });
    child.once("error", failed);
    child.once("exit", (code) => code === 0 || failed());
    child.unref();
  } catch {
    // Deno without --allow-run throws at once.
    failed();
  }
}
