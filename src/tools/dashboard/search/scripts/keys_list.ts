/** Starts the switch of the page of the keys, or shows that page as a dialog. */
/// <reference lib="dom" />

const storageName = "postern_keys";

if (!startSwitch(document)) (await loadDialog()).showModal();

function startSwitch(list: ParentNode): boolean {
  const enabled = list.querySelector<HTMLInputElement>("#keys-enabled");
  if (enabled === null) return false;
  enabled.checked = localStorage.getItem(storageName) !== "off";
  enabled.addEventListener("change", () => localStorage.setItem(storageName, enabled.checked ? "on" : "off"));
  return true;
}

async function loadDialog(): Promise<HTMLDialogElement> {
  const { href } = document.querySelector<HTMLAnchorElement>("#show-keys")!;
  const text = await (await fetch(href, { headers: { accept: "text/html" } })).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const dialog = Object.assign(document.createElement("dialog"), { id: "keys-list" });
  dialog.setAttribute("aria-labelledby", "keys-heading");
  dialog.append(
    page.querySelector("link[href$='playground.css']")!,
    ...page.querySelector("main")!.childNodes,
  );
  startSwitch(dialog);
  document.body.append(dialog);
  return dialog;
}
