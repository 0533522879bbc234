/** Quotes words for a POSIX shell (POSIX.1-2024 XCU §2.2). */

/** Puts the text between single quotes, where a shell interprets no character. */
export function quoteShell(text: string): string {
  return `'${printable(text).replaceAll("'", `'\\''`)}'`;
}

/** Returns the text as it is if no shell would change it, and otherwise between quotes. */
export function quoteShellWord(text: string): string {
  return /^[\w.,:/@+=%-]+$/.test(text) ? text : quoteShell(text);
}

/** A control character could end the line of a header, run a command in a terminal, or reverse the text. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) => encodeURIComponent(each));
}
