/** The options of `window`. */
/// <reference lib="dom" preserve="true" />

/** Options of `window`. */
export interface WindowTerms {
  /** A frame of this page. Default: a new frame at the end of the page, which is removed afterwards. */
  readonly frame?: HTMLIFrameElement;
  /** What `open()` has returned. This window shows the pages in place of a frame, and is closed afterwards. */
  readonly popup?: Window | null;
}
