/** Brings the list of requests up to date, without moving what a person reads. */
/// <reference lib="dom" />

/** The HTML of the parts and rows as the server sent it, because a script changes some of it. */
const sent = new WeakMap<Element, string>();

/** Puts what is new in `fresh` into `list`. Returns how many rows are new. */
export function updateRows(list: HTMLElement, fresh: HTMLElement): number {
  const anchor = findAnchor(list);
  const top = anchor?.getBoundingClientRect().top;
  updatePart("overview", list, fresh);
  const added = updateTable(list, fresh);
  // Where the browser keeps the place of the rows itself, the difference is zero.
  if (anchor?.isConnected && top !== undefined) scrollBy(0, anchor.getBoundingClientRect().top - top);
  return added;
}

/** The row that must not move: the one with the focus, or the first that is seen below the end of the window's top. */
function findAnchor(list: HTMLElement): Element | null {
  const focused = list.contains(document.activeElement) && document.activeElement!.closest("tbody");
  if (focused) return focused;
  if (scrollY === 0) return null;
  return [...list.querySelectorAll("tbody")].find((each) => each.getBoundingClientRect().bottom > 0) ?? null;
}

/** Replaces a part that has changed, unless the person is in it. */
function updatePart(id: string, list: HTMLElement, fresh: HTMLElement): void {
  const [old, next] = [
    list.querySelector(`#${id} > :first-child`),
    fresh.querySelector(`#${id} > :first-child`),
  ];
  if (old && next && old.textContent !== next.textContent) old.textContent = next.textContent;
}

function updateTable(list: HTMLElement, fresh: HTMLElement): number {
  const [place, freshPlace] = [list.querySelector("#rows")!, fresh.querySelector("#rows")!];
  const [table, freshTable] = [place.querySelector("table"), freshPlace.querySelector("table")];
  if (table === null || freshTable === null) {
    place.replaceChildren(...freshPlace.childNodes);
    return place.querySelectorAll("tbody").length;
  }
  const known = new Map([...table.tBodies].map((each) => [each.id, each]));
  let added = 0;
  let before: Element = table.tHead!;
  table.tHead!.replaceChildren(...freshTable.tHead!.childNodes);
  for (const next of [...freshTable.tBodies]) {
    const html = next.innerHTML;
    const old = known.get(next.id);
    known.delete(next.id);
    if (old === undefined) {
      next.classList.add("new");
      added++;
    }
    const isSame = old !== undefined && (sent.get(old) ?? old.innerHTML) === html;
    const shown = isSame ? old : next;
    sent.set(shown, html);
    if (!isSame && old !== undefined) {
      const href = old.contains(document.activeElement) ? document.activeElement!.getAttribute("href") : null;
      old.replaceWith(next);
      if (href) {
        next.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
      }
    }
    if (before.nextElementSibling !== shown) before.after(shown);
    before = shown;
  }
  for (const gone of known.values()) gone.remove();
  const [pager, freshPager] = [place.querySelector(".onward"), freshPlace.querySelector(".onward")];
  pager?.remove();
  if (freshPager) place.append(freshPager);
  return added;
}
