/** Starts the server of the page when a person asks for it. A page that is opened as a file cannot load its modules. */
/// <reference lib="dom" />
import { rootUrl } from "./root_url.ts";

const start = document.getElementById("start-server") as HTMLButtonElement;
const place = document.getElementById("try")!;
const problem = document.getElementById("not-started")!;

if (location.protocol === "file:") document.getElementById("as-file")!.hidden = false;
else {
  start.hidden = false;
  start.addEventListener("click", () => void run());
}

async function run(): Promise<void> {
  start.disabled = true;
  problem.hidden = true;
  try {
    const address = new URL(rootUrl("assets/server/server.js"), document.baseURI).href;
    const { runTry } = await import(address) as typeof import("../try/run_try.tsx");
    await runTry(place);
    start.hidden = true;
  } catch (error) {
    start.disabled = false;
    problem.hidden = false;
    throw error;
  }
}
