/** Shows the list of the inspector beside a request, where there is room for both. */
/// <reference lib="dom" />

import { addScript } from "../../frame/scripts/shared/start_script.ts";

const isWide = matchMedia("(min-width: 1100px)");
// The script of the list has the rest, and a narrow window does not load it.
const show = () => addScript(new URL("inspector.js", import.meta.url));

if (isWide.matches) show();
else isWide.addEventListener("change", show, { once: true });
