/** The German words for what a standard says about a wrong answer. */

import type { LevelWords } from "./levels_english.ts";

export const germanLevels: LevelWords = {
  client: {
    must: "Der Client muss es bemerken",
    should: "Der Client soll es bemerken",
    tolerate: "Der Server ist nur ungewöhnlich, und der Client muss weitermachen",
    robustness: "Ein richtiger Client macht weiter, aber kein Standard sagt es",
    hardening: "Es ist klug, es zu bemerken, aber kein Standard sagt es",
  },
  api: {
    must: "Die API muss es bemerken",
    should: "Die API soll es bemerken",
    tolerate: "Es ist nur ungewöhnlich, und die API muss es annehmen",
    robustness: "Eine richtige API nimmt es an, aber kein Standard sagt es",
    hardening: "Es ist klug, wenn die API es bemerkt, aber kein Standard sagt es",
  },
};
