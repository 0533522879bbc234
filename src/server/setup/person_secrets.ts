/** Derives pairwise subjects and password marks from a person and a stored secret of the server. */

import { hmacSha256 } from "../crypto/platform.ts";
import type { KeyRing } from "../crypto/key_ring.ts";
import type { Person } from "../oauth/people/people.ts";
import type { PersonSecrets } from "../oauth/people/person_secrets.ts";
import { type Kind, never, type Store } from "../store/store.ts";

interface SecretTerms {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly now: () => number;
}

export function createPersonSecrets(terms: SecretTerms): PersonSecrets {
  const marks = new WeakMap<Person, string>();
  let loading: Promise<string> | undefined;
  // After a failed load, the next use of the secret loads again.
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

// Password marks use the same secret. The name stays, because existing stores contain it.
const secrets: Kind<{ readonly secret: string }> = { name: "pairwise_secret" };
const id = "pairwise";

/**
 * Loads the stored secret. The first use derives the secret from the server's keys and stores it. Later key rotations
 * therefore neither change pairwise subjects nor sign people out. With an empty store, the same keys give the same
 * secret.
 */
async function loadPersonSecret({ store, keys, now }: SecretTerms): Promise<string> {
  const stored = await store.get(secrets, id, now());
  if (stored !== undefined) return stored.value.secret;
  const secret = hmacSha256(await keys.sealingKey(), "postern pairwise subjects");
  if (await store.put(secrets, id, { secret }, { expiresAt: never, now: now(), if: null }) !== undefined) {
    return secret;
  }
  // Another process stored its secret first. All processes must use that one.
  const winner = await store.get(secrets, id, now());
  if (winner === undefined) {
    throw new Error(
      "The store neither accepted a new secret for pairwise subjects nor has one: check its conditional put()",
    );
  }
  return winner.value.secret;
}
