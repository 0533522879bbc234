/** Where a page shows the pages of its mock: in a frame, or in a window that it has opened. */
/// <reference lib="dom" />

import type { WindowTerms } from "./window_terms.ts";

export interface Screen {
  /** Shows a page in place of the one before. */
  draw(html: string): Document;
  remove(): void;
}

/** `closed` is called when a person closes the window. */
export function findScreen({ frame, popup }: WindowTerms, closed: () => void): Screen {
  if (popup === null) throw new TypeError("The browser blocked the window: call open() in the click");
  if (popup === undefined) return inFrame(frame ?? createFrame(), frame === undefined);
  const timer = setInterval(() => popup.closed && closed(), pause);
  return {
    draw: (html) => write(popup.document, html),
    remove() {
      clearInterval(timer);
      popup.close();
    },
  };
}

// Milliseconds. No event of the page tells that a window of it was closed.
const pause = 200;

function inFrame(frame: HTMLIFrameElement, isOwn: boolean): Screen {
  if (!frame.isConnected || frame.contentDocument === null) {
    throw new TypeError(
      "Cannot show a page in this frame: expected a frame in the document, without src and sandbox",
    );
  }
  return {
    draw: (html) => write(frame.contentDocument!, html),
    remove() {
      if (isOwn) frame.remove();
      else write(frame.contentDocument!, "");
    },
  };
}

function createFrame(): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.title = "Sign-in";
  frame.style.cssText = "display: block; width: 100%; height: 40rem; border: 0";
  document.body.append(frame);
  return frame;
}

function write(page: Document, html: string): Document {
  page.open();
  page.write(html);
  page.close();
  return page;
}
