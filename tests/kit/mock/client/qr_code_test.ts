/** The QR code of an authenticator app: a reader of another project decodes it, and the app's library makes the codes. */

import { assert, assertEquals } from "@std/assert";
import { drawQrCode, type QrCode } from "../../../../src/kit/mock/client/qr_code.ts";
import jsQR from "jsqr";
import { generate } from "otplib";
import { createMock } from "../../../../src/kit/mod.ts";
import { authorizeUrl } from "../authorize_url.ts";
import { test } from "../../../runner.ts";

/** In pixels. */
const scale = 2;

/** Reads the drawing as a camera does, from its pixels. */
function readQrCode(
  { side: modules, dark }: Pick<QrCode, "side" | "dark">,
): { readonly text: string; readonly version: number } | undefined {
  const side = modules * scale;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (const [, left, top, width] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let y = Number(top) * scale; y < (Number(top) + 1) * scale; y++) {
      const start = 4 * (y * side + Number(left) * scale);
      for (let at = start; at < start + 4 * Number(width) * scale; at++) if (at % 4 < 3) pixels[at] = 0;
    }
  }
  const read = (jsQR as unknown as typeof jsQR.default)(pixels, side, side, {
    inversionAttempts: "dontInvert",
  });
  return read === null ? undefined : { text: read.data, version: read.version };
}

/** The most octets of each version at level M (ISO/IEC 18004 table 7). */
const longest = [
  14,
  26,
  42,
  62,
  84,
  106,
  122,
  152,
  180,
  213,
  251,
  287,
  331,
  362,
  412,
  450,
  504,
  560,
  624,
  666,
];

const textOf = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + (at * 7 + length) % 90)).join("");

test("qr code: a reader decodes each version, and a text gets the smallest one (ISO/IEC 18004 §7)", async () => {
  for (const [index, most] of longest.entries()) {
    const text = textOf(most);
    assertEquals(readQrCode((await drawQrCode(text))!), { text, version: index + 1 });
    const next = await drawQrCode(textOf((longest[index - 1] ?? 0) + 1));
    assertEquals(next?.side, 25 + 4 * (index + 1));
  }
  assertEquals(await drawQrCode(textOf(667)), undefined);
});

test("qr code: it has the light margin of four modules (ISO/IEC 18004 §9.1)", async () => {
  const { side, light, dark } = (await drawQrCode("a"))!;
  assertEquals([side, light], [29, "M0 0h29v29H0z"]);
  // The first row has two finders, and the first of them is seven modules wide.
  assert(dark.startsWith("M4 4h7v1h-7z"));
});

test("authenticator: a library reads the secret from the QR code, and the server accepts its code (RFC 6238)", async () => {
  await using as = await createMock({ alg: "ES256" });
  const { uri, secret, qrCode } = await as.authenticatorOf("alice");
  const [, side, dark] = /viewBox="0 0 (\d+) \1".*<path d="([^"]*)"/.exec(qrCode!)!;
  assertEquals(readQrCode({ side: Number(side), dark: dark! })?.text, uri);
  assertEquals(new URL(uri).searchParams.get("secret"), secret);
  const epoch = as.clock.now / 1000;
  for (const later of [0, 30, 3600, 86_400]) {
    const token = await generate({ secret, epoch: epoch + later });
    as.clock.set(new Date((epoch + later) * 1000));
    assertEquals(await as.codeOf("alice"), token);
    await as.authorize(authorizeUrl(as.issuer, { acr_values: "mfa" }), {
      username: "alice",
      secondFactor: token,
    });
  }
});

test("authenticator: a link that is too long has no QR code", async () => {
  const username = "é".repeat(120);
  await using as = await createMock({ people: [{ username, sub: "e", secondFactor: "totp" }] });
  const { uri, ...others } = await as.authenticatorOf(username);
  assert(uri.length > 666);
  assertEquals(Object.keys(others), ["secret"]);
});
