/** The text of a whole JWT. Three letters of its beginning also occur by chance in random text. */
export const jwtText: RegExp = /eyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]{8,}/;
