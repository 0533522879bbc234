/** Verifies JWTs of any kind that this server signed. */

import { readUnverifiedHeader, type SigningKey, type VerifiedJwt, verifyJwt } from "./jwt.ts";
import type { KeyRing } from "./key_ring.ts";

/** Verifies with the published keys only. A JWT that a removed key signed is not accepted any more. */
export async function verifyIssuedJwt(text: string, keys: KeyRing): Promise<VerifiedJwt | undefined> {
  const header = readUnverifiedHeader(text);
  if (header === undefined) return undefined;
  const find = async () =>
    (await keys.published()).find(({ kid, alg }) => kid === header.kid && alg === header.alg);
  const key = await find() ?? await findNewer(find, keys);
  return key && await verifyJwt(text, () => key);
}

/** Another server on this store may have rotated the keys since this one has read them. */
async function findNewer(
  find: () => Promise<SigningKey | undefined>,
  keys: KeyRing,
): Promise<SigningKey | undefined> {
  // If the store fails, the JWT is refused as one with an unknown key.
  await keys.reload().catch(() => {});
  return await find();
}
