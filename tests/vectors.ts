/** Test vectors from the specifications, by subject. The keys among them are published, and for tests only. */

/** RFC 7636 appendix B, OAuth 2.1 §4.1.1, and the shortest and longest verifiers. */
export const pkcePairs: readonly (readonly [name: string, verifier: string, challenge: string])[] = [
  [
    "RFC 7636 appendix B",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  ],
  [
    "OAuth 2.1 §4.1.1",
    "3641a2d12d66101249cdf7a79c000c1f8c05d2aafcf14bf146497bed",
    "6fdkQaPm51l13DSukcAH3Mdx7_ntecHYd1vi3n0hMZY",
  ],
  ["the shortest", "a".repeat(43), "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA"],
  ["the longest", "a".repeat(128), "aDbPE7rEAOkQUHHNavRwhN-srU5eMCyUv-0k4BOvtz4"],
  ["tildes", "~".repeat(43), "dOHT1ivLVSPsewADt8TAZF2T2lLYTZ4BymCwTRKpihg"],
  ["marks", "-._~".repeat(11), "lK2NFO4fUsSGSxx7eD9ozetZRvfDEp9wtnPrjHKcyXE"],
];

const almost = "a".repeat(42);

/** Texts that are neither a valid verifier nor a valid challenge. */
export const malformedProofs: readonly string[] = [
  almost,
  "a".repeat(129),
  `${almost}=`,
  `${almost}+`,
  `${almost}/`,
  `${almost} `,
  `${almost}é`,
];

/** OAuth 2.1 appendix B: space, percent, ampersand, plus, pound and euro. */
export const formEncoded = { text: " %&+£€", encoded: "+%25%26%2B%C2%A3%E2%82%AC" };

/** Characters that a careless encoder would change. */
export const hardState = "a b+c&d=e%f#g\"h<i>'j/?:@!$()*,;~";

/** RFC 6749 §2.3.1: the id and the secret are form-urlencoded before base64. */
export const basicHeaders: readonly (readonly [id: string, secret: string, header: string])[] = [
  ["s6BhdRkqt3", "gX1fBat3bV", "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW"],
  ["s6BhdRkqt3", "7Fjfp0ZBr1KtDRbnfVdmIw", "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"],
  [
    "s6BhdRkqt3",
    "a b+c&d=e%f:g/h",
    "Basic czZCaGRSa3F0MzphK2IlMkJjJTI2ZCUzRGUlMjVmJTNBZyUyRmg=",
  ],
  [
    "https://app.example.com/client.json",
    "S3cr3t+/=",
    "Basic aHR0cHMlM0ElMkYlMkZhcHAuZXhhbXBsZS5jb20lMkZjbGllbnQuanNvbjpTM2NyM3QlMkIlMkYlM0Q=",
  ],
  ["my:client@x", "p%4ass", "Basic bXklM0FjbGllbnQlNDB4OnAlMjU0YXNz"],
];

/** The id `café` cannot be registered, but its header can be read. */
export const basicBeyondAscii = {
  id: "café",
  secret: "£€ ~*",
  header: "Basic Y2FmJUMzJUE5OiVDMiVBMyVFMiU4MiVBQyslN0Uq",
};

/** RFC 9449 §6.2 shows `rs:rs:Mku…`: form-decoded, the id is `rs` and the plus is a space. */
export const basicTrap = {
  id: "rs",
  secret: "rs:Mku-6g_lCzKIdz4fsN7kYcya+Ti",
  unencoded: "Basic cnM6cnM6TWt1LTZnX2xDektJZHo0ZnNON2tZY3lhK1Rp",
};

interface KeyVector {
  readonly thumbprint: string;
  readonly jwk: JsonWebKey;
}

/** RFC 7638 §3.1. */
export const rsaThumbprint: KeyVector = {
  thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
  jwk: {
    kty: "RSA",
    n: "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3" +
      "oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA" +
      "ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-" +
      "kEgU8awapJzKnqDKgw",
    e: "AQAB",
  },
};

/** RFC 8037 appendices A.1 and A.3. */
export const ed25519Thumbprint: KeyVector = {
  thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  jwk: {
    kty: "OKP",
    crv: "Ed25519",
    d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  },
};

/** RFC 7515 appendix A.3. */
export const es256Thumbprint: KeyVector = {
  thumbprint: "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
  jwk: {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  },
};

/** RFC 7517 appendix A.2. */
export const secondEs256Thumbprint: KeyVector = {
  thumbprint: "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s",
  jwk: {
    kty: "EC",
    crv: "P-256",
    x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    d: "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
  },
};
