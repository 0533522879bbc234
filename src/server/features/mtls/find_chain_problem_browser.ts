/** A web page cannot verify certificates, and none reaches it: `shown_certificate.ts` has refused it before. */

export function readDerCertificate(): never {
  throw new TypeError(
    "A web page cannot verify the certificate of a client: use mutual TLS on Node, Deno or Bun",
  );
}

export const findChainProblem: typeof readDerCertificate = readDerCertificate;
