/** Shows the copy buttons and makes them work. Without this script people select and copy by hand. */
/// <reference lib="dom" />

const shownFor = 3000;

const status = document.getElementById("copy-status")!;
let timer: ReturnType<typeof setTimeout> | undefined;
let isSelected = false;

showButtons();
// Another script may have replaced or inserted a part of the page.
document.addEventListener("postern:changed", showButtons);
document.addEventListener("click", async ({ target: clicked }) => {
  const button = clicked instanceof Element ? clicked.closest<HTMLButtonElement>("button[data-copy]") : null;
  const target = button && document.getElementById(button.dataset.copy ?? "");
  if (!button || !target) return;
  const { done = "", failed = "" } = status.dataset;
  const what = button.dataset.what ?? button.querySelector(".unseen")?.textContent ?? "";
  clear();
  if (await copied(target)) {
    button.classList.add("done");
    status.textContent = done.replace("#", what);
    timer = setTimeout(clear, shownFor);
  } else {
    isSelected = true;
    status.textContent = failed.replace("#", what);
  }
});

// The advice stays while the text is selected.
document.addEventListener("selectionchange", () => {
  if (isSelected && getSelection()?.isCollapsed) clear();
});

function showButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = document.getElementById(button.dataset.copy ?? "") === null;
  }
}

function clear(): void {
  clearTimeout(timer);
  isSelected = false;
  status.textContent = "";
  document.querySelector(".copy.done")?.classList.remove("done");
}

async function copied(target: HTMLElement): Promise<boolean> {
  try {
    // Absent outside secure contexts. It rejects without the permission.
    await navigator.clipboard.writeText(target.dataset.value ?? textOf(target));
    return true;
  } catch {
    getSelection()?.selectAllChildren(target);
    return document.execCommand("copy");
  }
}

/** Returns the text of an element. Of the rows of a table, it is the code in the first column. */
function textOf(target: HTMLElement): string {
  if (!target.matches("tbody")) return target.textContent ?? "";
  return [...target.querySelectorAll("td:first-child > code")].map((line) => line.textContent).join("\n");
}

export {};
