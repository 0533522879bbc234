/** Where a page shows the pages of its mock: in a dialog, in a frame that it has, or in a window that it has opened. */
/// <reference lib="dom" />

import { attempt } from "../../ground/values/attempt.ts";
import { type Dialog, openDialog } from "./dialog.ts";
import type { WindowTerms } from "./window_terms.ts";

/** A page of the server. Its style sheets are apart, because the policy of the application applies to `<style>`. */
export interface Drawing {
  readonly html: string;
  readonly sheets: readonly string[];
}

export interface Screen {
  /** Shows a page in place of the one before. */
  draw(drawing: Drawing): Document;
  /** Says what has happened if the screen no longer shows the pages. */
  findEnd(): string | undefined;
  remove(): void;
}

interface ScreenTerms extends WindowTerms {
  readonly issuer: string;
  /** Called when the person closes the dialog. */
  readonly close: () => void;
}

export function findScreen({ frame, popup, issuer, close }: ScreenTerms): Screen {
  if (popup === null) {
    throw new TypeError("The browser blocked the window: call open() in the click, without noopener");
  }
  if (popup !== undefined && frame !== undefined) {
    throw new TypeError("Cannot show the pages: expected frame or popup, but got both");
  }
  if (popup !== undefined) return inWindow(popup);
  return frame === undefined ? inDialog(issuer, close) : inFrame(frame);
}

function inWindow(popup: Window): Screen {
  if (Object.prototype.toString.call(popup) !== "[object Window]") {
    throw new TypeError("Cannot show the pages: expected popup to be what open() has returned");
  }
  let drawn: Document | undefined;
  return {
    draw: (drawing) => drawn = write(popup.document, drawing),
    findEnd() {
      if (popup.closed) return "The window was closed";
      return isLost(drawn, () => popup.document) ? "The window went to another page" : undefined;
    },
    remove: () => popup.close(),
  };
}

function inFrame(frame: HTMLIFrameElement): Screen {
  if (!(frame.isConnected && frame.contentDocument)) {
    throw new TypeError(
      "Cannot show a page in this frame: expected a frame in the document, without src and sandbox",
    );
  }
  let drawn: Document | undefined;
  return {
    draw: (drawing) => drawn = write(frame.contentDocument!, drawing),
    findEnd() {
      if (!frame.isConnected) return "The frame was removed from the page";
      return isLost(drawn, () => frame.contentDocument) ? "The frame went to another page" : undefined;
    },
    remove() {
      if (frame.contentDocument === drawn && drawn !== undefined) write(drawn, { html: "", sheets: [] });
    },
  };
}

/** The dialog is opened with the first page, because a person who is signed in may see none. */
function inDialog(issuer: string, close: () => void): Screen {
  let opened: { readonly dialog: Dialog; readonly screen: Screen } | undefined;
  const open = (): NonNullable<typeof opened> => {
    const dialog = openDialog(issuer, close);
    return { dialog, screen: inFrame(dialog.frame) };
  };
  return {
    draw(drawing) {
      opened ??= open();
      const page = opened.screen.draw(drawing);
      opened.dialog.fit(page);
      return page;
    },
    findEnd: () => opened?.screen.findEnd(),
    remove: () => opened?.dialog.remove(),
  };
}

/** A browser does not tell which page of another site is there. */
function isLost(drawn: Document | undefined, find: () => Document | null): boolean {
  return attempt(() => drawn !== undefined && find() !== drawn) ?? true;
}

function write(page: Document, { html, sheets }: Drawing): Document {
  page.open();
  page.write(html);
  page.close();
  const { CSSStyleSheet } = page.defaultView!;
  page.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return page;
}
