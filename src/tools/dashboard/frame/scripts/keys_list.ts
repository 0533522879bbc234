/** Shows the keys as a dialog, with the switch that turns single keys off. It is loaded when a person first asks for it. */
/// <reference lib="dom" />

import { englishKeys as words } from "./shared/keys_english.ts";
import { load } from "./shared/start_script.ts";

const storageName = "postern_keys";

const rows = words.rows.map(([keys, action]) =>
  `<tr><th scope="row">${keys.map((key) => `<kbd>${key}</kbd>`).join(" ")}</th><td>${action}</td></tr>`
);
const dialog = Object.assign(document.createElement("dialog"), {
  id: "keys-list",
  ariaLabel: words.heading,
  // It has nothing of a request.
  innerHTML: `<h2>${words.heading}</h2>
<table><tbody>${rows.join("")}</tbody></table>
<form method="dialog">
<label class="option"><input type="checkbox" id="keys-enabled"> ${words.enabled}</label>
<button class="button">${words.close}</button>
</form>`,
});
const enabled = dialog.querySelector("input")!;
enabled.checked = localStorage.getItem(storageName) !== "off";
enabled.addEventListener("change", () => localStorage.setItem(storageName, enabled.checked ? "on" : "off"));
const { href } = new URL("playground.css", import.meta.url);
await load(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
document.body.append(dialog);
dialog.showModal();
