/** Durations: numbers are seconds, and text has units, as in "1d 3h". Reads them, and writes them for people. */

/** A number of seconds, or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m". */
export type Duration = number | string;

const millisecondsIn = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

type Unit = keyof typeof millisecondsIn;

const wholeText = /^[+-]?\d+(?:\.\d+)?(?:ms|[dhms])(?: *\d+(?:\.\d+)?(?:ms|[dhms]))*$/;
const eachPart = /[ +-]*(\d+(?:\.\d+)?)(ms|[dhms])/gy;

/** Returns `undefined` if the text is not a duration. The sign applies to the whole: "-1d 3h" is -27 hours. */
export function parseDuration(text: string): number | undefined {
  if (!wholeText.test(text)) return undefined;
  let milliseconds = 0;
  let previous = Infinity;
  for (const [, amount, unit] of text.matchAll(eachPart)) {
    const length = millisecondsIn[unit as Unit];
    // Each unit must be smaller than the previous unit. "5m 1m" is probably a typing error for "5m 1s".
    if (length >= previous) return undefined;
    milliseconds += Number(amount) * length;
    previous = length;
  }
  // Rounds to microseconds, because 1.1 * 3600000 is not exactly 3960000.
  const seconds = Math.round(milliseconds * 1000) / 1e6;
  return text.startsWith("-") ? -seconds : seconds;
}

/** The words that people write for a unit. A number without a unit is taken as seconds. */
const unitWords: readonly (readonly [unit: Unit, words: RegExp])[] = [
  ["d", /^d(ays?)?$/],
  ["h", /^h(rs?|ours?)?$/],
  ["m", /^m(ins?|inutes?)?$/],
  ["s", /^(s(ecs?|econds?)?)?$/],
];

/** Returns the correct spelling of a duration: "1d 3h" for "1 day, 3 hours". */
export function suggestDuration(text: string): string | undefined {
  const parts = text.toLowerCase().trim().replace(/[ ,]+/g, " ").split(/ (?=\d)|(?<=[a-z])(?=\d)/).map(
    (part) => {
      const [, amount, word = ""] = /^(\d+(?:\.\d+)?) *([a-z]*)$/.exec(part) ?? [];
      const [unit] = unitWords.find(([, words]) => words.test(word)) ?? [];
      return amount === undefined || unit === undefined ? undefined : amount + unit;
    },
  );
  const suggestion = parts.join(" ");
  return parts.includes(undefined) || parseDuration(suggestion) === undefined ? undefined : suggestion;
}

/** Returns text such as "12 ms", "3.4 s", "5 min 2 s" or "2 d 3 h". The sign is left out. */
export function formatDuration(seconds: number): string {
  const length = Math.abs(seconds);
  if (length < 0.9995) return `${Math.round(length * 1000)} ms`;
  if (length < 59.5) return `${Number(length.toFixed(length < 10 ? 1 : 0))} s`;
  const whole = Math.round(length);
  const [days, hours, minutes, rest] = [whole / 86_400, whole / 3600 % 24, whole / 60 % 60, whole % 60]
    .map(Math.floor) as [number, number, number, number];
  const parts = [[days, "d"], [hours, "h"], [minutes, "min"], [rest, "s"]] as const;
  const first = parts.findIndex(([number]) => number > 0);
  const shown = parts.slice(first, first + 2).filter(([number]) => number > 0);
  return shown.map((part) => part.join(" ")).join(" ");
}

/** Describes the time since something expired. Times of expiry are whole seconds, so a part of a second is left out. */
export function formatDelay(seconds: number): string {
  return formatDuration(seconds < 1 ? seconds : Math.floor(seconds));
}
