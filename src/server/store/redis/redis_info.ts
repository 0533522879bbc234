/** Reads the answer of INFO, which has a line `name:value` for each field. */

export type RedisInfo = ReadonlyMap<string, string>;

export function readInfo(text: unknown): RedisInfo {
  const lines = String(text).split(/\r?\n/).filter((line) => line.includes(":"));
  return new Map(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1)];
  }));
}
