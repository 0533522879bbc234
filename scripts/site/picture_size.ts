/** Reads the size of a picture, so that a page keeps its place while it is loaded. */
import { readFileSync } from "node:fs";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the address of the same picture of the dark pages, which `deno task shots --docs` takes, too. */
export function darkPicture(address: string): string | undefined {
  return address.endsWith(".webp") ? address.replace(/\.webp$/, "_dark.webp") : undefined;
}

/** Reads an SVG with a `viewBox`, or a WebP with the extended header (RFC 9649 §2.7), as `deno task shots --docs` makes them. */
export function readPictureSize(path: string): PictureSize {
  const octets = readFileSync(path);
  if (path.endsWith(".svg")) {
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(octets.toString("utf8")) ?? [];
    if (width !== undefined) return { width: Number(width), height: Number(height) };
  }
  const kind = octets.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: octets.readUIntLE(24, 3) + 1, height: octets.readUIntLE(27, 3) + 1 };
  throw new Error(
    `Cannot read the size of ${path}: expected an SVG with a viewBox, or a WebP with a VP8X header`,
  );
}
