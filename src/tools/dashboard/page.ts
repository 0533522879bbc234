/** A page of the dashboard, and what it knows about a request. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import type { Page } from "./frame/dashboard_document.tsx";
import type { FrameProps } from "./frame/frame_props.ts";
import type { Rehearse } from "../../server/rehearse.ts";
import type { Change } from "./parts/read_only.tsx";
import type { Forms } from "./forms.ts";
import type { MayChange, Sessions } from "./permission.ts";
import type { OpenedSession, SessionPurpose } from "./session.ts";
import type { Watched } from "./watched.ts";

/** Answers the requests to a page and to the addresses below it. */
export type AnswerPage = (call: PageCall) => Promise<Answer> | Answer;

export interface PageCall {
  readonly request: IncomingRequest;
  /** The part of the path below the page: empty, or for example `/ID`. */
  readonly rest: string;
  readonly query: URLSearchParams;
  /** The form of a POST, of which nothing is checked. */
  readonly form: URLSearchParams;
  readonly watched: Watched;
  readonly frame: FrameProps;
  /** Whether the request proves that the person has shown the key, so the page may send secrets. */
  readonly seesSecrets: boolean;
  readonly mayChange: MayChange;
  /** The key of the inspector and the control token, which no page shows, wherever they occur. */
  readonly neverShown: readonly string[];
  /** What a person types before the name of a command: `deno task`. */
  readonly program: string;
  readonly forms: Forms;
  readonly sessions: Sessions;
  readonly rehearse: Rehearse;
  /** The functions that end the open streams. The dashboard calls them when it closes. */
  readonly streams: Set<() => void>;
  pathOf(name: string, rest?: string): string;
  /** Returns the address at which the person types a secret. The page `next` follows. Default: this page. */
  secretUrl(purpose: SessionPurpose, next?: string): string;
  /** Says whether the page may change the server. `next` follows where the person types what is missing. */
  describeChange(next?: string): Change;
  /** Throws a `ControlRefused` if the request may not change the server, or its form is not for `target`, by default this path. */
  readChange(target?: string): URLSearchParams;
  /** Shows the page at this address to a person who has just opened a session. */
  enter(address: string, opened: OpenedSession): Promise<Answer>;
  show(page: Page, status?: number): Answer;
}
