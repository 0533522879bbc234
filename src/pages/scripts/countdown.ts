/** Counts down to the end of the code; without this script the page says about how long it lasts. */
/// <reference lib="dom" />

const left = document.querySelector<HTMLElement>("[data-seconds]");
const notice = left?.parentElement;
if (left && notice) countDown(left, notice);

function countDown(left: HTMLElement, notice: HTMLElement): void {
  const { seconds = "0", left: pattern = "", over = "" } = left.dataset;
  // The server said how many seconds are left: the clock of this computer may be wrong, but it runs as fast.
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
    // Announced once, now that it matters; a running clock would talk without end.
    notice.setAttribute("role", "alert");
    notice.textContent = over;
    // What the page says of a good code is no longer true either.
    const lead = document.querySelector<HTMLElement>(".lead[data-over]");
    if (lead) lead.textContent = lead.dataset.over ?? "";
  };
  const timer = setInterval(show, 1000);
  show();
}

export {};
