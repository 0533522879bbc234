/** Draws a text as a QR code for SVG (ISO/IEC 18004): with error correction level M, or a higher one in the same size. */

import { utf8Of } from "../../../ground/values/octets.ts";

/** A square whose sides have this length, and the paths in it. */
export interface QrCode {
  readonly side: number;
  readonly light: string;
  readonly dark: string;
}

/** The light modules around it that readers need (§9.1). */
const margin = 4;

/** Returns `undefined` for a text that is too long for version 20, which has 666 octets. */
export async function drawQrCode(text: string): Promise<QrCode | undefined> {
  const octets = utf8Of(text);
  if (octets.length > 666) return undefined;
  const { correction, generate, mode } = await import("lean-qr");
  const code = generate(mode.bytes(octets), { minCorrectionLevel: correction.M });
  const side = code.size + 2 * margin;
  const rows = code.toString({ on: "#", off: " ", pad: margin }).split("\n");
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
  );
  return { side, light: `M0 0h${side}v${side}H0z`, dark: runs.join("") };
}
