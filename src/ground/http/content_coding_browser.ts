/** The content codings of a web page. Its `CompressionStream` has no Brotli in most browsers. */

import type { Coding } from "./content_coding.ts";

export function compress(octets: Uint8Array): Promise<Uint8Array> {
  return pass(octets, new CompressionStream("gzip"));
}

export async function decompress(octets: Uint8Array, coding: Coding): Promise<Uint8Array> {
  if (coding === "br") throw new TypeError("A web page cannot decode Brotli: expected gzip or deflate");
  return await pass(octets, new DecompressionStream(coding));
}

async function pass(octets: Uint8Array, coding: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(octets)]).stream().pipeThrough(coding);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
