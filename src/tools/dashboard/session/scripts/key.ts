/** Sends the key in the fragment of the address to the server. Without this script the person types the key. */
/// <reference lib="dom" />

const key = new URLSearchParams(location.hash.slice(1)).get("key");
const form = document.querySelector<HTMLFormElement>("#key-form");
const field = form?.querySelector<HTMLInputElement>("input[name=key]");

if (key !== null) {
  // The history of the browser must not keep the key.
  history.replaceState(null, "", location.pathname + location.search);
  if (form && field) {
    field.value = key;
    form.requestSubmit();
  }
}

export {};
