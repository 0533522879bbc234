/** The English words of the frame, and of what the dashboard shows on the front page. */

export const englishFrame = {
  pages: "Pages",
  menu: "Menu",
  /** The links beside those to the pages of the dashboard, whose texts are in its table of pages. */
  links: { home: "Home", control: "Control plane" },
  search: "Search",
  keys: "Keyboard",

  conditions: {
    label: "State of this server",
    stoppedClock: (now: string): string => `The clock is stopped at ${now}.`,
    turn: (by: string, isAhead: boolean): string => `${by} ${isAhead ? "ahead" : "behind"}`,
    turnedClock: (turn: string): string => `The clock is ${turn}.`,
    gate: (endpoints: readonly string[]): string =>
      `${endpoints.length === 1 ? "A gate is closed" : "Gates are closed"}: ${endpoints.join(", ")}.`,
    misbehaviour: (count: number): string =>
      count === 1 ? "1 misbehaviour is on:" : `${count} misbehaviours are on:`,
    more: (count: number): string => ` and ${count} more`,
    lookAlike: (titles: readonly string[]): string => `This server looks like ${titles.join("; ")}.`,
    look: "Details",
    end: "Set it right",
    /** Links to the pages with the buttons. */
    change: {
      clock: "Change it…",
      gate: "Open it…",
      misbehaviour: "Switch off…",
      look_alike: "Switch off…",
    },
    about: {
      clock: " (the clock)",
      gate: " (gates)",
      misbehaviour: " (misbehaviours)",
      look_alike: " (look-alikes)",
    },
  },

  front: {
    recent: "Recent requests",
    allRequests: "all requests",
    recentNote: "without the pages of this server",
    refused: (count: number): string => `${count.toLocaleString("en")} refused`,
    newestToken: "Newest token",
    ofPerson: (person: string): string => ` of ${person}`,
    snippets: "Connect your application",
    library: "Library",
    showLibrary: "Show",
    copySnippet: (name: string): string => ` the text for ${name}`,
    stateOf: { misbehaviour: "Misbehaviours", clock: "Clock", gate: "Gates", look_alike: "Look-alike" },
    usual: { misbehaviour: "none", clock: "as the machine's", gate: "none closed", look_alike: "none" },
    unusual: { misbehaviour: "on", gate: "closed", look_alike: "on" },
    stoppedClock: "stopped",
    store: "Store",
    inMemory: "memory, until the server stops",
  },
} as const;
