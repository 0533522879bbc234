/** The parts of a list of requests: rows, and the logins that fold several rows into one line. */

import type { ExchangeLine, Lane } from "./exchange_props.ts";

/** A request. Consecutive equal ones are one row, in which `line` is the one that the list shows first. */
export interface RequestRow {
  readonly line: ExchangeLine;
  readonly fold?: Fold;
}

/** Consecutive equal requests, and whether a person has unfolded them. The first of the unfolded rows has it. */
export interface Fold {
  readonly key: string;
  readonly times: number;
  readonly isOpen: boolean;
}

/** The requests of a login. One line stands for them until a person unfolds it. */
export interface Band extends Lane {
  readonly flow: string;
  /** When the latest request arrived: seconds since 1970, by the server's clock. */
  readonly latestAt: number;
  /** Seconds from the first request of the client or the browser to the last response, without pages that end the login. */
  readonly duration: number;
  /** The latest request that was refused or failed. */
  readonly trouble?: ExchangeLine;
  /** In the order of time. */
  readonly rows: readonly RequestRow[];
  /** How many requests of the login the page leaves out. */
  readonly hidden: number;
  readonly isOpen: boolean;
}

export type ListItem = RequestRow | Band;

export function isBand(item: ListItem): item is Band {
  return "flow" in item;
}
