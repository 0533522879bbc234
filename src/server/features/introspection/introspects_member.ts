/** The client member that names the APIs whose tokens the client may introspect. */

import { uriTexts } from "../../oauth/clients/metadata_texts.ts";
import { otherNames } from "../../schema/schema.ts";
import type { ClientMember } from "../../oauth/feature.ts";

export const introspectsMember: ClientMember<readonly string[]> = {
  name: "introspects",
  schema: {
    ...uriTexts,
    // Its name in earlier versions.
    [otherNames]: ["serves"],
  },
};
