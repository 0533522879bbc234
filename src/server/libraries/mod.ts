/** All libraries in whose words the server speaks, by language. The server loads them when it refuses a request. */

import { csharp, go, java, perl, php, ruby, rust } from "./other_languages.ts";
import { javascript } from "./javascript.ts";
import type { LanguageName, Library, LibraryRow } from "./library.ts";
import { products } from "./products.ts";
import { python } from "./python.ts";

export const librariesByLanguage: Readonly<Record<LanguageName, readonly Library[]>> = {
  JavaScript: complete(javascript),
  Python: complete(python),
  Go: complete(go),
  Java: complete(java),
  Rust: complete(rust),
  Ruby: complete(ruby),
  PHP: complete(php),
  Perl: complete(perl),
  "C#": complete(csharp),
  Products: complete(products, { isPlain: true }),
};

export const libraries: readonly Library[] = Object.values(librariesByLanguage).flat();

/** Adds what the rows leave out. */
function complete(rows: readonly LibraryRow[], usual: Partial<Library> = {}): readonly Library[] {
  return rows.map((row) => ({ title: row.name, pkce: "if told", words: {}, ...usual, ...row }));
}

/** Writes the line in a sentence, with what it is added to. */
export function writeLine(line: string, into: string | undefined): string {
  return into === undefined ? line : `add ${line} to ${into}`;
}

/** Says where the line stands, and what else matters. */
export function describeUse({ where, note, more }: Library): string | undefined {
  return [where, note, more].filter(Boolean).join(" ") || undefined;
}
