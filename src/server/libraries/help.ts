/** What a refusal says about libraries: the line for the one that has sent the request, and those of the others. */

import { present } from "../../ground/values/present.ts";
import { librariesByLanguage, writeLine } from "./mod.ts";
import type { Library, LibraryChange, LibraryHelp, Switch } from "./library.ts";
import { findSegment, recogniseLibrary } from "./recognise.ts";

export function helpWith(of: "pkce" | "response_type", query: string, issuer: string): LibraryHelp {
  const library = recogniseLibrary(query);
  const looksLike = library && describe(library, of, findSegment(library, query));
  return {
    ...present({
      looksLike,
      inOneLine: looksLike && writeInOneLine(looksLike),
      method: library && (library.method ?? "client_secret_basic"),
    }),
    issuer,
    parameters: parameters[of],
    languages: Object.entries(librariesByLanguage).flatMap(([language, all]) => {
      const libraries = all.flatMap((each) => describe(each, of) ?? []);
      return libraries.length === 0 ? [] : [{ language, libraries }];
    }),
  };
}

const parameters = {
  pkce: [
    {
      request: "Authorization request",
      names: "`code_challenge`: BASE64URL(SHA256(code_verifier)), without =; `code_challenge_method=S256`",
    },
    {
      request: "Token request",
      names: "`code_verifier`: 43 to 128 characters; keep it until the callback of the same login",
    },
  ],
  response_type: [{ request: "Authorization request", names: "`response_type=code`" }],
} as const;

/** The libraries whose language allows a comma after the last member or argument. */
const commaEnds = [...librariesByLanguage.JavaScript, ...librariesByLanguage.Python];

/** Returns nothing for a library that needs no word. `id` takes the place of `ID` in the lines. */
function describe(library: Library, of: Switch, id = "ID"): LibraryChange | undefined {
  const { title, version, name, words, pkce } = library;
  const note = [library.where, library.note].filter(Boolean).join(" ") || undefined;
  const line = words[of];
  const into = library.into?.[of]?.replace(/\bID\b/, id);
  const lacksIt = of === "pkce" && pkce === "never";
  if (line === undefined && !lacksIt) return undefined;
  const other = of === "pkce" ? library.alternative : undefined;
  const alternative = other && { ...other, line: other.line.replace(/\bID\b/, id) };
  const isMember = into?.includes("…") && commaEnds.includes(library) ? true : undefined;
  return { title, version, name, ...present({ line, into, isMember, alternative, note }) };
}

function writeInOneLine({ title, version, line, into }: LibraryChange): string {
  return `${title} ${version}${
    line === undefined ? ", which has no setting for it" : `: ${writeLine(line, into)}`
  }`;
}
