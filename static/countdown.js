// src/pages/scripts/countdown.ts
var here = document.querySelector("[data-local]");
if (here) {
  const { time = "", local = "" } = here.dataset;
  here.textContent = local.replace("{time}", new Date(time).toLocaleTimeString());
}
var left = document.querySelector("[data-seconds]");
var notice = left?.parentElement;
if (left && notice) countDown(left, notice);
function countDown(left2, notice2) {
  const { seconds = "0", left: pattern = "", over = "" } = left2.dataset;
  const endsAt = Date.now() + Number(seconds) * 1e3;
  const show = () => {
    const remaining = Math.round((endsAt - Date.now()) / 1e3);
    if (remaining > 0) {
      const rest = String(remaining % 60).padStart(2, "0");
      left2.textContent = pattern.replace("{left}", `${Math.floor(remaining / 60)}:${rest}`);
      return;
    }
    clearInterval(timer);
    notice2.classList.add("problem");
    notice2.setAttribute("role", "alert");
    notice2.textContent = over;
    const lead = document.querySelector(".lead[data-over]");
    if (lead) lead.textContent = lead.dataset.over ?? "";
  };
  const timer = setInterval(show, 1e3);
  show();
}
