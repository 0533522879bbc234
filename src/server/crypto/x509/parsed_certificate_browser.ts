/** A web page cannot verify certificates, and none reaches it. */

export function parseCertificate(): never {
  throw new TypeError(
    "A web page cannot verify the certificate of a client: use mutual TLS on Node, Deno or Bun",
  );
}
