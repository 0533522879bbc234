/** A web page opens no port: its worker answers at the addresses of the issuer. */

export async function openOwnPort(): Promise<undefined> {}
