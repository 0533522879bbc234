/** How much work something is: its processor time, compared with that of a fixed piece of work. */
import process from "node:process";

/**
 * In units of about ten milliseconds on a machine of 2025. It does not count what other programs do meanwhile, and a
 * slower machine has longer units, so a test may assert it where it must not assert the time on the clock.
 */
export async function measureEffort(work: () => Promise<unknown>): Promise<number> {
  unit ??= measureUnit();
  const before = process.cpuUsage();
  await work();
  return spentSince(before) / unit;
}

let unit: number | undefined;

/** The least of several rounds: the first ones also compile, and some collect garbage. */
function measureUnit(): number {
  const rounds = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    sortWords();
    return spentSince(before);
  });
  // A clock with coarse steps may have seen none of it.
  return Math.max(1000, Math.min(...rounds));
}

function sortWords(): void {
  for (let round = 0; round < 2; round++) {
    const words = new Set(Array.from({ length: 20_000 }, (_none, index) => `${(index * 7919) % 20_011}`));
    [...words].sort();
  }
}

/** Microseconds, of all threads. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
