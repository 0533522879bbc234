// src/pages/scripts/copy.ts
var shownFor = 2e3;
for (const button of document.querySelectorAll("button[data-copy]")) {
  const target = document.getElementById(button.dataset.copy ?? "");
  const label = button.querySelector("[data-label]");
  if (!target || !label) continue;
  const { done = "", failed = "" } = button.dataset;
  const action = label.textContent;
  let timer;
  button.hidden = false;
  button.addEventListener("click", async () => {
    label.textContent = await copied(target) ? done : failed;
    clearTimeout(timer);
    timer = setTimeout(() => label.textContent = action, shownFor);
  });
}
async function copied(target) {
  try {
    await navigator.clipboard.writeText(target.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(target);
    return document.execCommand("copy");
  }
}
