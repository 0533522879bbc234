/** A place within a value, as one would write it: `clients[0].redirect_uris[1]`. */

/** The members that lead to it, from the outermost. */
export function splitPlace(place: string): readonly string[] {
  return place.split(/[.[\]]+/).filter((member) => member !== "");
}
