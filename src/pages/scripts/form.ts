/** Forms that are sent once, and pages that Reload and Back open again without sending one. */
/// <reference lib="dom" />

// Milliseconds. Long enough for a double click, short enough for a person who stopped the first attempt.
const pause = 3000;

let sentAt = -Infinity;

// A second click would cancel the answer to the first one, and be told that the request is answered already.
document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt < pause) event.preventDefault();
  else sentAt = event.timeStamp;
});

// Back may show the page in the state in which it was left.
addEventListener("pageshow", () => sentAt = -Infinity);

// This page is the answer to a form. In the history it gets an address that a GET opens.
const address = document.querySelector<HTMLElement>("[data-address]")?.dataset["address"];
if (address !== undefined) history.replaceState(null, "", address);

export {};
