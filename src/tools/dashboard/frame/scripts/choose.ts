/** Shows the library that a pointer chooses. Arrow keys would show each library on the way, so a person who uses keys presses the button. */
/// <reference lib="dom" />

const form = document.querySelector<HTMLFormElement>("form.library");
let isByKey = false;

form?.addEventListener("keydown", () => isByKey = true);
form?.addEventListener("pointerdown", () => isByKey = false);
form?.addEventListener("change", () => isByKey || form.requestSubmit());

export {};
