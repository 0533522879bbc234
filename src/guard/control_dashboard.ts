/** What the control plane asks of the dashboard. */

import type { IncomingRequest } from "../http/message.ts";
import type { Frame } from "../pages/pages_terms.ts";

/** What the dashboard adds to the pages of the control plane. */
export interface ControlDashboard {
  frame(): Frame;
  /** Whether the browser has shown the token of the control plane. */
  hasSession(request: IncomingRequest): boolean;
  /** Returns the address of the form that asks for the token. */
  tokenUrl(): string;
  /** Returns the address of the page on which a person examines an application. */
  examineUrl(): string;
}
