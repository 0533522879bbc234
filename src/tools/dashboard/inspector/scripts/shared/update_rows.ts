/** Brings the list of requests up to date, without moving what a person reads. */
/// <reference lib="dom" />

/** The HTML of the parts and rows as the server sent it, because a script changes some of it. */
const sent = new WeakMap<Element, string>();

interface UpdateOptions {
  /** Marks the new rows. */
  readonly marks: boolean;
  /** Only the counts change. */
  readonly keepsRows: boolean;
}

/** Puts what is new in `fresh` into `list`. Returns how many rows are new. */
export function updateRows(
  list: HTMLElement,
  fresh: HTMLElement,
  { marks, keepsRows }: UpdateOptions,
): number {
  const anchor = findAnchor(list);
  const top = anchor && topOf(anchor);
  const focused = describeFocus(list);
  updatePart(list.querySelector("#counts")!, fresh.querySelector("#counts")!);
  const added = keepsRows ? 0 : updateTable(list, fresh, marks);
  focused?.();
  // Where the browser keeps the place of the rows itself, the difference is zero.
  if (anchor?.isConnected && top !== null) {
    scrollBy({ top: topOf(anchor) - top, behavior: "instant" });
  }
  return added;
}

export function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}

/** The row that must not move: the one with the focus, or the first that is seen below the end of the window's top. */
function findAnchor(list: HTMLElement): Element | null {
  const focused = list.contains(document.activeElement) && document.activeElement!.closest("tbody");
  if (focused) return focused;
  if (scrollY === 0) return null;
  return [...list.querySelectorAll("tbody")].find((each) => each.getBoundingClientRect().bottom > 0) ?? null;
}

function updatePart(part: Element, fresh: Element): void {
  if (part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
}

function updateTable(list: HTMLElement, fresh: HTMLElement, marks: boolean): number {
  const [place, freshPlace] = [list.querySelector("#rows")!, fresh.querySelector("#rows")!];
  const [table, freshTable] = [place.querySelector("table"), freshPlace.querySelector("table")];
  if (table === null || freshTable === null) {
    place.replaceChildren(...freshPlace.childNodes);
    return place.querySelectorAll("tbody").length;
  }
  updatePart(table.tHead!, freshTable.tHead!);
  const added = updateBodies(table, [...freshTable.tBodies], marks);
  replacePager(place, freshPlace);
  return added;
}

/** Puts the rows of the next page at the end of `list`. */
export function appendRows(list: ParentNode, page: ParentNode): void {
  const [place, next] = [list.querySelector("#rows")!, page.querySelector("#rows")!];
  const known = mapBodies(list);
  for (const body of next.querySelectorAll("tbody")) {
    const old = known.get(body.id);
    if (old === undefined) place.querySelector("table")!.append(body);
    else if (!isSame(old, body)) old.replaceWith(body);
  }
  // The rows before them stay, and so does the way to newer ones.
  next.querySelector("[rel=prev]")?.replaceWith(...place.querySelectorAll("[rel=prev]"));
  replacePager(place, next);
}

export function mapBodies(list: ParentNode): ReadonlyMap<string, HTMLTableSectionElement> {
  const bodies = list.querySelectorAll<HTMLTableSectionElement>("#requests > tbody");
  return new Map([...bodies].map((each) => [each.id, each]));
}

export function isSame(old: Element | undefined, fresh: Element): boolean {
  return old !== undefined && (sent.get(old) ?? old.innerHTML) === fresh.innerHTML;
}

function replacePager(place: Element, fresh: Element): void {
  place.querySelector(".onward")?.remove();
  const pager = fresh.querySelector(".onward");
  if (pager !== null) place.append(pager);
}

/** Keeps the bodies that are the same, because a person may read, select or unfold there. */
function updateBodies(
  table: HTMLTableElement,
  fresh: readonly HTMLTableSectionElement[],
  marks: boolean,
): number {
  const old = mapBodies(table.parentElement!);
  const ids = new Set(fresh.map(({ id }) => id));
  for (const [id, body] of old) if (!ids.has(id)) body.remove();
  let added = 0;
  let before: Element = table.tHead!;
  for (const next of fresh) {
    const html = next.innerHTML;
    const known = old.get(next.id);
    const shown = isSame(known, next) ? known! : next;
    if (known === undefined) {
      if (marks) next.classList.add("new");
      added++;
    } else if (shown === next) known.replaceWith(next);
    sent.set(shown, html);
    if (before.nextElementSibling !== shown) before.after(shown);
    before = shown;
  }
  return added;
}

/** Returns a function that gives the focus back to where it was in the list. */
export function describeFocus(list: Element): (() => void) | undefined {
  const focused = document.activeElement;
  if (!focused || !list.contains(focused)) return undefined;
  const group = focused.closest("tbody")?.id;
  const [href, key] = [focused.getAttribute("href"), focused.getAttribute("data-key")];
  const selector = focused.id !== ""
    ? `#${CSS.escape(focused.id)}`
    : key !== null
    ? `[data-key="${CSS.escape(key)}"]`
    : href === null
    ? focused.localName
    : `a[href="${CSS.escape(href)}"]`;
  return () => {
    if (document.activeElement === focused) return;
    const place = group === undefined ? list : document.getElementById(group);
    place?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  };
}
