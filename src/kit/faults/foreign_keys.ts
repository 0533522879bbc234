/** Private keys that the server does not publish. They sign tokens that a resource server must refuse. */

import { type Jwk, type PublicJwk, publicMembersOf, thumbprint } from "../../ground/crypto/jwk.ts";
import {
  bitString,
  integer,
  nullValue,
  objectIdentifier,
  type Octets,
  sequence,
} from "../../ground/crypto/x509/der.ts";
import { decodeOctets } from "../../ground/values/octets.ts";
import { writePublicKey } from "./public_key_forms.ts";
import type { Members } from "../../ground/values/members.ts";
import { remember } from "../../ground/values/remember.ts";
import { createRsaJwk, type RsaPrimes } from "./rsa_jwk.ts";

/** Returns the same frozen key each time, so that it is computed, proved and imported once. */
export function foreignKeyFor(alg: string): Jwk {
  if (alg === "ES256") return foreignEc;
  return alg === "EdDSA"
    ? foreignOkp
    : remember(made, foreignRsa, () => Object.freeze(createRsaJwk(foreignRsa)));
}

const made = new WeakMap<RsaPrimes, Jwk>();

/** Returns the public halves, as the other server publishes them. Without `alg`: the RSA key signs with several. */
export function listForeignPublicKeys(): readonly Members[] {
  return ["RS256", "ES256", "EdDSA"].map(foreignKeyFor).map((key) => ({
    ...publicMembersOf(key),
    kid: thumbprint(key),
    use: "sig",
  }));
}

// The keys are constants, so that two mocks with the same seed create the same forged tokens.
export const foreignRsa: RsaPrimes = {
  p: "z7Isa6sihRsFo0s5uew0xfS5YlFUDbjBRW_Gwuki7BzjIf8MgS7nfSzKbaRQfcRKBJKj9FB0SkhHaT20xP4KuttNlJVH" +
    "y_Ck-dquoWPNAxHiSCIum7Mmowc3X0IXC-PrqGF-ZkBG_9fQpGTTykaUTIp-xxIN8uOWyWoAqjw2NX8",
  q: "1Pq-NXah_K4Tn-mYwjjxNu_TQNXDMr3eQC3SX_oSyNwFgX1bZbZW9ztNdG2Z9gC3iDDpXOqeMQLa0pV6r8bEE6cdNk9L" +
    "am2L27G0gKDgHY9Lte4kFjaQrU32sD4mEls8ItHPw6wDEaSIzi8i_WwxpjRR5VqPwVumI9tci6ymqZc",
};

const foreignEc: Jwk = Object.freeze({
  kty: "EC",
  crv: "P-256",
  x: "sVXAIAdFk6IVGz6JjjbvpH4Ql7vtOt2ezfuuBznuV0w",
  y: "EQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0",
  d: "rfu4EMb4W8tq5D7Gs9yA1EfC_Mx5qRYIqzAqXhSGLOo",
});

const foreignOkp: Jwk = Object.freeze({
  kty: "OKP",
  crv: "Ed25519",
  x: "yJg5vPYnfeUpy05XRWLCO3lPUl_h6-VMzdZOJ3Q4QZU",
  d: "aEfk4bY7rF1c6_ZG9qVP7Sjb1he3GFOuyb7RygEyuMM",
});

const shortRsa: RsaPrimes = {
  p: "9hzIowcTwR8HIV7akccY1XvOVDlszTkuCFETzQkHRubSHcymj2REqW4FrCPU_P3uFzpSeBIPjrnk40ebOgSHJw",
  q: "0dGMCiwRa5w16uwG3SNEY5pBi871FqNAY9CRmbqw-0MsTuiyQ0SunWA5HGvvtRYe4OaffgmY3bCsvsqa9jqZdw",
};

/** Returns an RSA key of 1024 bits, which is too short (RFC 7518 §3.3). */
export function createShortRsaKey(): Jwk {
  return createRsaJwk(shortRsa);
}

/** What a certificate of a foreign key has besides the key: its algorithm, and its own signature in base64url. */
const signatures: Readonly<Record<string, readonly [alg: string, octets: string]>> = {
  RSA: [
    "RS256",
    "h9pv5q_rkv55s_I4QmkF41EVf0t9XEnMJCYz8GagB2xxlXxEz2GDd57wqajjBMmzJVjCdd4bIrOeLuzAplj6UY" +
    "-8VG4yfPd05TNG6AxrX9oE0k-ce6sUgxrY9ETHvpKq4YyGPDCs_mTRoMFajJ-5nJi6RUjo5_09DuEp-76En6f5" +
    "ISOMt-WjUTVrnbneXu8ryri81-oJUjBVcu8iBlOhlU6Zz_vynNBk1coQb6tZlGTaMESTFHjmnN16oNEB46ffYS" +
    "Rqitg15Lh5ewsDSSw5WS3UWKaBSAH1A-lyHxG_Pyc-J7svLuNfFp0eU7ryXUlSoGMKqicN6CIX3igq4LibRg",
  ],
  EC: [
    "ES256",
    "MEYCIQDwRj88YsxM6VEkwESgGmu7qKG2llRTm4XpjURVy3qXYgIhAL4b9QFD_FDK8iwz1GsDqOV0bX_PTj7086z1dPCZw2JU",
  ],
  OKP: [
    "EdDSA",
    "DgV-6uRCTZ_DZ4gsXxn-81weHxP-5OEJ1PuouVguUrQ02TgqehV48iGnTVEVDf9x2S1ixSmWoQFxiScPeDJkBg",
  ],
};

const algorithms: Readonly<Record<string, () => Octets>> = {
  RS256: () => sequence(objectIdentifier("1.2.840.113549.1.1.11"), nullValue()),
  ES256: () => sequence(objectIdentifier("1.2.840.10045.4.3.2")),
  EdDSA: () => sequence(objectIdentifier("1.3.101.112")),
};

// The issuer CN=foreign.test, the time until the end of 2199, and the same subject, in DER.
const parties =
  "MBcxFTATBgNVBAMMDGZvcmVpZ24udGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTk5MTIzMTIzNTk1OVowFzEVMBMGA1UEAwwMZm9yZWlnbi50ZXN0";

/** Returns the certificate of the foreign key with this `kty`, in DER. It signs itself (RFC 5280 §4.1). */
export function findForeignCertificate(kty: string): Octets | undefined {
  const found = signatures[kty];
  if (found === undefined) return undefined;
  const [alg, signature] = found;
  const algorithm = algorithms[alg]!();
  const key = writePublicKey("spki_der", publicMembersOf(foreignKeyFor(alg)) as PublicJwk) as Octets;
  const signed = sequence(integer([1]), algorithm, decodeOctets(parties, "base64"), key);
  return sequence(signed, algorithm, bitString(decodeOctets(signature, "base64url")));
}
