/** Signing keys of the tests: one private JWK for each algorithm, because making an RSA key is slow. */

import type { Jwk } from "../src/ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../src/ground/crypto/platform.ts";

const keys: Readonly<Record<SigningAlgorithm, Jwk>> = {
  RS256: {
    alg: "RS256",
    kty: "RSA",
    n: "_Llas7tC5G7yzgAtRKOHCfmpiKEC7HQpeY3rVHdhZMZyLHHWeOMD6bb7_oZGnns_t0czwqzA_KcaSVmDf40pX_1ZPbXDz5rD" +
      "6VThNP5K9Dptt2IYsuJzoxQ99EMqmJvSsVEwNb2Vny79aiotND3olrKM2RlwkZGqzkgBz1E1p9T7rinOUOpOKfM3-HGSMhZT" +
      "8cM2BeqIcva2oLulngSXf1ctyczInsK0IBsuwmkJDIk7rQUzsHsinZQzA16zuFTIHPHFs7EdO_VZ-PJ-xZmzkOo7E_mMaAKF" +
      "lFRVFrg05HlhFDA3CHhUZX_98Tf0LUVKsOUDW87DOqgbWh2k_6eU7w",
    e: "AQAB",
    d: "Fb3uhIg85NZ6CL3xfGEN1OOyhvYZ1cotPUS337WWM-tyAXUuYd-0mPlB7Fo_SL11Xv5UViWy7qmDn0GBCMqrVL5A3LMUAaV2" +
      "FaSp6_tf6xX8ar_uPF7eBZl6tlZxm4fK_wVAlAcCOxvO98C20IfuSB9b8wYiGJaYbr8Oz3f-7o1o8QAcUU1EeGRKj1a80V4a" +
      "OYAfozJWuKgcTxApdBNdQi8XEOUjVcaUWhAe1_cTKbmf9eoRk1Z9ObDlrEJPjGMGw7Nij3-_LPRIJAzNWz-pspIkRpCsny5u" +
      "-VDAYoAdf-eYKUr-0YLlDr7pPV5hpzW3aF7PYgq1YNvz1Pi3-WXb5Q",
    p: "_n-3v0LHNZDoR9r9MeBD_TDLKOjeeFSlb2e9Le4I_KCp5_g_S7Jqv0zj47M_e2AoJaaqRxxu7T4cf4anKFR4413bqAltc3O6" +
      "OaABumFn0M0esYa977sZBXsB6LwSqOhroHbMFE5A_dSNjw7Kvl0UzV0Szyq2w_mraHK2Tl8uuys",
    q: "_jb04s372Kz8fHxaMXjhh7nNR_s-iq5wp45k7isJx183nCJCEVND2-I_CfmfFeeNJor3Wg-ozo-F5XSmmiM-ltYpD38ZwwKy" +
      "_aSgGDbGJnALq8j85kKxTBtNTl4uQNDkZKcGZl9rZjOoGTkfIrdjoAz0_NPKTEPTNI2kwimzW00",
    dp: "YInaDbcrEeqx8e_j87N6luSXbCFJoqOZTbUwUefliM75JIFKoVBApeho2cr43bgQAphCJ09l1KCm9skBR48jfDvyQr-wwQa5" +
      "MXq8rRKd6tqkNftCuVljmGycwMf23BOuH-RwbZNxm9exCv81cRil93DC3cr6IUTn_GrnNLtuYpk",
    dq: "K7FGZbUBlDwnKT42QkqEeM92eOi11yAkPKg8sLK0-49h_3Pj5xZok2JPc2dz8E_b8sPvv4rxeI8ydD2YZOWp3ELyy7cMtnfA" +
      "S9f_rCm95N1dJClnTiwoTOxkXRPS31EH8ETE1NORof8-5RbsQwtCFEAl206LdpAxvNabesOwEAE",
    qi: "-WaiD_BMlj-Z8Q3jVAzO4uHzOJ-dDE2CAfZrd_8bAOq7SIo4ihGISQYemVpkeLaC27CZ89HKiBiH20daEJmzJ2lwoFVIoWdx" +
      "bb9GFbzYD8Q9Y6vqQdPuv6Inm60cNvrBqQo60WptSMAmlRDn8jggfnZC0Kq27z_cxdJFNpD-dTM",
  },
  PS256: {
    alg: "PS256",
    kty: "RSA",
    n: "welGRER-XzS3zBlqBTumDRbXhxa7cH-7gB9iGZ_3e8gvkZt6aaFUXFOuSnN9dGvKS_CNRzFmue0FLbQs8d7FXDxQT_M-Yjc0" +
      "pS-CcUon9izdxyyAk3UwQ_u9aNZx1VJ4A7xtP2XpmkZeLlnjse02Z8laiLoRwpRPnITNMpsRwHzPMPfXToIUGXtFaTHWhSZ6" +
      "438KSRPeQ9F1JJX7cNnv8Azq0Qc-W9Wwi6aEcgUN5tNc5vRwM3fCWME_dLV0WJFgw9pHxN3m9vcPjuqi86IIOlkTHGSaX4LL" +
      "YZB23TbA4lp3acWIUIMfP3hb8trbcHlTkIKJvHgw7rJT_6KKjC_0xQ",
    e: "AQAB",
    d: "AqF-SKNJ36Ivi-G6O_hnILhVnaIe79PgvjSk8zyDXoW2FQu5-EpLqgS0AuJsPgGUYIKcmouDk6pYabfKJ7MnMd5RJ7SIS-lL" +
      "EBiD6sak3TrbreVBrBcaFuvhW-knX0ugmfvCZOqmXAUXnd5zHAJWRozRMAQB8YYchXn0ZJiHE6rrd-cYjgkKWdhMCuN0WqQE" +
      "dRL4cKP62ipNU95BjKN8_w-H13MPLGZzOpGPHwS-twf5r14KUFIRufS_RZnqOBL-W_J3q1Y_3y3dcLH3mP3RlDesbYuuMFva" +
      "tyi1LHro3eJsDBUYo6GzDLTZ8IUKollk8Dm8JtcEd6T02OImNmm75Q",
    p: "6IMH2QlpOjG4ChS-BA11Dq4DaUtuerWMpfyiyRsAZ7vbi6oBNl1n4JkkowY1GL5OiNp-RdC5z1P8VK0oDVmnhTM5s6FADjtp" +
      "Lo9mxgW7PP8Efp5nw4DrYeARDsnogjzOiTTYTTUpPnL1hzY-TviAQpRE_7cag-Ceb69oAOqpRMs",
    q: "1X__JKKsy1fifeU3_8DfD-Uey20aXJT1BpuoBPa9Ft-X_GGnWX8Oy_SVdZ6GFbDKm38nFLuH39TzKU_FQ9-Uk6XT6mooI-6X" +
      "PvwZDRbdZOxY2Igk6eejIPhDIv0GDjnC620NAPXHzE56OqPg5ST6n1i16Vq3jLTm0EWfA6IeCq8",
    dp: "fCMpF3ls0wMkjU1RvfwpWTMS4y7Ax4cSlrRxfQmLh9bGeqTDjPEFuuZIpzlzM8i3SV3OORwdeFIQ0Gy6i5YoWHdnAT7AYljZ" +
      "6V_qsSLyOri0_503LSwxf8oPkWO_XXl1k8_BBEezw4HBEPWnAqauY92hkR2DbJGKRXrS_lpLEU0",
    dq: "KAfXzwaxX28bCH_yAAIp0NEk9P9_8dv8FUEaP9QDoEZMOQYWWrF4FMXHQEZ43ZhIZN9ydHC1CULkVNqgIhnJweVV1p4Q6KvT" +
      "r_uUtt-So1mtTuw3_6Nu8r-Z1vWaLRCne3z28zciPyx3vob7o_tLApWfhiF8SOWiYWqsZgH_oAE",
    qi: "N1GFxaXhorqchfLvPhGrNo1CQnxOTLtXSDD9P6wtS_lCgrgIAhvwsZ0cVk_PeXIZ0o-q_90YwICGeDc6UeIfFoKmEZ60AbQa" +
      "WJT_hV1xmwTlRUjvd3-goun0w4zY0Rck874WGmA_glicBAPbS7EGXlW7UWpPH-WAxEJn8tiWSto",
  },
  ES256: {
    alg: "ES256",
    kty: "EC",
    crv: "P-256",
    x: "zDXxdmeg1DQZQfYETdY-oRf2fMXy3sYKkukxUe86phY",
    y: "kYrhVYJb-i5yPskCExQmxSann2gjZSqHSTN3B-jxkBc",
    d: "DLTNKJfSxzuNHY9lD6Pj8LK7eWwv1QfpMTA5EajigTU",
  },
  EdDSA: {
    alg: "EdDSA",
    kty: "OKP",
    crv: "Ed25519",
    x: "YE-Q8OXMJFb7baNcbSYXfVVLkAEZo5TOp_kYh_RCi2s",
    d: "7vYx9zA2U69xIEnf_EhLpl70rdjR8UK7lE9YWSgZNMM",
  },
};

/** Returns a key for each of these algorithms, in this order. */
export function keysFor(algorithms: readonly SigningAlgorithm[]): readonly Jwk[] {
  return algorithms.map((alg) => keys[alg]);
}
