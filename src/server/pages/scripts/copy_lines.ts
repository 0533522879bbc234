/** Adds a copy button to each line of a list. In the page, so many buttons would be too heavy. `copy.ts` makes them work. */
/// <reference lib="dom" />

for (const list of document.querySelectorAll<HTMLElement>("[data-each]")) {
  list.querySelectorAll("dd > code:first-child").forEach((line, at) => {
    const button = document.createElement("button");
    const name = document.createElement("span");
    line.id = button.dataset.copy = `each-${at}`;
    button.type = "button";
    button.className = "copy";
    name.className = "unseen";
    name.textContent = ` ${line.parentElement?.previousElementSibling?.textContent}`;
    button.append(list.dataset.each ?? "", name);
    line.after(button);
  });
}

export {};
