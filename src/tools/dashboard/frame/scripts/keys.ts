/** The keys of every page of the dashboard. A person can turn those off that act by themselves (WCAG 2.2 §2.1.4). */
/// <reference lib="dom" />

const storageName = "postern_keys";

const link = document.querySelector<HTMLAnchorElement>("#show-keys")!;
let dialog: HTMLDialogElement | undefined;

startSwitch(document);
link.addEventListener("click", (event) => {
  event.preventDefault();
  void showList();
});
document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, altKey, metaKey, isComposing, defaultPrevented } = event;
  if (altKey || isComposing || defaultPrevented) return;
  const isAlone = !ctrlKey && !metaKey;
  if (isAlone && (!areOn() || dialog?.open || isField(event.target as Element))) return;
  if (isAlone ? act(key) : key === "k" && goToSearch()) event.preventDefault();
});

function areOn(): boolean {
  return localStorage.getItem(storageName) !== "off";
}

function startSwitch(list: ParentNode): void {
  const enabled = list.querySelector<HTMLInputElement>("#keys-enabled");
  if (enabled === null) return;
  enabled.checked = areOn();
  enabled.addEventListener("change", () => localStorage.setItem(storageName, enabled.checked ? "on" : "off"));
}

/** Returns whether the key is one of the page. A script of the page may have keys of its own. */
function act(key: string): boolean {
  if (key === "/") return goToSearch();
  if (key === "?") void showList();
  return key === "?" ||
    !document.dispatchEvent(new CustomEvent("postern:key", { detail: key, cancelable: true }));
}

function goToSearch(): true {
  dialog?.close();
  const search = document.querySelector<HTMLInputElement>("#q, .frame [type=search]")!;
  search.focus();
  search.select();
  return true;
}

function isField(target: Element): boolean {
  return target.matches("input:not([type=checkbox]), textarea, select");
}

/** Shows the page of the keys as a dialog. */
async function showList(): Promise<void> {
  if (location.pathname === link.pathname) return;
  dialog ??= await loadList();
  if (!dialog.open) dialog.showModal();
}

async function loadList(): Promise<HTMLDialogElement> {
  const text = await (await fetch(link.href, { headers: { accept: "text/html" } })).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const list = Object.assign(document.createElement("dialog"), { id: "keys-list" });
  list.setAttribute("aria-labelledby", "keys-heading");
  list.append(...page.querySelector("main")!.childNodes);
  startSwitch(list);
  document.body.append(list);
  return list;
}
