/** Completes names and values of the filter as a person types, with how many requests have each. */
/// <reference lib="dom" />

import { requestPage } from "../../frame/scripts/shared/tab.ts";

/** How many requests have each value, by the name of the filter. */
type Values = Readonly<Record<string, Readonly<Record<string, number>>>>;

const mostOptions = 20;

const input = document.querySelector<HTMLInputElement>("#filter")!;
const options = document.createElement("datalist");
let values: Values = {};
options.id = "completions";
input.after(options);
input.setAttribute("list", options.id);
input.addEventListener("focus", load);
input.addEventListener("input", offer);
void load();

async function load(): Promise<void> {
  const url = `${document.getElementById("list")!.dataset["path"]}/values`;
  values = await requestPage(url).then((answer) => answer.json()).catch(() => values);
  offer();
}

function offer(): void {
  options.replaceChildren(...listOptions(input.value, values));
}

function listOptions(line: string, values: Values): readonly HTMLOptionElement[] {
  // A value in quotes may have spaces, and is perhaps not complete.
  const quote = line.lastIndexOf('"');
  const [before] = /^(?:.*[\s"])?/s.exec(quote === -1 ? line : line.slice(0, quote))!;
  const [, minus = "", word = ""] = /^(-?)(.*)/s.exec(line.slice(before.length))!;
  const [name = "", ...rest] = word.split(":");
  const known = Object.hasOwn(values, name) ? values[name]! : undefined;
  const begun = rest.join(":").replace('"', "").toLowerCase();
  const words = known === undefined || rest.length === 0
    ? Object.keys(values).filter((each) => each.startsWith(word)).map((each) => [`${each}:`, ""] as const)
    : Object.entries(known).filter(([value]) => value.toLowerCase().startsWith(begun))
      .map(([value, count]) => [`${name}:${quoteValue(value)}`, `${count}`] as const);
  return words.slice(0, mostOptions).map(([text, label]) => {
    const option = document.createElement("option");
    option.value = before + minus + text;
    if (label !== "") option.label = `${text} (${label})`;
    return option;
  });
}

function quoteValue(value: string): string {
  return /^[^\s"]+$/.test(value) ? value : `"${value}"`;
}
