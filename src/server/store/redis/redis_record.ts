/** How a record is written to a key of Redis: the name of the key, its text, and the script that writes it. */
import { writeName } from "../sql.ts";
import { type Entry, never, type PutTerms, writeValue } from "../store.ts";

/**
 * Writes a record if its condition holds, and returns its version. The text of a key is "VERSION EXPIRES_AT\nJSON".
 * Parameters: the condition (`always`, `free`, `version`), its version, the caller's time, the text, the milliseconds until
 * Redis removes the key (empty: never), the version of this attempt, and the versions of earlier attempts.
 */
export const putScript = `
local version, expires = string.match(redis.call('GETRANGE', KEYS[1], 0, 127), '^(%S+) (%S+)\\n')
for i = 6, #ARGV do
  if version == ARGV[i] then return version end
end
local live = version and tonumber(expires) > tonumber(ARGV[3])
if ARGV[1] == 'free' and live then return false end
if ARGV[1] == 'version' and not (live and version == ARGV[2]) then return false end
if ARGV[5] == '' then
  redis.call('SET', KEYS[1], ARGV[4])
else
  redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
end
return ARGV[6]`;

/** Redis removes a record this many seconds after its end. Until then, callers with slow clocks find it. */
const keptAfterwards = 24 * 60 * 60;

/** Returns parameters of the script. The text is that of the key without its version. */
export function writeRecord(
  value: unknown,
  { expiresAt, now }: PutTerms,
): { readonly text: string; readonly milliseconds: string } {
  const json = writeValue(value, { expiresAt, now });
  // Relative to now, because the clock of the server may differ from the clock of the caller.
  const milliseconds = Math.ceil((Math.max(0, expiresAt - now) + keptAfterwards) * 1000);
  // Redis refuses times that do not fit into 64 bits.
  const isForever = expiresAt >= never || milliseconds > Number.MAX_SAFE_INTEGER;
  return { text: `${writeTime(expiresAt)}\n${json}`, milliseconds: isForever ? "" : String(milliseconds) };
}

/** `text` is the answer of GET, which is null for an absent key. */
export function readRecord<T>(text: unknown): Entry<T> | undefined {
  if (typeof text !== "string") return undefined;
  const end = text.indexOf("\n");
  const [version, expiresAt] = text.slice(0, end).split(" ");
  return { value: JSON.parse(text.slice(end + 1)) as T, version: version!, expiresAt: Number(expiresAt) };
}

/** Lua reads "Infinity" only on some systems, and 1e999 on all. */
export function writeTime(time: number): string {
  return Number.isFinite(time) ? String(time) : time > 0 ? "1e999" : "-1e999";
}

/**
 * Returns the name of a kind in keys. It has no colon, so that a key belongs to one kind only. Names in keys have no
 * braces: a cluster chooses the server by the text between braces, so a client could send all its records to one server.
 */
export function writeKind(name: string): string {
  return writeId(name).replaceAll(":", "\\u003a");
}

export function writeId(id: string): string {
  return writeName(id).replaceAll("{", "\\u007b");
}
