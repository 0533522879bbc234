/** Sends each form once, and gives the answer to a form an address that Reload and Back can open. */
/// <reference lib="dom" />

// Milliseconds. Long enough for a double click, short enough for a person who stopped the first attempt.
const pause = 3000;

let sentAt = -Infinity;

// Ignores a second click: it would cancel the first request, and the server would refuse the second.
document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt < pause) event.preventDefault();
  else sentAt = event.timeStamp;
});

// The Back button may restore the page with its variables, so the form must work again.
addEventListener("pageshow", () => sentAt = -Infinity);

// This page is the answer to a POST, so the history gets an address that a GET can open.
const address = document.querySelector<HTMLElement>("[data-address]")?.dataset["address"];
if (address !== undefined) history.replaceState(null, "", address);

export {};
