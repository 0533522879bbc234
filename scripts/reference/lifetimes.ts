/** docs/reference/lifetimes.md. */
import { describeOptions } from "./option_words.ts";
import { code, markNames, type Page, table } from "./markdown.ts";

export async function writeLifetimes(): Promise<Page> {
  const { properties = {} } = (await describeOptions()).properties!["lifetimes"]!;
  const rows = Object.entries(properties).map(([name, { anyOf = [], description = "" }]) => {
    const [what, usual] = description.replace(/\.$/, "").split(". Default: ");
    const [{ minimum, maximum } = {}] = anyOf;
    return [
      code(name),
      usual === undefined ? "none" : code(usual),
      `${describeSeconds(minimum!)} to ${describeSeconds(maximum!)}`,
      markNames(`${what}.`),
    ];
  });
  return {
    title: "Lifetimes",
    summary: "How long codes, tokens, sessions and keys are valid. Each is a member of `lifetimes` in the " +
      "[configuration](configuration.md), of `createServer` and of `createMock`.",
    parts: [
      "A lifetime is a number of seconds, or text with the units `d` (days), `h` (hours), `m` (minutes) and `s` " +
      '(seconds), the largest first: `90`, `"90s"`, `"10m"`, `"1.5h"`, `"1d 3h"`. In a test, the clock of the mock can ' +
      'be moved: after `as.clock.advance("2h")`, an access token of one hour has expired.',
      table(["lifetime", "default", "from, to", "what it limits"], rows),
    ],
  };
}

const units = [["year", 31_536_000], ["day", 86_400], ["hour", 3600], ["minute", 60]] as const;

function describeSeconds(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds >= length && seconds % length === 0) ??
    ["second", 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
