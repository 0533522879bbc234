/** Texts that have broken other servers: markup, prototype names, control characters. */

/** The tag or attribute name in every piece of markup below. The server's pages never use it. */
export const probe = "x-probe";

/** Texts that become a tag, an attribute or a script where a page does not escape them. */
const pieces = [
  `"><svg onload=${probe} ${probe}=1>`,
  `'><img src=x onerror=${probe} ${probe}>`,
  `</title><script>${probe}()</script>`,
  `--><${probe}><!--`,
  `" ${probe}="1" onfocus="${probe}()" autofocus="`,
  `';${probe}()//`,
  `&lt;${probe}&gt;&#60;${probe}&#62;&quot;`,
  `\u202e<${probe}>\u2066\ufeff`,
  `<\0${probe}>`,
  `<${probe}\n${probe}\t=\r1>`,
];

/** Several pieces in one text, each of which a strict reader finds if the page does not escape it. A link may begin with the last. */
export const markup: readonly string[] = [
  pieces.slice(0, 4).join(" "),
  pieces.slice(4, 7).join(" "),
  pieces.slice(7).join(" "),
  `javascript:${probe}()`,
];

/** The text as a client may have it as its name, which has no hidden characters. */
export function asName(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "");
}

/** Members of every object's prototype, and the parameter names that led form parsers to them. */
export const prototypeNames: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf"],
  ...["__defineGetter__", "__proto__.polluted", "__proto__[polluted]"],
  ...["constructor[prototype][polluted]", "constructor.prototype.polluted"],
];

/** The text with other characters than printable ASCII escaped, for a test's name. */
export function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
