/** A web page opens no port: its ports say so. */

import type { Listening, ListenTerms } from "./network/listening.ts";
import type { RunningMock } from "./running_mock.ts";

export function listen(terms: ListenTerms, { ports }: RunningMock): Promise<Listening> {
  return ports.open(terms);
}
