/** The keys that lead through the list of requests. */
/// <reference lib="dom" />

/** `close` closes what is open, and `step` opens the next request instead. Both return whether there was something. */
export function listenToListKeys(
  list: HTMLElement,
  { close, step }: { readonly close: () => boolean; readonly step: (by: 1 | -1) => boolean },
): void {
  // Below the heading of a request, which has the focus when it opens, they scroll its text.
  const byArrow = (by: 1 | -1) => !document.activeElement?.matches(".entry :not(h1)") && step(by);
  const actions: Readonly<Record<string, () => boolean | void>> = {
    f: () => list.querySelector<HTMLElement>("#filter")!.focus(),
    j: () => step(1) || move(list, 1),
    k: () => step(-1) || move(list, -1),
    ArrowDown: () => byArrow(1),
    ArrowUp: () => byArrow(-1),
    Escape: close,
  };
  // The script of the keys of every page sends it.
  document.addEventListener("postern:key", (event) => {
    const action = actions[(event as CustomEvent<string>).detail];
    if (action !== undefined && action() !== false) event.preventDefault();
  });
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
  );
  const at = current ? stops.indexOf(current) : -1;
  const next = stops[at < 0 ? (step > 0 ? 0 : stops.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** The link of the row of a request or, if its login is folded, the line of the login. */
export function findStop(link: HTMLElement | null): HTMLElement | null | undefined {
  return link?.checkVisibility() === false ? link.closest("tbody")?.querySelector("summary") : link;
}
