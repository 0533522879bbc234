/** Taking secrets out of texts that people read: the console, a test's failure, a report (LOG-01). */

export const hidden = "[redacted]";

const secretNames =
  /^(code|continue|state|nonce|request|sid|jwt|pwd|.*(token|secret|passw|verifier|assertion|hint|session|credential|key).*)$/i;

/** What looks like a secret in a text that should hold none: a client may send its whole address as redirect_uri. */
export function redactText(text: string): string {
  return text
    .replace(/(?<![\w-])eyJ[\w-]+(?:\.[\w-]*){1,4}/g, hidden)
    .replace(/\/\/[^/?#@\s"]*@/g, `//${hidden}@`)
    .replace(
      /([?&#])([\w.-]+)=([^&#\s"]*)/g,
      (pair, mark, name) => secretNames.test(name) ? `${mark}${name}=${hidden}` : pair,
    );
}
