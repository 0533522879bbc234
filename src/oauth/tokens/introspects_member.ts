/** The client member that names the APIs whose tokens the client may introspect. */

import { texts } from "../../schema/text.ts";
import type { ClientMember } from "../feature.ts";

export const introspectsMember: ClientMember<readonly string[]> = {
  name: "introspects",
  schema: {
    ...texts,
    description: "The client may introspect access tokens with one of these values of aud.",
  },
};
