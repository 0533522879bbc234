/** The options of `window`. */
/// <reference lib="dom" preserve="true" />

import type { Browser } from "../../kit/mock/client/browser.ts";

/** Options of `window`. Without a frame and a window, a dialog of the page shows the sign-in pages. */
export interface WindowTerms {
  /** A frame of the page, without `src` and `sandbox`. It is empty afterwards. */
  readonly frame?: HTMLIFrameElement;
  /** What `open()` has returned in the click. This window shows the pages, and is closed afterwards. */
  readonly popup?: Window | null;
  /** Closes the pages when it is aborted. The promise rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The browser whose cookies the server gets. Default: one for all windows of the mock, where people stay signed in. */
  readonly browser?: Browser;
}
