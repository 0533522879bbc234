/** Counts down to the end of the code. Without it, the page says about how long that is. */
/// <reference lib="dom" />

const left = document.querySelector<HTMLElement>("[data-seconds]");
const notice = left?.parentElement;
if (left && notice) countDown(left, notice);

function countDown(left: HTMLElement, notice: HTMLElement): void {
  const { seconds = "0", left: pattern = "", over = "" } = left.dataset;
  // Counts from the remaining seconds that the server gave, because the clock of this computer may be wrong.
  const endsAt = Date.now() + Number(seconds) * 1000;
  const show = () => {
    const remaining = Math.round((endsAt - Date.now()) / 1000);
    if (remaining > 0) {
      const rest = String(remaining % 60).padStart(2, "0");
      left.textContent = pattern.replace("{left}", `${Math.floor(remaining / 60)}:${rest}`);
      return;
    }
    clearInterval(timer);
    notice.classList.add("problem");
    // Screen readers announce the end once. They would read a running clock every second.
    notice.setAttribute("role", "alert");
    notice.textContent = over;
    // The sentence about a valid code is no longer true.
    const lead = document.querySelector<HTMLElement>("[data-over]");
    if (lead) lead.textContent = lead.dataset.over ?? "";
  };
  const timer = setInterval(show, 1000);
  show();
}

export {};
