/** Draws a text as a QR code in SVG (ISO/IEC 18004): in octets, with error correction level M. */

/** By version, from 1: how many octets of each block correct errors, how many blocks there are (table 9). */
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
/** By version: how many octets of data there are (table 7). */
const dataLengths = [
  ...[16, 28, 44, 64, 86, 108, 124, 154, 182, 216],
  ...[254, 290, 334, 365, 415, 453, 507, 563, 627, 669],
];

/** A square whose sides have this length, and the paths in it. */
export interface QrCode {
  readonly side: number;
  readonly light: string;
  readonly dark: string;
}

/** Returns the code as a document of its own. */
export function writeQrCode(text: string): string | undefined {
  const code = drawQrCode(text);
  if (code === undefined) return undefined;
  const { side, light, dark } = code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="${light}"/><path d="${dark}"/></svg>`;
}

/** Returns `undefined` for a text that is too long for version 20, which has 666 octets. */
export function drawQrCode(text: string): QrCode | undefined {
  const octets = [...new TextEncoder().encode(text)];
  const version = 1 + dataLengths.findIndex((most, at) => octets.length + (at < 9 ? 2 : 3) <= most);
  if (version === 0) return undefined;
  return draw(placeModules(version, addCorrection(version, writeData(version, octets))));
}

/** ISO/IEC 18004 §7.4: the mode of octets, their number, the octets, an end, and octets that fill the rest. */
function writeData(version: number, octets: readonly number[]): readonly number[] {
  const write = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
  const length = write(octets.length, version < 10 ? 2 : 4);
  const digits = `4${length}${octets.map((octet) => write(octet, 2)).join("")}0`;
  const data = digits.match(/../g)!.map((each) => parseInt(each, 16));
  const missing = dataLengths[version - 1]! - data.length;
  return [...data, ...Array.from({ length: missing }, (_, at) => at % 2 === 0 ? 0xec : 0x11)];
}

/** ISO/IEC 18004 §7.5, §7.6: blocks with their correction, interleaved. The last blocks may have one octet more. */
function addCorrection(version: number, data: readonly number[]): readonly number[] {
  const [length, count] = [corrections[version - 1]!, blockCounts[version - 1]!];
  const shortLength = Math.floor(data.length / count);
  const shortCount = count - data.length % count;
  const blocks = Array.from({ length: count }, (_, at) => {
    const start = at * shortLength + Math.max(0, at - shortCount);
    return data.slice(start, start + shortLength + (at < shortCount ? 0 : 1));
  });
  const generator = createGenerator(length);
  return [...interleave(blocks), ...interleave(blocks.map((block) => remainderOf(block, generator)))];
}

function interleave(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = blocks.at(-1)!.length;
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block.slice(at, at + 1)))
    .flat();
}

/** Multiplies in the field of 256 elements. */
function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = product << 1 ^ (product >> 7) * 0x11d;
    if (right >> bit & 1) product ^= left;
  }
  return product;
}

/** Returns the polynomial of Reed and Solomon without its first coefficient, which is 1. */
function createGenerator(degree: number): readonly number[] {
  let generator: readonly number[] = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let at = 0; at < degree; at++, root = multiply(root, 2)) {
    generator = generator.map((each, place) => multiply(each, root) ^ (generator[place + 1] ?? 0));
  }
  return generator;
}

function remainderOf(data: readonly number[], generator: readonly number[]): readonly number[] {
  let remainder: readonly number[] = generator.map(() => 0);
  for (const octet of data) {
    const factor = octet ^ remainder[0]!;
    const [, ...shifted] = [...remainder, 0];
    remainder = shifted.map((each, at) => each ^ multiply(generator[at]!, factor));
  }
  return remainder;
}

type Rows = readonly (boolean | undefined)[][];

/** Returns the rows, from the top. `true` is dark. */
function placeModules(version: number, octets: readonly number[]): Rows {
  const size = 17 + 4 * version;
  const rows: Rows = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  placePatterns(rows, version);
  const bits = octets.flatMap((octet) => bitsOf(octet, 8).reverse());
  let at = 0;
  // ISO/IEC 18004 §7.7.3: from the right, two columns at a time, upwards and downwards in turn, without column 6.
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    const right = size - 1 - 2 * pair;
    for (let step = 0; step < size; step++) {
      const y = pair % 2 === 0 ? size - 1 - step : step;
      for (const x of right > 6 ? [right, right - 1] : [right - 1, right - 2]) {
        if (rows[y]![x] !== undefined) continue;
        // A reader accepts each of the eight masks, so this one is enough (§7.8.2).
        rows[y]![x] = (bits[at++] ?? false) !== ((x + y) % 2 === 0);
      }
    }
  }
  return rows;
}

/** ISO/IEC 18004 §6.3, §7.9, §7.10: what finds and describes the code. */
function placePatterns(rows: Rows, version: number): void {
  const size = rows.length;
  const set = (x: number, y: number, isDark: boolean) => {
    if (rows[y] !== undefined && x >= 0 && x < size) rows[y][x] = isDark;
  };
  const squares = (x: number, y: number, radius: number, light: readonly number[]) => {
    for (let dx = -radius; dx <= radius; dx++) {
      for (let dy = -radius; dy <= radius; dy++) {
        set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) squares(x, y, 4, [2, 4]);
  const centres = alignmentCentres(version);
  for (const x of centres) {
    for (const y of centres) if (rows[y]![x] === undefined) squares(x, y, 2, [1]);
  }
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  // Level M and mask 0 are the five bits 00000, whose correction is 0 before the fixed mask.
  bitsOf(0x5412, 15).forEach((isDark, bit) => {
    const other = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit;
    if (bit < 8) set(8, other, isDark);
    else set(bit === 8 ? 7 : other, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  });
  set(8, size - 8, true);
  if (version < 7) return;
  let rest = version;
  for (let bit = 0; bit < 12; bit++) rest = rest << 1 ^ (rest >> 11) * 0x1f25;
  bitsOf(version << 12 | rest, 18).forEach((isDark, bit) => {
    const [across, along] = [size - 11 + bit % 3, Math.floor(bit / 3)];
    set(across, along, isDark);
    set(along, across, isDark);
  });
}

/** Annex E. */
function alignmentCentres(version: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => 10 + 4 * version - at * step)];
}

/** The lowest bit is the first. */
function bitsOf(value: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, bit) => (value >> bit & 1) === 1);
}

/** With the light margin of four modules that readers need (§9.1). The dark modules of a row that touch are one shape. */
function draw(rows: Rows): QrCode {
  const side = rows.length + 8;
  const runs = rows.flatMap((row, y) => {
    const text = row.map((isDark) => isDark ? "#" : " ").join("");
    return [...text.matchAll(/#+/g)].map(({ 0: { length }, index }) =>
      `M${index + 4} ${y + 4}h${length}v1h-${length}z`
    );
  });
  return { side, light: `M0 0h${side}v${side}H0z`, dark: runs.join("") };
}
