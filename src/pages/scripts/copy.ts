/** Shows the copy buttons and makes them work; without this script people select and copy by hand. */
/// <reference lib="dom" />

const shownFor = 2000;

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  const target = document.getElementById(button.dataset.copy ?? "");
  const label = button.querySelector<HTMLElement>("[data-label]");
  if (!target || !label) continue;
  const { done = "", failed = "" } = button.dataset;
  const action = label.textContent;
  let timer: ReturnType<typeof setTimeout> | undefined;

  button.hidden = false;
  button.addEventListener("click", async () => {
    label.textContent = await copied(target) ? done : failed;
    clearTimeout(timer);
    timer = setTimeout(() => label.textContent = action, shownFor);
  });
}

async function copied(target: HTMLElement): Promise<boolean> {
  try {
    // Absent outside secure contexts; refused where a permission is.
    await navigator.clipboard.writeText(target.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(target);
    return document.execCommand("copy");
  }
}

export {};
