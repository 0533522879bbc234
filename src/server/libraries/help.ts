/** What a refusal says about libraries: the line for the one that has sent the request, and those of the others. */

import { present } from "../../ground/values/present.ts";
import { describeUse, librariesByLanguage } from "./mod.ts";
import type { Library, LibraryChange, LibraryHelp, Switch } from "./library.ts";
import { recogniseLibrary } from "./recognise.ts";

export function helpWith(of: Switch, query: string): LibraryHelp {
  const library = recogniseLibrary(query);
  const looksLike = library && describe(library, of);
  return {
    ...present({
      looksLike,
      inOneLine: looksLike && writeInOneLine(looksLike),
      method: library && (library.method ?? "client_secret_basic"),
    }),
    languages: Object.entries(librariesByLanguage).flatMap(([language, all]) => {
      const libraries = all.flatMap((each) => describe(each, of) ?? []);
      return libraries.length === 0 ? [] : [{ language, libraries }];
    }),
  };
}

/** Returns nothing for a library that needs no word. */
function describe(library: Library, of: Switch): LibraryChange | undefined {
  const { title, version, name, words, pkce } = library;
  const note = describeUse(library);
  const line = words[of];
  const lacksIt = of === "pkce" && pkce === "never";
  return line === undefined && !lacksIt ? undefined : { title, version, name, ...present({ line, note }) };
}

function writeInOneLine({ title, version, line }: LibraryChange): string {
  return `${title} ${version}${line === undefined ? ", which has no setting for it" : `: ${line}`}`;
}
