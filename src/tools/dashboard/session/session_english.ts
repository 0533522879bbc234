/** The English words of the page that asks for a secret. */

export const englishSession = {
  inspector: {
    heading: "Show the secrets",
    about:
      "The server shows it at its start, after #key=. With it, this tab shows codes, tokens and verifiers, and exports.",
    label: "Key",
    wrong: "This is not the key of this server.",
    send: "Show the secrets",
  },
  control: {
    heading: "Change this server",
    about:
      "The pages that change this server need the token of its control plane. Each tab asks for it once.",
    label: "Token of --control",
    wrong: "This is not the token that the server was started with.",
    send: "Continue",
  },
  opened: "This tab may change the server",
  goOn: "Continue",
} as const;
