/** A client that gets tokens only with a proof of a key, whichever proof it is (FAPI 2.0 §5.3.2.1-4). */

import type { ClientMember } from "../../contracts/feature.ts";

export const requiresProof: ClientMember<boolean> = {
  name: "require_bound_access_tokens",
  schema: { type: "boolean" },
  check: (isRequired, _client, { senderProofs }) =>
    isRequired && senderProofs.size === 0
      ? "must be left out: the server accepts no proof of possession"
      : undefined,
};
