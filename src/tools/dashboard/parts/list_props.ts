/** The parts of a list of requests: rows, and the logins that fold several rows into one line. */

import type { EndpointName } from "../../../kit/mock/endpoints.ts";
import type { ExchangeLine, GroupSummary } from "../../../kit/timeline/exchange_props.ts";

/** A request. Consecutive equal ones are one row, in which `line` is the one that the list shows first. */
export interface RequestRow {
  readonly line: ExchangeLine;
  readonly fold?: Fold;
  /** Its place in its login, from 1. That of the first one, if it stands for several. */
  readonly step?: number;
  /** Its login waits there for the person or the client. */
  readonly isUnfinished?: true;
}

/** Consecutive equal requests, and whether a person has unfolded them. The first of the unfolded rows has it. */
export interface Fold {
  readonly key: string;
  readonly times: number;
  readonly isOpen: boolean;
  /** The ids of requests that the row stands for beside its own: the first ones. Empty if they are unfolded. */
  readonly others: readonly string[];
  /** How many of them are for keys and for metadata, if the row stands for such requests only. */
  readonly lookups?: LookupCounts;
}

/** The endpoints from which libraries learn about the server. What they ask there says little about a login. */
export const lookupEndpoints: readonly LookupEndpoint[] = ["jwks", "metadata"];

type LookupEndpoint = Extract<EndpointName, "jwks" | "metadata">;

export type LookupCounts = Readonly<Record<LookupEndpoint, number>>;

/** The requests of a login. One line stands for them until a person unfolds it. */
export interface LoginGroup extends GroupSummary {
  readonly flow: string;
  /** How many requests the login has, also those that the filter does not select. */
  readonly all: number;
  /** The first request of the login, also if the filter does not select it. */
  readonly first: Pick<ExchangeLine, "endpoint" | "grantType">;
  readonly last: ExchangeLine;
  readonly isUnfinished?: true;
  /** Seconds from the first request of the client or the browser to the last response, without pages that end the login. */
  readonly span: number;
  /** The latest request that was refused or failed. Without one, the latest that was wrong on purpose. */
  readonly trouble?: ExchangeLine;
  /** In the order of time. */
  readonly rows: readonly RequestRow[];
  /** How many requests of the login the page leaves out. */
  readonly hidden: number;
  readonly isOpen: boolean;
}

export type ListItem = RequestRow | LoginGroup;

export function isGroup(item: ListItem): item is LoginGroup {
  return "flow" in item;
}

export type LinkToValue = (name: "client" | "person" | "flow", value: string) => string;

/** `slowest` lists each request by itself. */
export const listOrders = ["newest", "oldest", "slowest"] as const;
export type ListOrder = typeof listOrders[number];

export interface RequestTableProps {
  readonly items: readonly ListItem[];
  readonly path: string;
  /** The query that the addresses of requests carry on: empty, or with its question mark. */
  readonly query?: string;
  /** Today by the server's clock, in seconds since 1970. Times of other days have their date. */
  readonly now: number;
  /** Returns the address of the list in which a row is unfolded or folded. Absent: the list folds no rows. */
  readonly toggle?: (key: string) => string;
  /** The links in the headings, which order the list. */
  readonly order?: { readonly shown: ListOrder; readonly linkTo: (order: ListOrder) => string };
  readonly linkTo: LinkToValue;
}
