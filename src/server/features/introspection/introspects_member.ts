/** The client member that names the APIs whose tokens the client may introspect. */

import { otherNames, texts } from "../../schema/schema.ts";
import type { ClientMember } from "../../oauth/feature.ts";

export const introspectsMember: ClientMember<readonly string[]> = {
  name: "introspects",
  schema: {
    ...texts,
    // Its name in earlier versions.
    [otherNames]: ["serves"],
  },
};
