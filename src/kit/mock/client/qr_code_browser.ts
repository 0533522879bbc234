/** Draws no QR code in a web page, whose bundle stays light. The same functions as those of `qr_code.ts`. */

import type { QrCode } from "./qr_code.ts";

export function writeQrCode(_text: string): string | undefined {
  return undefined;
}

export function drawQrCode(_text: string): QrCode | undefined {
  return undefined;
}
