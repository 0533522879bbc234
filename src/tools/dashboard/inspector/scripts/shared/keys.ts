/** Single keys that lead through the list of requests. A person can turn them off (WCAG 2.2 §2.1.4). */
/// <reference lib="dom" />

const storageName = "postern_keys";

/** `close` closes what is open, and returns whether there was something. */
export function listenToKeys(list: HTMLElement, { close }: { readonly close: () => boolean }): void {
  const dialog = list.querySelector<HTMLDialogElement>("#keys")!;
  const enabled = list.querySelector<HTMLInputElement>("#keys-enabled")!;
  const button = list.querySelector<HTMLElement>("#show-keys")!;
  const filter = list.querySelector<HTMLElement>("#filter")!;
  enabled.checked = localStorage.getItem(storageName) !== "off";
  enabled.addEventListener("change", () => localStorage.setItem(storageName, enabled.checked ? "on" : "off"));
  button.classList.add("shown");
  button.addEventListener("click", () => dialog.showModal());

  const actions: Readonly<Record<string, () => boolean | void>> = {
    "/": () => filter.focus(),
    j: () => move(list, 1),
    k: () => move(list, -1),
    "?": () => dialog.showModal(),
    Escape: close,
  };
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, altKey, metaKey, isComposing, defaultPrevented } = event;
    if (!enabled.checked || ctrlKey || altKey || metaKey || isComposing || defaultPrevented) return;
    if (dialog.open || isField(event.target)) return;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (action !== undefined && action() !== false) event.preventDefault();
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Moves the focus to the next line that is not folded: a request, or the line of a login. */
function move(list: HTMLElement, step: 1 | -1): void {
  const stops = [
    ...list.querySelectorAll<HTMLElement>(
      "#requests tr > td:nth-child(5) > a:last-of-type, #requests summary",
    ),
  ]
    .filter((each) => each.checkVisibility());
  const current = document.activeElement?.closest("tr")?.querySelector<HTMLElement>(
    "summary, td:nth-child(5) > a:last-of-type",
  ) ?? findStop(list.querySelector<HTMLElement>("#requests [aria-current]"));
  const at = current ? stops.indexOf(current) : -1;
  const next = stops[at < 0 ? (step > 0 ? 0 : stops.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** The link of the row of a request or, if its login is folded, the line of the login. */
export function findStop(link: HTMLElement | null): HTMLElement | null | undefined {
  return link?.checkVisibility() === false ? link.closest("tbody")?.querySelector("summary") : link;
}
