/** Filters the people of the sign-in page while a person types a name. Without this script, the form sends the name. */
/// <reference lib="dom" />

const field = document.querySelector<HTMLInputElement>("#find-person");
const items = [...document.querySelectorAll<HTMLElement>("form.pick li")];

function filter(typed: string): void {
  const wanted = typed.trim().toLowerCase();
  for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
}

if (field !== null) {
  // The list below the field shows the same people.
  field.removeAttribute("list");
  field.addEventListener("input", () => filter(field.value));
  // The browser may have restored the text.
  filter(field.value);
}

export {};
