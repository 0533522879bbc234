/** What is wrong with a filter line of the inspector. */

export type FilterProblem = WordProblem | TooManyWords;

/** A word that the filter does not understand, and what to write instead. */
export interface WordProblem {
  readonly word: string;
  /** `similar`: one filter that the person probably meant. `names`: all names. `values`: the filters with this name. */
  readonly kind: "similar" | "names" | "values";
  readonly suggestions: readonly string[];
}

/** The filter has more different words than it may have. */
export interface TooManyWords {
  readonly kind: "too_many";
  readonly words: number;
  readonly most: number;
}
