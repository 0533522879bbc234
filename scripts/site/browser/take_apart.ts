/** Takes the text of the form apart. The judge is loaded when it is first used, as a script, so that it works in a file. */
/// <reference lib="dom" />
import { rootUrl } from "./root_url.ts";

type Judge = (form: HTMLFormElement, place: HTMLElement) => Promise<void>;

const form = document.getElementById("take-apart") as HTMLFormElement;
const place = document.getElementById("taken-apart")!;
const problem = document.getElementById("not-loaded")!;
let judge: Promise<Judge> | undefined;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void show();
});
for (const button of form.querySelectorAll<HTMLButtonElement>("button[data-example]")) {
  button.addEventListener("click", () => {
    const { example = "{}" } = button.dataset;
    for (const [name, value] of Object.entries(JSON.parse(example) as Record<string, string>)) {
      (form.elements.namedItem(name) as HTMLInputElement).value = value;
    }
    void show();
  });
}

async function show(): Promise<void> {
  try {
    await (await (judge ??= loadJudge()))(form, place);
    problem.hidden = true;
    place.scrollIntoView({ block: "nearest" });
  } catch (error) {
    judge = undefined;
    problem.hidden = false;
    throw error;
  }
}

function loadJudge(): Promise<Judge> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = rootUrl("assets/judge.js");
    script.onload = () => resolve((globalThis as unknown as { posternJudge: Judge }).posternJudge);
    script.onerror = () => reject(new Error("The judge cannot be loaded"));
    document.head.append(script);
  });
}
