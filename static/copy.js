// src/pages/scripts/copy.ts
var shownFor = 3e3;
var status = document.getElementById("copy-status");
var timer;
var isSelected = false;
showButtons();
document.addEventListener("postern:replaced", showButtons);
document.addEventListener("click", async ({ target: clicked }) => {
  const button = clicked instanceof Element ? clicked.closest("button[data-copy]") : null;
  const target = button && document.getElementById(button.dataset.copy ?? "");
  if (!button || !target || !status) return;
  const { done = "", failed = "" } = button.dataset;
  clear();
  if (await copied(target)) {
    button.classList.add("done");
    status.textContent = done;
    timer = setTimeout(clear, shownFor);
  } else {
    isSelected = true;
    status.textContent = failed;
  }
});
document.addEventListener("selectionchange", () => {
  if (isSelected && getSelection()?.isCollapsed) clear();
});
function showButtons() {
  if (!status) return;
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = document.getElementById(button.dataset.copy ?? "") === null;
  }
}
function clear() {
  clearTimeout(timer);
  isSelected = false;
  if (status) status.textContent = "";
  document.querySelector(".copy.done")?.classList.remove("done");
}
async function copied(target) {
  try {
    await navigator.clipboard.writeText(target.dataset.value ?? target.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(target);
    return document.execCommand("copy");
  }
}
