/** The search of every page. Its index is loaded when it is first used, as a script, so that it works in a page opened as a file. */
/// <reference lib="dom" />
import type { SearchIndex } from "../search_index.ts";
import { type Found, openIndex } from "./find_places.ts";
import { rootUrl } from "./root_url.ts";

const form = document.getElementById("search") as HTMLFormElement;
const input = document.getElementById("search-words") as HTMLInputElement;
const list = document.getElementById("search-found")!;
const count = document.getElementById("search-count")!;

Object.assign(input, { role: "combobox", ariaExpanded: "false", ariaAutoComplete: "list" });
input.setAttribute("aria-controls", list.id);

let index: Promise<(question: string) => readonly Found[]> | undefined;
let chosen = -1;

input.addEventListener("focus", loadIndex);
input.addEventListener("input", () => void ask());
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter") follow();
  else if (event.key === "Escape") leave();
  else return;
  event.preventDefault();
});
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  const isTyping = (event.target as Element).closest("input, textarea, select") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
  input.select();
});
document.addEventListener("click", ({ target }) => {
  if (!form.contains(target as Node)) close();
});
// A link to a place on this page leaves the list open otherwise.
list.addEventListener("click", () => setTimeout(close));

function loadIndex(): Promise<(question: string) => readonly Found[]> {
  return index ??= new Promise((resolve, reject) => {
    Object.assign(globalThis, { posternSearch: (loaded: SearchIndex) => resolve(openIndex(loaded)) });
    const script = document.createElement("script");
    script.src = rootUrl("assets/search_index.js");
    script.onerror = reject;
    document.head.append(script);
  });
}

async function ask(): Promise<void> {
  const question = input.value;
  if (question.trim() === "") return close();
  try {
    const find = await loadIndex();
    // A person has typed on while the index was loaded.
    if (question === input.value) show(find(question));
  } catch {
    index = undefined;
    count.textContent = "The index of the search cannot be loaded.";
  }
}

function show(found: readonly Found[]): void {
  list.replaceChildren(...found.map(({ address, title, around }, at) => {
    const link = document.createElement("a");
    Object.assign(link, { id: `found-${at}`, href: rootUrl(address), role: "option", tabIndex: -1 });
    link.ariaSelected = "false";
    link.append(title);
    if (around !== "") {
      const place = document.createElement("small");
      place.textContent = around;
      link.append(" ", place);
    }
    return link;
  }));
  list.hidden = found.length === 0;
  input.ariaExpanded = `${found.length > 0}`;
  count.textContent = found.length === 0 ? "Nothing found." : `${found.length} places found.`;
  count.classList.toggle("unseen", found.length > 0);
  chosen = -1;
  if (found.length > 0) choose(0);
}

function choose(wanted: number): void {
  const options = [...list.children];
  if (options.length === 0) return;
  chosen = (wanted + options.length) % options.length;
  for (const [at, option] of options.entries()) option.ariaSelected = `${at === chosen}`;
  options[chosen]!.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", options[chosen]!.id);
}

function follow(): void {
  (list.children[chosen] as HTMLElement | undefined)?.click();
}

function leave(): void {
  if (list.hidden) input.value = "";
  close();
}

function close(): void {
  list.hidden = true;
  input.ariaExpanded = "false";
  input.removeAttribute("aria-activedescendant");
  count.textContent = "";
  count.classList.add("unseen");
}
