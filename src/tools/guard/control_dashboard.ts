/** What the control plane asks of the dashboard. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import type { Page, PageFile, ServerFile } from "../../server/pages/document.tsx";
import type { DrawnPart } from "../../server/pages/pages_options.ts";
import type { ToolAssetName } from "./asset_names.ts";

export interface ControlDashboard {
  /** Answers a request to the page of the control plane with the frame and the forms of the dashboard. */
  answer(request: IncomingRequest, page: (visit: ControlVisit) => Promise<Answer>): Promise<Answer>;
  /** Whether the browser has shown the token of the control plane. */
  hasSession(request: IncomingRequest): boolean;
  tokenUrl(): string;
}

export type ControlPage = Page<ServerFile | Extract<ToolAssetName, PageFile>>;

/** A request to the page of the control plane, and what its visitor may see and send. */
export interface ControlVisit {
  /** A form that only opens a page counts as a GET. */
  readonly request: IncomingRequest;
  readonly form: URLSearchParams;
  /** Whether the answers of calls are shown with their tokens. */
  readonly seesSecrets: boolean;
  readonly neverShown: readonly string[];
  /** The page at which the person types the key of the inspector, and comes back. */
  readonly keyUrl: string;
  /** Says why the page sends no call. Absent: it does. */
  readonly readOnly?: DrawnPart;
  hiddenFields(call: string): DrawnPart;
  /** Throws a `ControlRefused` if the visitor may send no call, or the form is not that of this call. */
  requireForm(call: string): void;
  show(page: ControlPage): Answer;
}
