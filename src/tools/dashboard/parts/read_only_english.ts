/** The English words of a page that changes nothing, or not yet. */

export const englishReadOnly = {
  why: {
    needs_flag:
      "This page is read only. To change something here, start the server with {setting} and your other flags:",
    needs_option: "This page is read only. To change something here, open the dashboard with {setting}.",
    never:
      "This page is read only. Only the mock of a test, or a server with {setting}, can be changed here.",
  },

  copyWhat: " the command",

  /** A page that changes something after the person has typed a secret. */
  secret: {
    needed: "This page is read only until you {link}.",
    type: { needs_token: "type the token of --control", needs_key: "type the key" },
  },
} as const;

export type WhyReadOnly = keyof typeof englishReadOnly.why;
