/** Shows one section at a time, and the others by tabs. Without this script they stand one below the other. */
/// <reference lib="dom" />

/** The sections that the person has chosen, by the id of the tabs. Tabs that are inserted later begin with them. */
const chosen = new Map<string, string>();

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

prepare();
// Another script may have replaced or inserted a part of the page.
document.addEventListener("postern:changed", prepare);

document.addEventListener("click", ({ target }) => {
  // A link may lead into a section that is not shown.
  const { hash } = target as HTMLAnchorElement;
  const panel = hash && document.getElementById(hash.slice(1))?.closest(".tabs > section");
  const tab = panel ? document.getElementById(`${panel.id}-tab`) : findTab(target);
  if (tab) choose(tab);
});

// https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
document.addEventListener("keydown", (event) => {
  const tab = findTab(event.target);
  const move = moves[event.key];
  if (!tab || !move || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = listTabs(tab.closest(".tabs")!);
  const next = all[move(all.indexOf(tab), all.length)]!;
  event.preventDefault();
  choose(next);
  next.focus();
});

function prepare(): void {
  for (const tabs of document.querySelectorAll(".tabs:not(:has(> [role=tabpanel]))")) {
    const all = listTabs(tabs);
    const last = all.find((each) => each.getAttribute("aria-controls") === chosen.get(tabs.id));
    show(last ?? all[0]!);
  }
}

function choose(tab: HTMLElement): void {
  chosen.set(tab.closest(".tabs")!.id, tab.getAttribute("aria-controls")!);
  show(tab);
}

function show(tab: HTMLElement): void {
  for (const each of listTabs(tab.closest(".tabs")!)) {
    const panel = document.getElementById(each.getAttribute("aria-controls")!)!;
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", each.id);
    panel.tabIndex = 0;
    // The stylesheet hides the others, but not on paper.
    panel.classList.toggle("chosen", each === tab);
  }
}

function findTab(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".tabs [role=tab]") : null;
}

function listTabs(tabs: Element): readonly HTMLElement[] {
  return [...tabs.querySelectorAll<HTMLElement>(":scope > [role=tablist] > [role=tab]")];
}

export {};
