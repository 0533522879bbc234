/** What `postern start` decides about the dashboard. */

import type { Snippet } from "../oauth/pages.ts";
import type { Settings } from "../oauth/settings.ts";

export interface DashboardTerms {
  /** The key that shows secrets in the inspector. */
  readonly key: string;
  /** Other machines can reach the server, so every page needs the key. */
  readonly isReached: boolean;
  /** The name of this instance. */
  readonly label?: string;
  /** The name of the file of `--people`. */
  readonly peopleFile?: string;
  /** Returns programs and settings for the usual client libraries. */
  readonly snippets?: (settings: Settings) => readonly Snippet[];
  /** Present with `--control`. */
  readonly control?: {
    /** The token of the control plane. Absent: the control plane needs no token. */
    readonly token?: string;
    /** Whether other machines may use the control plane. */
    readonly open: boolean;
  };
}

// In characters. A caller must not be able to guess the key.
export const shortestKey = 16;
