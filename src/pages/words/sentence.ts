/** A sentence with pieces that the page renders, for example an emphasised name, a link or a code. */
export type Sentence<Piece> = (string | Piece)[];
