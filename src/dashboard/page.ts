/** A page of the dashboard, and what it knows about a request. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import type { Frame, FrameLinkName } from "../oauth/pages.ts";
import type { Rehearse } from "../oauth/endpoints/rehearse.ts";
import type { Page } from "../pages/document.tsx";
import type { WhyReadOnly, Words } from "../pages/words/english.ts";
import type { Forms } from "./forms.ts";
import type { Session } from "./session.ts";
import type { Watched } from "./watched.ts";

/** The name of a page. Its path is the name below the path of the issuer: `/inspector`. */
export type PageName = Exclude<FrameLinkName, "home" | "api"> | "search" | "session";

/** Answers the requests to a page and to the addresses below it. */
export type AnswerPage = (call: PageCall) => Promise<Answer> | Answer;

/** Whether the request may change the server: `needs_token` if the person must first type the control token. */
export type MayChange = "yes" | "needs_token" | WhyReadOnly;

export interface PageCall {
  readonly request: IncomingRequest;
  /** The part of the path below the page: empty, or for example `/ID`. */
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly watched: Watched;
  readonly frame: Frame;
  /** Whether the person has shown the key, so the page may send secrets. */
  readonly seesSecrets: boolean;
  readonly mayChange: MayChange;
  /** The key of the inspector and the control token, which no page shows, wherever they occur. */
  readonly neverShown: readonly string[];
  /** What a person types before the name of a command: `deno task`. */
  readonly program: string;
  readonly forms: Forms;
  readonly sessions: Sessions;
  /** Says what the server would answer to a request. */
  readonly rehearse: Rehearse;
  /** The functions that end the open streams. The dashboard calls them when it closes. */
  readonly streams: Set<() => void>;
  /** Returns the path of a page of this dashboard. */
  pathOf(name: PageName, rest?: string): string;
  /**
   * Reads a form that changes the server. Throws a `ControlRefused` if the request may not change it, or if the form is
   * not one of this dashboard.
   */
  readChange(): Promise<URLSearchParams>;
  /** The words of the language of the browser. */
  readonly words: Words;
  /** Shows a page in the language of the browser. */
  show(page: (words: Words) => Page, status?: number): Answer;
}

/** What a person can show to see or change more. */
export interface Sessions {
  /** Opened by the key. */
  readonly inspector: Session;
  /** Opened by the control token. Absent: the control plane needs no token, or does not exist. */
  readonly control?: Session;
}
