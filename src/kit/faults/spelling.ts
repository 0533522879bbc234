/** Spells secrets of the server in another way, and understands the spelling later. */

import type { Acts } from "./misbehaviour.ts";

interface Spelling {
  spell(secret: string): string;
  /** Replaces other spellings in the forms of clients. This only prepares the fault. */
  readonly acts: Acts;
}

const first = "+/=%41 &?#";
// Some clients keep secrets in columns or cookies that are too short.
const last = "~".repeat(2000);

/** Whether the text is a secret in its hard spelling, with all its characters. */
export function isHard(text: string | null): boolean {
  return text !== null && text.startsWith(first) && text.endsWith(last);
}

/** Spells secrets with characters that a client has to encode. All of them are legal (RFC 6749 Appendix A). */
export function createHardSpelling(names: readonly string[]): Spelling {
  return createSpelling(names, (secret) => first + secret + last);
}

/** `names` are the parameters in which clients send the secret. */
export function createSpelling(names: readonly string[], write: (secret: string) => string): Spelling {
  const secrets = new Map<string, string>();
  return {
    spell(secret) {
      const text = write(secret);
      secrets.set(text, secret);
      return text;
    },
    acts: {
      async arrival(value, { endpoint, exchange }) {
        if (exchange.request.method !== "POST" || endpoint === "resource") return value;
        // A body that cannot be read is left to the server.
        const form = new URLSearchParams(await exchange.body().catch(() => ""));
        for (const name of names) {
          const secret = secrets.get(form.get(name) ?? "");
          if (secret !== undefined) form.set(name, secret);
          if (secret !== undefined) exchange.replaceBody(`${form}`);
        }
        return value;
      },
    },
  };
}
