/** Remembers who got which tokens: a token response does not say it, and later requests need it. */

import type { Jwk } from "../../crypto/jwk.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import type { Browser } from "./browser.ts";
import type { GivenTokens } from "./given_tokens.ts";

export interface TokenRecipient {
  readonly client: ClientMetadata;
  readonly clientKey?: Jwk | undefined;
  /** Where the person signed in. */
  readonly browser?: Browser;
}

export interface TokenRecipients {
  /** By the token response, by a copy of it, or by the text of one token. */
  get(tokens: string | GivenTokens): TokenRecipient | undefined;
  set(tokens: GivenTokens, recipient: TokenRecipient): void;
}

// Token texts: more than a test looks back on.
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
        // A Map keeps the position of a key that is set again: delete it first, so that it becomes the latest.
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

/** The access token comes last: a hook may give the same one to every client. */
function textsOf({ refresh_token, id_token, access_token }: GivenTokens): readonly string[] {
  return [refresh_token, id_token, access_token].filter((text) => typeof text === "string");
}
