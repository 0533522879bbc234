/** Hides values that may be secrets in texts that people read. */

export const hidden = "[redacted]";

const secretNames =
  /^((device_|user_)?code|continue|state|nonce|request|request_uri|sid|jwt|pwd|.*(token|secret|passw|verifier|assertion|hint|session|credential|key).*)$/i;

/** Whether values with this name are usually secrets. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/**
 * Hides values that look like secrets in a text that should hold none, for example in a redirect_uri with a query.
 */
export function redactText(text: string): string {
  return text
    .replace(/(?<![\w-])eyJ[\w-]+(?:\.[\w-]*){1,4}/g, hidden)
    .replace(/(?<=urn:ietf:params:oauth:request_uri:)[\w.-]+/g, hidden)
    .replace(/\/\/[^/?#@\s"]*@/g, `//${hidden}@`)
    .replace(
      /([?&#])([\w.-]+)=([^&#\s"]*)/g,
      (pair, mark, name) => isSecretName(name) ? `${mark}${name}=${hidden}` : pair,
    );
}
