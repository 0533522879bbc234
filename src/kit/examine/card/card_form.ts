/** The formats of a card, and the options of `formatCard`. */

import type { Card } from "../examine.ts";
import type { CardException } from "./exceptions.ts";
import type { KeptCard } from "./kept_card.ts";
import type { SourceLine } from "./source_lines.ts";

/**
 * The format of a card. `json` is the form that `readCard` reads. `junit` is XML for a CI server, and `sarif` is
 * SARIF 2.1.0 for code scanning. `html` is one file that needs no other file and no script.
 */
export type CardForm = "text" | "markdown" | "json" | "junit" | "sarif" | "html";

/** Options of `formatCard`. */
export interface FormatCardTerms {
  /** An earlier card. Then only what got worse is a failure. */
  readonly baseline?: Card | KeptCard;
  /** Rows that may fail for a time. */
  readonly exceptions?: readonly CardException[];
  /** Where the results of SARIF are. Default: the line that called `examine`, if the card comes from there. */
  readonly driver?: SourceLine;
  /** Lists the requests of every row in a text. Default: only of rows that failed, or have advice. */
  readonly requests?: boolean;
}
