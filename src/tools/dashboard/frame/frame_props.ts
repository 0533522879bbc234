/** What the frame of a server with a dashboard shows. */

import type { Frame } from "../../../server/pages/pages_options.ts";
import type { FormTarget } from "../parts/pass.tsx";
import type { RequestRow, RequestTableProps } from "../parts/list_props.ts";

export interface FrameProps
  extends Omit<Frame, "styles" | "scripts" | "keys" | "bar" | "conditions" | "front"> {
  readonly issuer: string;
  /** What a person types before the name of a command. */
  readonly program: string;
  /** The first one is that of the front page. */
  readonly links: readonly { readonly name: string; readonly text: string; readonly href: string }[];
  /** What is unusual about the server and may be known to each visitor of the page. */
  readonly conditions: readonly Condition[];
  readonly mayChange: boolean;
  /** Sets the clock right. Absent: the page only shows. */
  readonly clockForm?: FormTarget;
  readonly searchUrl: string;
  /** What the front page shows of a server that no other machine can reach. */
  readonly front?: FrontProps;
}

/** What only the front page shows, as a visitor without the key may see it. */
export interface FrontProps {
  readonly snippets?: () => readonly Snippet[];
  readonly recent: () => RecentRequests;
  readonly newestTokens: () => ReadonlyMap<string, string>;
  /** The addresses of the pages that show each condition, also while the server is in its usual state. */
  readonly conditionHrefs: Readonly<Record<Condition["kind"], string>>;
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
    | { readonly kind: "look_alike"; readonly titles: readonly string[] }
  );

/** A program or settings of an application, for one library. */
export interface Snippet {
  /** As `--print` names it. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The latest requests, newest first, as the list of the inspector has them. */
export interface RecentRequests extends Pick<RequestTableProps, "path" | "now" | "linkTo" | "query"> {
  readonly items: readonly RequestRow[];
  /** How many requests of the journal were refused, and their list. */
  readonly refused?: { readonly count: number; readonly href: string };
}
