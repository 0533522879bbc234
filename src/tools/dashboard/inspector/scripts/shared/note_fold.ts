/** What is folded stands in the address of the list. */
/// <reference lib="dom" />

/** Notes that a person has folded or unfolded a login. Returns whether the address has changed. */
export function noteFold(list: HTMLElement, details: HTMLDetailsElement): boolean {
  if (details.closest(".band") === null) return false;
  const query = new URLSearchParams(location.search);
  const bands = [...list.querySelectorAll<HTMLElement>(".band")];
  const known = query.get("open") ?? "";
  const others = known === "all"
    ? []
    : known.split(",").filter((key) => key !== "" && !bands.some((band) => keyOf(band) === key));
  const open = [...others, ...bands.filter(isOpen).map(keyOf)].join(",");
  if (known === "all" && bands.every(isOpen) || open === known) return false;
  writeOpen(open);
  return true;
}

/** Writes the keys of what is unfolded into the address. */
export function writeOpen(open: string): void {
  const query = new URLSearchParams(location.search);
  if (open === "") query.delete("open");
  else query.set("open", open);
  history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : ""));
}

const keyOf = ({ id }: HTMLElement) => id.slice("f-".length);
const isOpen = (band: HTMLElement) => band.querySelector("details")!.open;
