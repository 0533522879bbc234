// src/pages/scripts/key.ts
var key = new URLSearchParams(location.hash.slice(1)).get("key");
var form = document.querySelector("#key-form");
var field = form?.querySelector("input[name=key]");
if (key !== null) {
  history.replaceState(null, "", location.pathname + location.search);
  if (form && field) {
    field.value = key;
    form.requestSubmit();
  }
}
