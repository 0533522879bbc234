/** The languages of the pages, as BCP 47 tags. The file has no words, so a server can read it before it shows a page. */

export const languages = ["en", "de"] as const;

export type Language = typeof languages[number];
