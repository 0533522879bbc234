/** Measures work by its CPU time, compared with the CPU time of a fixed piece of work. */
import process from "node:process";

/**
 * The unit is about ten milliseconds on a machine of 2025, and longer on a slower one. Other programs do not count. So
 * a test may assert the effort, although it must not assert a duration.
 */
export async function measureEffort(work: () => Promise<unknown>): Promise<number> {
  unit ??= measureUnit();
  const before = process.cpuUsage();
  await work();
  return spentSince(before) / unit;
}

let unit: number | undefined;

/** The minimum of several rounds, because the first ones also compile and some collect garbage. */
function measureUnit(): number {
  const rounds = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    sortWords();
    return spentSince(before);
  });
  // a clock with coarse steps may show no time at all
  return Math.max(1000, Math.min(...rounds));
}

function sortWords(): void {
  for (let round = 0; round < 2; round++) {
    const words = new Set(Array.from({ length: 20_000 }, (_none, index) => `${(index * 7919) % 20_011}`));
    [...words].sort();
  }
}

/** In microseconds, over all threads. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
