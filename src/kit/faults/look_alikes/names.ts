/** The names of the look-alikes. They are apart from the functions, so that a test can name one before those are loaded. */

/** The providers that a server can look like. */
export const lookAlikeNames = ["entra", "github", "google", "slack"] as const;

/** The name of a look-alike: a provider. */
export type LookAlikeName = (typeof lookAlikeNames)[number];

/** The providers, and which part of them. */
export const lookAlikeTitles: Readonly<Record<LookAlikeName, string>> = {
  entra: "Microsoft Entra ID, tenant-independent endpoints",
  github: "GitHub, OAuth apps",
  google: "Google, web server applications",
  slack: "Slack, oauth.v2.access",
};
