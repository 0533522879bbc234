/** Starts the server of the page when a person asks for it, and goes on when the browser comes back from the server. */
/// <reference lib="dom" />
import { readCourse } from "../try/course.ts";
import { rootUrl } from "./root_url.ts";
import { findWorker } from "./site_worker.ts";

const start = document.getElementById("start-server") as HTMLButtonElement;
const place = document.getElementById("try")!;
const words = document.getElementById("words") as HTMLDetailsElement;
const text = start.textContent;
const problem = document.getElementById("not-started")!;

if (location.protocol === "file:") document.getElementById("as-file")!.hidden = false;
else {
  start.hidden = false;
  start.addEventListener("click", () => void run());
  if (readCourse() !== undefined) void run();
}

async function run(): Promise<void> {
  start.disabled = true;
  start.textContent = "Starting …";
  problem.hidden = true;
  try {
    const address = new URL(rootUrl("assets/try_steps.js"), document.baseURI).href;
    const { runTry } = await import(address) as typeof import("../try/run_try.tsx");
    await runTry(place, findWorker().href);
    start.hidden = true;
    words.open = false;
  } catch (error) {
    start.disabled = false;
    start.textContent = text;
    problem.hidden = false;
    problem.querySelector(".reason")!.textContent = (error as Error).message;
  }
}
