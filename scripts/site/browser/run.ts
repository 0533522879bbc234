/** The buttons that run a program of the documentation, in a frame of its own, and show beside it what it prints. */
/// <reference lib="dom" />
import type { Told } from "../programs/run_program.ts";
import { rootUrl } from "./root_url.ts";

// A page that is opened as a file cannot load modules.
if (location.protocol !== "file:") {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.run")) {
    button.hidden = false;
    let close = () => {};
    button.addEventListener("click", () => {
      close();
      close = run(button);
    });
  }
}

/** Returns what ends the program and removes what it has printed. */
function run(button: HTMLButtonElement): () => void {
  const block = button.closest(".block")!;
  const place = create("div", { className: "block ran" });
  const state = create("span", { textContent: "Running …", role: "status" });
  const output = create("code", {});
  const frame = create("iframe", {
    ...{ title: "What the program shows", hidden: true, name: addressOf(button.dataset["program"] ?? "") },
  });
  // The program may not leave its frame.
  frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
  const listen = ({ source, data }: MessageEvent<Told>) => {
    if (source === frame.contentWindow) show(data, { button, place, state, output, frame });
  };
  const close = () => {
    removeEventListener("message", listen);
    place.remove();
    button.firstChild!.textContent = "Run";
  };
  const end = create("button", { type: "button", className: "plain", textContent: "Close" });
  end.addEventListener("click", () => {
    close();
    button.focus();
  });
  const bar = create("p", { className: "bar" });
  bar.append(state, end);
  const lines = create("pre", { tabIndex: 0 });
  lines.append(output);
  place.append(bar, lines, frame);
  block.after(place);
  button.firstChild!.textContent = "Running …";
  addEventListener("message", listen);
  load(frame);
  return close;
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), members);
}

function addressOf(path: string): string {
  return new URL(rootUrl(path), document.baseURI).href;
}

/** The frame has the policy of the page, so the program reaches no other origin. */
function load(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument!;
  page.documentElement.lang = "en";
  page.documentElement.style.cssText = "color-scheme: light dark; font-family: system-ui, sans-serif";
  const script = page.createElement("script");
  script.type = "module";
  script.src = addressOf("assets/programs/run_program.js");
  page.head.append(script);
}

interface Shown {
  readonly button: HTMLButtonElement;
  readonly place: HTMLElement;
  readonly state: HTMLElement;
  readonly output: HTMLElement;
  readonly frame: HTMLIFrameElement;
}

function show(told: Told, { button, place, state, output, frame }: Shown): void {
  if (told.kind === "drawn") {
    frame.hidden = false;
    place.scrollIntoView({ block: "nearest" });
  } else if (told.kind === "line") {
    const line = create("span", { textContent: `${told.text}\n` });
    if (told.isError) line.className = "wrong";
    output.append(line);
  } else {
    place.dataset["ended"] = told.failed === 0 ? "well" : "badly";
    state.textContent = describeEnd(told.count, told.failed);
    button.firstChild!.textContent = "Run";
    place.scrollIntoView({ block: "nearest" });
  }
}

function describeEnd(count: number, failed: number): string {
  if (count === 0) return failed === 0 ? "It has run to its end." : "It has ended with an error.";
  const tests = count === 1 ? "1 test" : `${count} tests`;
  return failed === 0 ? `${tests}, none failed.` : `${tests}, ${failed} failed.`;
}
