/** The record of a client to which the person had signed in, and of the server's message that the sign-in has ended. */

import type { Client } from "./client.ts";
import type { TellOutcome } from "./pages.ts";

export interface ToldClient {
  readonly client: Client;
  readonly outcome: TellOutcome;
}
