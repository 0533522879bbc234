// src/pages/scripts/form.ts
var pause = 3e3;
var sentAt = -Infinity;
document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt < pause) event.preventDefault();
  else sentAt = event.timeStamp;
});
addEventListener("pageshow", () => sentAt = -Infinity);
var address = document.querySelector("[data-address]")?.dataset["address"];
if (address !== void 0) history.replaceState(null, "", address);
