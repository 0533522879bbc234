/** The parts of an entry: one request, its login, and where its links lead. */

import type { KnownClient } from "../../../kit/timeline/client_settings.tsx";
import type { EntryToken } from "../../../kit/timeline/entry_tokens.tsx";
import type { ExchangeLine, ShownExchange } from "../../../kit/timeline/exchange_props.ts";
import type { KeyFormProps } from "../session/session_page.tsx";
import type { AgainProps } from "./edit_page.tsx";

export interface EntryProps {
  readonly shown: ShownExchange;
  readonly tokens: readonly EntryToken[];
  /** The time by the server's clock, in seconds. */
  readonly now: number;
  /** Absent if the server does not know the client. */
  readonly client?: KnownClient;
  /** Absent if the request belongs to no login. */
  readonly steps?: EntrySteps;
  /** The addresses carry on how the list is shown. */
  readonly links: {
    readonly list: string;
    entry(id: string): string;
    /** The lists of the requests of the same client and of the same person. */
    readonly client?: string;
    readonly person?: string;
    /** Returns the address of the list of the requests that a word of the filter selects. */
    filter(word: string): string;
  };
  /** The address of the page that sets the clock. */
  readonly clock: string;
  readonly seesSecrets: boolean;
  readonly keyForm: KeyFormProps;
  readonly again: AgainProps;
}

/** The requests of the same login, as many as fit around the present one. */
export interface EntrySteps {
  readonly shown: readonly EntryStep[];
  /** How many are left out before and after those. */
  readonly before: number;
  readonly after: number;
  readonly list: string;
  readonly diagram: string;
}

export type EntryStep = Pick<
  ExchangeLine,
  "id" | "endpoint" | "target" | "grantType" | "outcome" | "isWrong" | "refusal"
>;
