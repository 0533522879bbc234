/** Signing keys for tests only. Their private parts are public, so anyone can sign with them. */

import { generateSigningJwk, type Jwk } from "../../../server/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../server/crypto/platform.ts";
import type { ServerParts } from "../../../server/server.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";

const rs256: Jwk = {
  alg: "RS256",
  kty: "RSA",
  n: "szrhoB39R30Px6igvbxs69eccjeYnd-fa-4CWvwDYyZDJRSx62Qyh1a7Wu35ipotqj4fvESSIXXJ-GKeBpB5soCBY3er" +
    "Qc1PlAZDLrbAFyybLG2Rvj9mlUI5XQg_AGszYlB9yTB37fDHjDrWohzj1L4RiN1kMUcUg1-MPmHkv-LKlP-tHbUKnSsS" +
    "256VoKzdmjHFlBXsi4OOzcGwLAdDLhjCPUd6jqZ2clmxu2_6M4dlLfQcWkz8DT12YtSP9xYvQvqKUb7rI6wwOCsRemMn" +
    "p53pO4T-4EcezgqAuMvk3xpNaMZ275j3fTpjnX8BQ6i4tRqeOfzTE6KZr4JmhbHosw",
  e: "AQAB",
  d: "bLPVjAskRmtvWqTHeMwDM7b9R7i4c2fhhNBB1XTriQL3zlGS5zVKABN2ZlvW8V05PPuYu9LK3khWSrNlLI4LgVu3HeDC" +
    "mZIwJZL2xCpKrsN7CaMatcw2J2iW6fnKXDKoY4R2BcPDuShDnqVA7-mdtLXiZKQB1HFL27HjmSI-XrHmXzeYnzqp44s_" +
    "oB3trsh55zMTfWH2FUFUSlji_MhZK6-_bpM9amXCqge_PKOuTA3MxXOmhPksU8JC_gQw7fRsMBlrmkodvhHOsKQEqnA2" +
    "lii0r1Kj5bFjBiV5AOvRTRVGXTjoLgdS5QwfBt3EJ3XqDhlE_WDgKGC2DgUfnWLt4Q",
  p: "1ajrCZXTHEOMwgqDgQ_MXLEET2FqOZor7HBc1ti-l3awQSRSRLopQygmiP5QkDr1mQ19iL02kYndI6AUWcmr2Zh1LzWM" +
    "Nza2SVlUfFCJWBD0hTr94Y4HFc7Ykv12sr7KZpamZmz4KUUcNXM8l05prpxKfGTrmqOOU66E2CRc0pU",
  q: "1r9RnoPD4o_-zQVeE5UWjGcmIL3NtWvEwN6VlSXEIwwVPwcqJuCaR3aMB-pD5nTE2lo4NM3ouytApMk_iSTahAJVkZlq" +
    "4-TSk6sQdk9oFui4G70WIEgknpNnASQg6OdpkIBB4aE2EP4iHxnENe-d4vAqGZjZR9Xpd3MsnQXVhCc",
  dp: "MjTHRjFWskWNReuCi0lTFFTkVmLluzNnLuAYcMPtxVm2gRgv3MaB-63roDViaQHxxE1POlp8ACcNN9nd7ltdbnxMzRMg" +
    "J7lLjGDZYXzrSS5yxvvdvKrLL2yzp5a31bjPhtvPrjHc_pWm00iI7GUYoFdJiYGNe4EDaNaRkNi6lyE",
  dq: "IYOyRT7jL1Sxu2V_DSdTYY4nkSyOEiZDiqYyShiex6l3F2MS3QZojYaezA1vk2Pd5QX3h6YrECrr58vQsqKhx8Blglej" +
    "KvXnN0yXQR-baxfew9V6wob_0A_JH5B34mFbREYAAiqauYQv5xKqYJCI34YDzALixidITHAZIlhqvjk",
  qi: "KuA6FbgbeGUja3AgrBuSNyDqlOLAnPXgavcGGUpe5jyDuXJ1U9IUeD7UW07bpZxlwb2zNawdHHps1faUGS0HJx8fq3nn" +
    "wPKS1flO06hbRJvA-FrRp__m4V6bTXJ-OxLl7x9NfZEZnZSU6cyEn0WIOxt0S_GWZCZaVlpcI9KNsfY",
};

