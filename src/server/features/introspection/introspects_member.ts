/** The client member that names the APIs whose tokens the client may introspect. */

import { uriTexts } from "../../oauth/clients/metadata/metadata_texts.ts";
import { otherNames } from "../../../ground/schema/schema.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";

export const introspectsMember: ClientMember<readonly string[]> = {
  name: "introspects",
  schema: {
    ...uriTexts,
    // Its name in earlier versions.
    [otherNames]: ["serves"],
  },
};
