/** The names of the grant type and of the token types (RFC 8693 §2.1, §3). */

export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

const prefix = "urn:ietf:params:oauth:token-type:";

export const accessTokenType: string = `${prefix}access_token`;
export const jwtType: string = `${prefix}jwt`;
export const idTokenType: string = `${prefix}id_token`;
export const refreshTokenType: string = `${prefix}refresh_token`;
export const idJagType: string = `${prefix}id-jag`;

/** The types of the tokens that this server issues. An access token may be a JWT. */
export const ownTypes: readonly string[] = [accessTokenType, jwtType, idTokenType, refreshTokenType];
