/** Draws no QR code in a web page, whose bundle stays light. The same function as that of `qr_code.ts`. */

export function drawQrCode(_text: string): Promise<undefined> {
  return Promise.resolve(undefined);
}
