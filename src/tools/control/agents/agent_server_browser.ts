/** No agent reaches a web page or its worker, so they have no tools for agents. */

import { ControlRefused } from "../../guard/control_refused.ts";

export function answerAgent(): Promise<never> {
  throw new ControlRefused("failed", "Agents reach no server in a browser: start postern on this machine");
}
