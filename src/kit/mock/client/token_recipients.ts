/** Remembers which client received which tokens, which a token response does not say. */

import type { DpopKey } from "../../../server/client/dpop_key.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { Browser } from "./browser.ts";
import type { GivenTokens } from "./given_tokens.ts";

export interface TokenRecipient {
  readonly client: ClientMetadata;
  readonly clientKey?: Jwk | undefined;
  readonly decryptionKey?: Jwk | undefined;
  readonly dpop?: DpopKey | undefined;
  readonly browser?: Browser;
}

export interface TokenRecipients {
  /** Finds the recipient of a token response, of a copy of one, or of the text of one token. */
  get(tokens: string | GivenTokens): TokenRecipient | undefined;
  set(tokens: GivenTokens, recipient: TokenRecipient): void;
}

// The number of token texts to remember, so that a long-running mock does not fill the memory.
const mostRemembered = 10_000;

export function createTokenRecipients(): TokenRecipients {
  const byResponse = new WeakMap<object, TokenRecipient>();
  const byText = new Map<string, TokenRecipient>();

  return {
    get(tokens) {
      if (typeof tokens === "string") return byText.get(tokens);
      const known = textsOf(tokens).find((text) => byText.has(text));
      return byResponse.get(tokens) ?? (known === undefined ? undefined : byText.get(known));
    },
    set(tokens, recipient) {
      byResponse.set(tokens, recipient);
      for (const text of textsOf(tokens)) {
        // Deletes the key first, because set() keeps the position of an existing key, and the oldest keys are removed below.
        byText.delete(text);
        byText.set(text, recipient);
      }
      for (const oldest of byText.keys()) {
        if (byText.size <= mostRemembered) break;
        byText.delete(oldest);
      }
    },
  };
}

/** Returns the texts of the tokens. The access token is last, because a hook may give all clients the same one. */
function textsOf({ refresh_token, id_token, access_token }: GivenTokens): readonly string[] {
  return [refresh_token, id_token, access_token].filter((text) => typeof text === "string");
}
