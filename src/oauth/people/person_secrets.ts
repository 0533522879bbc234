/** What follows from a person and a secret that the server keeps: pairwise subjects, and marks of passwords. */

import { hmacSha256 } from "../../crypto/bytes.ts";
import type { KeyRing } from "../../crypto/key_ring.ts";
import { type Kind, never, type Store } from "../../store/store.ts";
import type { Person } from "./people.ts";

export interface PersonSecrets {
  /** The name of a person for the clients of one sector: stable, different for each sector, and not to be undone. */
  pairwiseSubject(sector: string, subject: string): Promise<string>;
  /**
   * What sign-ins and grants keep of the password, to end when it changes; `undefined` where the person has none. It is
   * an HMAC: without the secret, guesses cannot be compared with it.
   */
  passwordMark(person: Person): Promise<string | undefined>;
}

interface SecretTerms {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly now: () => number;
}

export function createPersonSecrets(terms: SecretTerms): PersonSecrets {
  const marks = new WeakMap<Person, string>();
  let loading: Promise<string> | undefined;
  // A load that failed is repeated when the secret is needed again.
  const loadSecret = () =>
    loading ??= loadPersonSecret(terms).catch((error) => {
      loading = undefined;
      throw error;
    });
  return {
    async pairwiseSubject(sector, subject) {
      return hmacSha256(await loadSecret(), `pairwise subject ${sector} ${subject}`);
    },
    async passwordMark(person) {
      const { subject, password } = person;
      if (password === undefined) return undefined;
      const known = marks.get(person);
      if (known !== undefined) return known;
      const mark = hmacSha256(await loadSecret(), `password mark ${password} ${subject}`);
      marks.set(person, mark);
      return mark;
    },
  };
}

// Named after its first use: existing stores hold it under this name.
const secrets: Kind<{ readonly secret: string }> = { name: "pairwise_secret" };
const id = "pairwise";

/**
 * Made of the keys at hand when it is first needed, and kept: other signing keys must not give people other names, nor
 * sign them out. The same keys on an empty store give the same secret again.
 */
async function loadPersonSecret({ store, keys, now }: SecretTerms): Promise<string> {
  const kept = await store.get(secrets, id, now());
  if (kept !== undefined) return kept.value.secret;
  const secret = hmacSha256(await keys.sealingKey(), "postern pairwise subjects");
  if (await store.put(secrets, id, { secret }, { expiresAt: never, now: now(), if: null }) !== undefined) {
    return secret;
  }
  // Another process was faster, perhaps with other keys.
  const theirs = await store.get(secrets, id, now());
  if (theirs === undefined) {
    throw new Error("The store did not take the secret of the pairwise subjects, and has none");
  }
  return theirs.value.secret;
}
