/** The English words of the list of keys. */

export const englishKeys = {
  heading: "Keys",
  rows: [
    [["/", "Ctrl+K"], "go to the search"],
    [["?"], "show these keys"],
    [["f"], "go to the filter of the requests"],
    [["j"], "next request"],
    [["k"], "request before"],
    [["Enter"], "open the request"],
    [["Esc"], "close the request"],
  ] as readonly (readonly [keys: readonly string[], action: string])[],
  enabled: "Single keys act",
  close: "Close",
} as const;
