/** Exceptions: rows of a card that may fail for a time. */

import type { KeptRow } from "./kept_card.ts";

/** A row that may fail for a time. */
export interface CardException {
  /** The name of the misbehaviour. */
  readonly row: string;
  /** Why the row may fail, in words. */
  readonly reason: string;
  /** Who answers for it: a name, an address, the number of an issue. */
  readonly who: string;
  /** The last day, for example `2027-03-31` (UTC). From the next day on, the row fails again. */
  readonly until: string;
}

/** What exceptions do to the rows of a card. */
interface Excepting {
  /** Returns the exception that holds for a row today. */
  readonly find: (name: string) => CardException | undefined;
  readonly hasExpired: (name: string) => boolean;
  /** Returns a sentence for each exception that has expired, or that no row needs any more. */
  readonly listNotes: (
    rows: readonly (Pick<KeptRow, "name"> & { readonly needsNone: boolean })[],
  ) => readonly string[];
}

export function readExceptions(exceptions: readonly CardException[]): Excepting {
  const today = new Date().toISOString().slice(0, 10);
  const byRow = new Map(exceptions.map((each) => [each.row, each]));
  const isOver = (exception: CardException | undefined) => exception !== undefined && exception.until < today;
  return {
    find: (name) => isOver(byRow.get(name)) ? undefined : byRow.get(name),
    hasExpired: (name) => isOver(byRow.get(name)),
    listNotes: (rows) =>
      rows.flatMap(({ name, needsNone }) => {
        const exception = byRow.get(name);
        if (exception === undefined) return [];
        const { who, until, reason } = exception;
        if (needsNone) return [`The exception for ${name} (${who}) is not needed any more: delete it.`];
        return isOver(exception)
          ? [`The exception for ${name} (${who}) expired after ${until}: ${reason}`]
          : [];
      }),
  };
}
