/** Says which variant of a misbehaviour a run met, so that a title says no more than what failed. */

/** What each variant makes of the right value. */
const ofNeighbours: ReadonlyMap<string, string> = new Map([
  ["suffix", "more text after the right one"],
  ["prefix", "more text before the right one"],
  ["part", "the right one without its end"],
  ["end", "the right one without its beginning"],
  ["after_colon", "more text after the right one and a colon"],
  ["after_dot", "more text after the right one and a dot"],
  ["after_slash", "more text after the right one and a slash"],
  ["after_question_mark", "a query after the right one"],
  ["own_form", "another one of the same form"],
  ["after_hash", "a fragment after the right one"],
  ["invisible_character", "an invisible character after the right one"],
  ["line_break", "a line break after the right one"],
  ["before_bar", "more text and a bar before the right one"],
  ["before_colon", "more text and a colon before the right one"],
  ["after_at", "more text after the right one and an @"],
  ["before_slash", "more text and a slash before the right one"],
  ["client", "the client that got the token"],
  ["digits", "twenty digits, of which the last one differs"],
  ["leading_zero", "digits after a zero"],
  ["comma", "another one, a comma and the right one in one text"],
  ["space", "another one, a space and the right one in one text"],
  ["other_in_list", "a list of another one only"],
  ["suffix_in_list", "a list with more text after the right one"],
  ["in_list", "a list of another one and the right one"],
  ["prefix_in_list", "a list with more text before the right one"],
  ["capitals_last", "in capitals, after the right one"],
  ["error", "in the code of the error, too"],
  ["kid_own", "with its own kid"],
  ["kid_of_token", "its kid is the thumbprint in the token"],
  ["after_use", "after the right one"],
  ["same_subject", "with the same subject"],
  ["after_one", "after a request with another one"],
  ["after_twenty", "after twenty requests with other ones"],
  ["without_first", "the first name of several"],
  ["without_last", "the last name of several"],
  ["url_before", "the right one as the path of another URL"],
  ["without_tls", "the same host without TLS"],
  ["issuer_first", "joined, with the issuer first"],
  ["issuer_first_by_slash", "joined by a slash, with the issuer first"],
  ["issuer_first_by_colon", "joined by a colon, with the issuer first"],
]);

/** Adds a variant to the sentence of its misbehaviour, which is true of each. One that resembles nothing adds nothing. */
export function describeVariant(sentence: string, variant: string | undefined): string {
  if (variant === undefined || variant === "another") return sentence;
  return `${sentence}: ${ofNeighbours.get(variant) ?? variant.replaceAll("_", " ")}`;
}
