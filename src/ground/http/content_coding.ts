/** Compresses and decompresses whole bodies (RFC 9110 §8.4.1; RFC 7932). */

import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";

/** The codings that `fetch` decodes on each runtime. */
export type Coding = "gzip" | "deflate" | "br";

export function compress(octets: Uint8Array): Uint8Array | Promise<Uint8Array> {
  return gzipSync(octets);
}

const decoders: Readonly<Record<Coding, (octets: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Throws if the octets have another coding. */
export function decompress(octets: Uint8Array, coding: Coding): Uint8Array | Promise<Uint8Array> {
  return decoders[coding](octets);
}
