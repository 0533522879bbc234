/** The keys of every page of the dashboard. A person can turn those off that act by themselves (WCAG 2.2 §2.1.4). */
/// <reference lib="dom" />

import { addScript } from "./shared/start_script.ts";

const button = document.getElementById("show-keys")!;

button.hidden = false;
button.addEventListener("click", () => {
  const dialog = document.querySelector<HTMLDialogElement>("#keys-list");
  if (dialog === null) addScript(new URL("keys_list.js", import.meta.url));
  else dialog.showModal();
});
document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
  if (altKey || defaultPrevented || document.querySelector("dialog[open]")) return;
  if (ctrlKey || metaKey ? key === "k" && goToSearch() : areOn(target as Element) && act(key)) {
    event.preventDefault();
  }
});

function areOn(target: Element): boolean {
  return localStorage.getItem("postern_keys") !== "off" &&
    !target.matches("input:not([type=checkbox]), textarea, select");
}

/** Returns whether the key is one of the page. A script of the page may have keys of its own. */
function act(key: string): boolean {
  if (key === "/") return goToSearch();
  if (key === "?") button.click();
  return key === "?" ||
    !document.dispatchEvent(new CustomEvent("postern:key", { detail: key, cancelable: true }));
}

function goToSearch(): true {
  const search = document.querySelector<HTMLInputElement>("#q, .frame [type=search]")!;
  search.focus();
  search.select();
  return true;
}
