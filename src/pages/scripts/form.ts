/** Sends each form once, and gives the answer to a form an address that Reload and Back can open. */
/// <reference lib="dom" />

// Milliseconds. Long enough for a double click, short enough for a person who stopped the first attempt.
const pause = 3000;

let sentAt = -Infinity;

// A second click would cancel the answer to the first, and its own answer would be a refusal.
document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt < pause) event.preventDefault();
  else sentAt = event.timeStamp;
});

// Back may show the page with its earlier state.
addEventListener("pageshow", () => sentAt = -Infinity);

// This page is the answer to a POST. The history gets an address that a GET opens.
const address = document.querySelector<HTMLElement>("[data-address]")?.dataset["address"];
if (address !== undefined) history.replaceState(null, "", address);

export {};
