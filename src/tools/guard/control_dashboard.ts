/** What the control plane asks of the dashboard. */

import type { IncomingRequest } from "../../server/http/message.ts";
import type { Frame } from "../../server/pages/pages_options.ts";

export interface ControlDashboard {
  frame(): Promise<Frame>;
  /** Whether the browser has shown the token of the control plane. */
  hasSession(request: IncomingRequest): boolean;
  tokenUrl(): string;
  pagesByHand(): PagesByHand;
}

/** The addresses of the pages on which a person does by hand what the calls do. */
export type PagesByHand = Readonly<
  Record<"clock" | "misbehaviours" | "gates" | "people" | "clients" | "requests" | "examine", string>
>;
