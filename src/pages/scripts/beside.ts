/** Shows the list of the inspector beside a request, where there is room for both. */
/// <reference lib="dom" />

const isWide = matchMedia("(min-width: 1100px)");

if (isWide.matches) void show();
else isWide.addEventListener("change", show, { once: true });

/** The script of the list has the rest, and a narrow window does not load it. */
async function show(): Promise<void> {
  await import(new URL("inspector.js", import.meta.url).href);
}

export {};
