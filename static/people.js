// src/pages/scripts/people.ts
var field = document.querySelector("#find-person");
var items = [...document.querySelectorAll("form.pick li")];
function filter(typed) {
  const wanted = typed.trim().toLowerCase();
  for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
}
if (field !== null) {
  field.removeAttribute("list");
  field.addEventListener("input", () => filter(field.value));
  filter(field.value);
}
