// src/pages/scripts/copy.ts
var shownFor = 3e3;
var status = document.getElementById("copy-status");
var timer;
var isSelected = false;
for (const button of document.querySelectorAll("button[data-copy]")) {
  const target = document.getElementById(button.dataset.copy ?? "");
  if (!target || !status) continue;
  const { done = "", failed = "" } = button.dataset;
  button.hidden = false;
  button.addEventListener("click", async () => {
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
}
document.addEventListener("selectionchange", () => {
  if (isSelected && getSelection()?.isCollapsed) clear();
});
function clear() {
  clearTimeout(timer);
  isSelected = false;
  if (status) status.textContent = "";
  document.querySelector(".copy.done")?.classList.remove("done");
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
