/** What the pages of one server know about it, and the frame that its dashboard puts around them. */

import type { Pages, SentRequest } from "../oauth/pages.ts";
import type { RequestRow, RequestTableProps } from "./inspector/list_props.ts";

/** Creates the pages of one server. */
export type CreatePages = (terms: LazyPagesTerms) => Pages;

/** What the pages of one server need to know about it. */
export interface PagesTerms {
  /** Returns the URL of an asset on the server. */
  readonly assetUrl: (name: string) => string;
  /** Returns the names of the misbehaviours that are on, which every page shows. */
  readonly misbehaviours?: () => readonly string[];
  /** Returns the titles of the providers that the server looks like, which every page shows. */
  readonly lookAlikes?: () => readonly string[];
  /** Returns the frame of the pages that are not part of a sign-in, if the server has a dashboard. */
  readonly frame?: () => Frame | undefined;
}

/** The same terms, for pages that are loaded when the first one is shown. The frame is loaded with them. */
export interface LazyPagesTerms extends Omit<PagesTerms, "frame"> {
  readonly frame?: () => Promise<Frame> | undefined;
}

/** The links of the frame: to the pages of the dashboard, the front page and the control plane. */
export type FrameLinkName =
  | "home"
  | "playground"
  | "inspector"
  | "people"
  | "clients"
  | "misbehaviours"
  | "control";

/** What surrounds a page that is not part of a sign-in: links to the other pages, and what is unusual about the server. */
export interface Frame {
  readonly issuer: string;
  /** The name that the operator gave this instance. */
  readonly label?: string;
  readonly links: readonly { readonly name: FrameLinkName; readonly href: string }[];
  /** What is unusual about the server and may be known to each visitor of the page. */
  readonly conditions: readonly Condition[];
  /** The pages of the dashboard change the server. */
  readonly mayChange: boolean;
  /** The address of the search form. */
  readonly searchUrl: string;
  /**
   * Returns the address of the page that adds a person, and that leads back to `next`. Present if its visitor may add a
   * person, and no other machine can reach the server.
   */
  readonly addPersonUrl?: (next: string | undefined) => string;
  /** The name of the file of `--people`, which holds the people and their passwords. */
  readonly peopleFile?: string;
  /** What the front page shows of a server that no other machine can reach. */
  readonly front?: FrontParts;
  /**
   * Returns the address of the page of the inspector about an exchange, if its visitors may see the page and the journal
   * has the exchange.
   */
  readonly entryUrl: (exchangeId: string) => string | undefined;
  /** Likewise for the exchange that the page answers: the journal has it as soon as the page is sent. */
  readonly ownEntryUrl: (exchangeId: string) => string | undefined;
  /** Returns the address of the playground with this request, if its visitors may see it, and the request has no secret. */
  readonly correctUrl: (sent: SentRequest) => string | undefined;
}

/** What only the front page shows, as a visitor without the key may see it. */
export interface FrontParts {
  /** Returns programs and settings for the usual client libraries, ready to paste. */
  readonly snippets?: () => readonly Snippet[];
  readonly recent: () => RecentRequests;
  /** The addresses of the pages that show each condition, also while the server is in its usual state. */
  readonly conditionHrefs: Readonly<Record<Condition["kind"], string>>;
  /** The name of the store, without a password. */
  readonly store?: string;
}

/** A way in which the server is not in its usual state, with a link to the page that changes the state. */
export type Condition =
  & { readonly href: string }
  & (
    /** `now`: seconds since 1970, as the server sees it. `ahead`: how far that is ahead of the right time. */
    | {
      readonly kind: "clock";
      readonly now: number;
      readonly ahead: number;
      readonly isFrozen: boolean;
    }
    | { readonly kind: "gate"; readonly endpoints: readonly string[] }
    | { readonly kind: "misbehaviour"; readonly names: readonly string[] }
    /** The titles of the providers. */
    | { readonly kind: "look_alike"; readonly titles: readonly string[] }
  );

/** A program or settings of an application, for one library. */
export interface Snippet {
  /** As `--print` names it. */
  readonly id: string;
  /** The name of the library or the file. */
  readonly name: string;
  readonly text: string;
}

/** The latest requests, newest first, as the list of the inspector has them. */
export interface RecentRequests extends Pick<RequestTableProps, "path" | "now" | "linkTo"> {
  readonly items: readonly RequestRow[];
  /** How many requests of the journal were refused, and their list. */
  readonly refused?: { readonly count: number; readonly href: string };
}
