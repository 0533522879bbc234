/** Shows what the server has seen meanwhile. Without this script the person presses "Look again". */
/// <reference lib="dom" />

import { loadPage } from "./shared/tab.ts";

const pause = 1000;

for (const each of document.querySelectorAll<HTMLElement>("[data-without-script]")) each.hidden = true;
writeLocalTimes(document);
void look();

async function look(): Promise<void> {
  // A hidden page asks for nothing until the person comes back.
  if (document.hidden) {
    return document.addEventListener("visibilitychange", () => void look(), { once: true });
  }
  const fresh = await loadPage(location.href);
  if (fresh !== undefined) show(fresh);
  setTimeout(look, pause);
}

function show(fresh: Document): void {
  if (stageOf(fresh) !== stageOf(document)) return location.reload();
  writeLocalTimes(fresh);
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart === null || freshPart.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined;
    part.replaceChildren(...freshPart.childNodes);
    if (focused !== undefined) document.getElementById(focused)?.focus();
  }
}

function stageOf(page: Document): string | undefined {
  return page.querySelector<HTMLElement>("[data-stage]")?.dataset["stage"];
}

/** Writes times in the zone of the person, which the server does not know. */
function writeLocalTimes(page: Document): void {
  for (const each of page.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const local = new Date(each.dateTime).toLocaleString(undefined, {
      dateStyle: "medium",
      timeStyle: "medium",
    });
    each.textContent = each.dataset["local"]!.replace("{time}", local);
  }
}
