/** Private keys that the server does not publish. They sign tokens that a resource server must refuse. */

import { type Jwk, publicMembersOf, thumbprint } from "../../ground/crypto/jwk.ts";
import type { Members } from "../../ground/values/members.ts";
import { createRsaJwk, type RsaPrimes } from "./rsa_jwk.ts";

export function foreignKeyFor(alg: string): Jwk {
  return alg === "ES256" ? foreignEc : alg === "EdDSA" ? foreignOkp : createRsaJwk(foreignRsa);
}

/** Returns the public halves, as the other server publishes them. Without `alg`: the RSA key signs with several. */
export function listForeignPublicKeys(): readonly Members[] {
  return [createRsaJwk(foreignRsa), foreignEc, foreignOkp].map((key) => ({
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

const foreignEc: Jwk = {
  kty: "EC",
  crv: "P-256",
  x: "sVXAIAdFk6IVGz6JjjbvpH4Ql7vtOt2ezfuuBznuV0w",
  y: "EQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0",
  d: "rfu4EMb4W8tq5D7Gs9yA1EfC_Mx5qRYIqzAqXhSGLOo",
};

const foreignOkp: Jwk = {
  kty: "OKP",
  crv: "Ed25519",
  x: "yJg5vPYnfeUpy05XRWLCO3lPUl_h6-VMzdZOJ3Q4QZU",
  d: "aEfk4bY7rF1c6_ZG9qVP7Sjb1he3GFOuyb7RygEyuMM",
};

const shortRsa: RsaPrimes = {
  p: "9hzIowcTwR8HIV7akccY1XvOVDlszTkuCFETzQkHRubSHcymj2REqW4FrCPU_P3uFzpSeBIPjrnk40ebOgSHJw",
  q: "0dGMCiwRa5w16uwG3SNEY5pBi871FqNAY9CRmbqw-0MsTuiyQ0SunWA5HGvvtRYe4OaffgmY3bCsvsqa9jqZdw",
};

/** Returns an RSA key of 1024 bits, which is too short (RFC 7518 §3.3). */
export function createShortRsaKey(): Jwk {
  return createRsaJwk(shortRsa);
}

/** Certificates by the `kty` of the foreign key, as DER in Base64. Each signs itself, and is valid until 2199. */
export const foreignCertificates: ReadonlyMap<string, string> = new Map([
  [
    "RSA",
    "MIICpDCCAYwCAQEwDQYJKoZIhvcNAQELBQAwFzEVMBMGA1UEAwwMZm9yZWlnbi50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIx" +
    "OTkxMjMxMjM1OTU5WjAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCs" +
    "yvsaJ/hdxplXBrnGberyFSZrjDVAAJerWlRarCXzraOgSnF9PCUyD4EQpe7I6tc09qlzXsn2DwlWhwiYCHOdSpAxFh/cBd/y" +
    "zd4cM1Y5plQzAZkOMNV+TuafrNnrPJljl0Dz61f8fmvtZCl3nGnJjoakTyWeA7iPIJ+yAvJLqYRrU2FbPh9y3MYBQkg1Bk7P" +
    "jLNjpspOujx7+bUrcXKiLZbDeGpqCRmastHxUGIlEfJHTbBYeDULwYlBbEHI3GiqbsIrEDC1+3if9JS/U2MJb50yKhw3h9eo" +
    "RAzzebbhryy6tK+zo6AIhiv5JiJ0g/0IhSp8WC7nMuQb7TZRpGTpAgMBAAEwDQYJKoZIhvcNAQELBQADggEBAIfab+av65L+" +
    "ebPyOEJpBeNRFX9LfVxJzCQmM/BmoAdscZV8RM9hg3ee8Kmo4wTJsyVYwnXeGyKzni7swKZY+lGPvFRuMnz3dOUzRugMa1/a" +
    "BNJPnHurFIMa2PREx76SquGMhjwwrP5k0aDBWoyfuZyYukVI6Of9PQ7hKfu+hJ+n+SEjjLflo1E1a5253l7vK8q4vNfqCVIw" +
    "VXLvIgZToZVOmc/78pzQZNXKEG+rWZRk2jBEkxR45pzdeqDRAeOn32EkaorYNeS4eXsLA0ksOVkt1FimgUgB9QPpch8Rvz8n" +
    "Pie7Ly7jXxadHlO68l1JUqBjCqonDegiF94oKuC4m0Y=",
  ],
  [
    "EC",
    "MIIBGDCBvgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjE5OTEy" +
    "MzEyMzU5NTlaMBcxFTATBgNVBAMMDGZvcmVpZ24udGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLFVwCAHRZOiFRs+" +
    "iY4276R+EJe77Trdns37rgc57ldMEQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0wCgYIKoZIzj0EAwIDSQAwRgIh" +
    "APBGPzxizEzpUSTARKAaa7uoobaWVFObhemNRFXLepdiAiEAvhv1AUP8UMryLDPUawOo5XRtf89OPvTzrPV08JnDYlQ=",
  ],
  [
    "OKP",
    "MIHXMIGKAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjE5OTEyMzEyMzU5" +
    "NTlaMBcxFTATBgNVBAMMDGZvcmVpZ24udGVzdDAqMAUGAytlcAMhAMiYObz2J33lKctOV0Viwjt5T1Jf4evlTM3WTid0OEGV" +
    "MAUGAytlcANBAA4FfurkQk2fw2eILF8Z/vNcHh8T/uThCdT7qLlYLlK0NNk4KnoVePIhp01RFQ3/cdktYsUplqEBcYknD3gy" +
    "ZAY=",
  ],
]);