const ps256: Jwk = {
  alg: "PS256",
  kty: "RSA",
  n: "7zFkgdVXgnyiGyloJP1ZG5zwPzOsiDSGYSlnMRAHdyWcdP5_eU0Fkgrwpro7AFJDzvIvWAeh3jUbexzfzRPOZSy9Qy-5" +
    "Y5mlLTRD93gQgHCSltM_HpqceCQkAiIwDtZtcfUBRKznNQhexI2nzTEA0Rl8Jq8Snh8ztO6ehmquiMa_K4qanQjnX__c" +
    "SYktBM8vNtlE_AYgdFmo2_bmadsK49c2t4W-WK9bCNdzefxm8N_Kw7X5wFhMEAzsZuVxrfF71jo7ObDhzIO7VCVzros0" +
    "wT37aQ1P490SAQAKkOn_pP1MW5Nna9J6H8PkzDXhk_ByEewOl9Zwoq8BjiencKy7Fw",
  e: "AQAB",
  d: "JV-SVLcA9WKD8bqGi0EKq0XaRAXO73lFhejyNrhKclNuHtmlEU73j9olv-dZULOJ5Mvymc6XfCDQKmxYi7KMjUJwUA8k" +
    "6GsZY_bGp-Qar_bm8KoRMrb1u8_p0GuHFspqT2P4zsI1XhPwusVncqg1eHaC74hrYEl_ysV9_4KrwrL90WGrEfLMQF46" +
    "vAcDPAYt1al1CTmsqVtvxb0MExhj3belw9xSenWbGD97Im9fb2R1An14jY_H_RPfwsymRgyan9ZqZaoQw3AIv30_Dz68" +
    "soh6NxicDKMRawDiXw1IP8yH5Atf-JPULWHtHse_lUrnw_u34UBdCR3pxG1V4oIB",
  p: "_a-1fbHCPoAk3NT4s4XZnURRNrrYUDRWeImb8vYG7Caa9TjHZ-bQDLG7nxAh3VlwaRIYdSwbGxhhYGbh840z5GmEKxyW" +
    "GW15q1coEZBuGjy3CMGWOtYEWO3ROjukoOzyS0Vee9bp1kVoOLlx-DfOS8xxMYZBHcxNmjBVkRSi5Pc",
  q: "8V_YZtQhGsuX65lSF9Hshg0mMDAC3cY1wrE8GwyEWJYlxM6w-qzexGTYJSpkFzjwElH0CrQH2j75OdVNqnXeX-nim2lk" +
    "nzvRwgAKODSRmuLMOqoxzbkRklK5re9HlmRSz99TOEhp69KbAnSkwKJFbEyXxFgtXczoIbU-OsNw8uE",
  dp: "f8wfetWsy_2UFGd5bj60tOQwoYiY5janhQuVs1y7egWstHJJCg-dqXdz1Bq1ZKPk3BmQlp6EfS7YB09s7luo051QRsOc" +
    "3exniahbeBWxUahacJ_NRZCBGieb6mEXezZCjSbCBVLr89R9P240et3qIAc60r8WWKOOSGmnAXJK6Vs",
  dq: "d3ZscFhFGjHxutVjYA6x9ZbEc80PXhwft4Bosyp6xi1p_AIgbbDpgGI46AwXBbdUeny9QB7iVA4e45TCn78-lFH5qdl7" +
    "x6OfqVjDthWuiu39Dnv1slAKdlUjOQbYc4Kryd5KHe0ZH3JY7do1QHIP0g4Gf1L1ARvNOAGwDv10BYE",
  qi: "jv-9RXOPUu1kbH49507LVf5JWrYfwG2F8RQJrgKC61aToynCAEVrM1IJOOdEGqHDqV_pnIKaxgR-IoMEv9n2jKKg3qAv" +
    "mwacmoFcDhX4mRxgi_KvwklFV8chqSk3C-MfOtrQh6XSYOw7nJLq9L0_TRNpfwMuU5gYS3PL8qv49Lo",
};

const es256: Jwk = {
  alg: "ES256",
  kty: "EC",
  crv: "P-256",
  x: "9hdLTg82n0gmi4oILMc2Tv-tPVfEFFCnAqGhCJTRKFg",
  y: "VQLdTUaIuG2OJbTXDT1IW3PTdJkHob0GUYWf3pPx5fA",
  d: "GQxZ9ubkhZ645AYj58RPw5LZuYaVGYc4xaomHR0ddTI",
};

const eddsa: Jwk = {
  alg: "EdDSA",
  kty: "OKP",
  crv: "Ed25519",
  x: "Q-lZPTwBVWKFTKpxth3uOYuuaVCTo_BLZvPczs99oJY",
  d: "p90RLsgKNj-wqo_EKcbOWw4uecRxt3ud0aDEwkftJVg",
};

// RS256 and PS256 have separate keys. One key for both would appear twice in the JWKS with the same kid (RFC 7517 §4.5).
const byAlgorithm: Readonly<Record<SigningAlgorithm, Jwk>> = {
  RS256: rs256,
  PS256: ps256,
  ES256: es256,
  EdDSA: eddsa,
};

/** One private JWK for each algorithm, with its `alg`. */
export const testKeys: readonly Jwk[] = Object.values(byAlgorithm);

/** Returns the keys for these algorithms only, in this order, because the server spends time to import each key. */
export function testKeysFor(algorithms: readonly SigningAlgorithm[]): readonly Jwk[] {
  return algorithms.map((alg) => byAlgorithm[alg]);
}

/** Compares the public members only, so that the function also recognizes the public JWK of a test key. */
export function isTestKey(
  jwk: { readonly kty?: string; readonly n?: string; readonly x?: string },
): boolean {
  return testKeys.some(({ kty, n, x }) => kty === jwk.kty && (kty === "RSA" ? n === jwk.n : x === jwk.x));
}

/** Without a seed, each rotation creates random keys. The first keys are `signingKeys`, or else the published test keys. */
export function createTestKeySource(
  seed: number | string | undefined,
  signingKeys: readonly Jwk[] | undefined,
): NonNullable<ServerParts["keySource"]> {
  const created = new Map<SigningAlgorithm, number>();

  async function createNext(alg: SigningAlgorithm): Promise<Jwk> {
    if (seed === undefined) return await generateSigningJwk(alg);
    const number = (created.get(alg) ?? 0) + 1;
    created.set(alg, number);
    // The keys have random octets of their own, so that a rotation does not change the ids and codes after it.
    return deriveSigningJwk(alg, createSeededRandom(`${seed} ${alg} key ${number}`));
  }

  return {
    first: (algorithms) => signingKeys ?? testKeysFor(algorithms),
    async createJwk(alg, isFirst) {
      const [testKey] = isFirst && signingKeys === undefined ? testKeysFor([alg]) : [];
      return testKey ?? await createNext(alg);
    },
  };
}
