/** Chooses the language of a page: by the client's `ui_locales`, then by the browser's Accept-Language (RFC 9110 §12.5.4). */

import type { Exchange } from "../contracts/exchange.ts";
import type { Pages } from "../contracts/pages.ts";

export function chooseLanguage(
  { request, uiLocales }: {
    readonly request: Pick<Exchange["request"], "header">;
    readonly uiLocales: string | undefined;
  },
  { pages: { languages } }: { readonly pages: Pick<Pages, "languages"> },
): string {
  const acceptLanguage = request.header("accept-language");
  const ranges = [
    // OpenID Connect Core §3.1.2.1: separated by spaces, in order of preference.
    ...(uiLocales?.split(" ") ?? []),
    ...(acceptLanguage === undefined ? [] : readAcceptLanguage(acceptLanguage)),
  ];
  for (const range of ranges) {
    const language = range === "*" ? languages[0] : findLanguage(range.toLowerCase(), languages);
    if (language !== undefined) return language;
  }
  return languages[0];
}

/** Returns the language for a range such as `de-CH`: that one, or else `de` (RFC 4647 §3.4). */
function findLanguage(range: string, languages: readonly string[]): string | undefined {
  const matches = languages.filter((language) => `${range}-`.startsWith(`${language.toLowerCase()}-`));
  return matches.sort((a, b) => b.length - a.length)[0];
}

/** Returns the language ranges, the preferred ones first. A range with `q=0` is not acceptable. */
function readAcceptLanguage(header: string): readonly string[] {
  return header.split(",")
    .map((part) => {
      const [range = "", ...params] = part.split(";").map((piece) => piece.trim());
      const quality = params.find((param) => /^q=/i.test(param))?.slice(2);
      return { range, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}
