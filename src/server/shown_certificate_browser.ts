/** A web page shows no client certificates. */

export function readShownCertificate(): never {
  throw new TypeError(
    "A web page cannot show a client certificate, because its browser makes the TLS connections: leave certificate out",
  );
}
