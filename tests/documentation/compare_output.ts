/** Compares the output of a command or a program with its documentation. */

/** What each run prints anew. The longest form is first. */
const changing: readonly (readonly [pattern: RegExp, name: string])[] = [
  // a JWT
  [/\bey[\w-]+\.[\w-]+\.[\w-]*/g, "TOKEN"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "DATE"],
  [/\b\d\d:\d\d:\d\d\b/g, "TIME"],
  [/\b\d+(?:\.\d+)? ?ms\b/g, "DURATION"],
  // seconds since 1970
  [/\b[12]\d{9}\b/g, "DATE"],
  // the Deno of npx writes these words in front of its commands
  [/\bnpx -y (?=deno )/g, ""],
  // the server of a test has another port, which its output shows as the usual one
  [/ --port 9000\b/g, ""],
  // an id, a code or a secret
  [/(?<![\w/-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?:\.[\w-]{16,})*/g, "ID"],
  // the same without a digit, which is known by its length: 96, 128 or 256 bits in base64url. One of 40 keys has none.
  [/(?<![\w/-])(?=[\w-]*[A-Z])(?:[\w-]{16}|[\w-]{22}|[\w-]{43})(?![\w-])/g, "ID"],
];

function normalise(line: string): string {
  const text = changing.reduce((rest, [pattern, name]) => rest.replace(pattern, name), line);
  return text.replace(/\s+/g, " ").trim();
}

/** Splits an output into normalised lines without blank ones. */
function readLines(text: string): readonly string[] {
  return text.split("\n").map(normalise).filter((line) => line !== "");
}

/** Returns whether a line is as documented. "…" stands for any text. */
function matches(line: string, documented: string): boolean {
  const parts = documented.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(line);
}

/**
 * Returns why an output is not as documented, or `undefined`. Times, durations, tokens, ids and blank space may differ.
 * A line that is only "…" stands for any lines.
 */
export function compareOutput(output: string, documentation: string): string | undefined {
  const lines = readLines(output), documented = readLines(documentation);
  return fits(lines, documented)
    ? undefined
    : `The output is not as documented. Documented:\n${documented.join("\n")}\nOutput:\n${output.trim()}`;
}

function fits(lines: readonly string[], documented: readonly string[]): boolean {
  const [first, ...others] = documented;
  if (first === undefined) return lines.length === 0;
  if (first === "…") {
    return lines.some((_line, index) => fits(lines.slice(index), others)) || others.length === 0;
  }
  return lines[0] !== undefined && matches(lines[0], first) && fits(lines.slice(1), others);
}

/** Returns the first text that is not a line of the output after the texts before it, or `undefined`. */
export function findMissingLine(output: string, texts: readonly string[]): string | undefined {
  const lines = readLines(output);
  let from = 0;
  for (const text of texts) {
    const index = lines.findIndex((line, at) => at >= from && matches(line, normalise(text)));
    if (index < 0) return text;
    from = index + 1;
  }
  return undefined;
}
